import { dayMs } from '@selvage/core/utc-day';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { longestTraceDays, type listTraced, type StoryDto, type TracedDto } from '@selvage/core/contracts/trace';
import type { Scope } from '@selvage/core/context/actor';
import { invalid } from '@selvage/core/errors';
import type { Period } from '@selvage/core/ledger/account-for-mail';
import { visibleText } from '@selvage/core/mail/visible-text';
import type { DeliveryState } from '@selvage/core/models/delivery';
import { findDeliveries, type TracedDelivery } from '@selvage/core/trace/find-deliveries';
import { readStory, type Story } from '@selvage/core/trace/read-story';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

type Query = InferQuery<typeof listTraced>;

/** One page of deliveries in the caller's scope, each with its state. */
export async function findTraced(ctx: SignedIn, query: Query): Promise<Page<TracedDto[]>> {
  const period = periodOf(query);
  const scope = narrowed(ctx.scope, query.company_id);
  if (scope === null) return { rows: [], total: 0 };
  const question = { ...period, search: query.search, party: query.party, states: statesOf(query.state) };
  const isOldestFirst = query.sort === 'createdAt';
  const place = { offset: (query.page - 1) * query.limit, limit: query.limit, isOldestFirst };
  const { rows, total } = await findDeliveries(ctx, scope, question, place);
  return { rows: rows.map(presentTraced), total };
}

/**
 * The history of one delivery.
 * @throws AppError 404 for a delivery that the caller may not see
 */
export async function findStory(ctx: SignedIn, id: string): Promise<StoryDto> {
  return presentStory(await readStory(ctx, ctx.scope, id));
}

/**
 * The scope limited to a company, if the query names one; null when the caller may not see that
 * company.
 */
function narrowed(scope: Scope, companyId: string | undefined): Scope | null {
  if (companyId === undefined) return scope;
  if (scope.kind === 'company' && scope.companyId !== companyId) return null;
  return { kind: 'company', companyId };
}

/** The period of a query. An end that is only a day includes that whole day. */
function periodOf({ from, to }: Query): Period {
  const isDay = to?.length === 'YYYY-MM-DD'.length;
  const end = to === undefined ? new Date(Date.now() + dayMs) : new Date(Date.parse(to) + (isDay ? dayMs : 0));
  const start = from === undefined ? new Date(end.getTime() - longestTraceDays * dayMs) : new Date(from);
  if (start >= end) throw wrongDays('The first day must be before the last one');
  if (end.getTime() - start.getTime() > (longestTraceDays + 2) * dayMs) {
    throw wrongDays('Choose ten years at most');
  }
  return { from: start, to: end };
}

/** The error has a text for the whole call, since the page has no form field that could show it. */
const wrongDays = (text: string) => invalid({ from: text }, `${text}.`);

const accepted: DeliveryState[] = ['stored', 'relayed', 'bounced', 'held', 'queued'];

function statesOf(state: Query['state']): DeliveryState[] | undefined {
  if (state === undefined) return undefined;
  return state === 'accepted' ? accepted : [state];
}

function presentTraced(row: TracedDelivery): TracedDto {
  return {
    _id: String(row.id),
    direction: row.direction,
    sender: visibleText(row.envelopeFrom),
    recipient: visibleText(row.recipient),
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    answers: row.answers,
    expanded_by: row.expandedBy,
    forwarded_for: row.forwardedFor,
    company_id: row.companyId === null ? null : { _id: String(row.companyId), name: row.companyName ?? '' },
    createdAt: row.createdAt.toISOString(),
  };
}

function presentStory(story: Story): StoryDto {
  return {
    ...presentTraced(story),
    ...presentMessage(story),
    expanded_to: story.expandedTo,
    past: story.past.map(({ attemptedAt, ...attempt }) => ({
      at: attemptedAt.toISOString(),
      reason: attempt.reason,
      ...presentAnswer(attempt),
    })),
    last: { at: story.updatedAt.toISOString(), ...presentAnswer(story) },
    next_attempt_at: story.nextAttemptAt?.toISOString() ?? null,
    released_at: story.releasedAt?.toISOString() ?? null,
    is_sending: story.leaseUntil !== null && story.leaseUntil > new Date(),
    companions: story.companions.map(({ id, direction, recipient, state, answers, expandedTo, forwardedFor }) => ({
      _id: String(id),
      direction,
      recipient: visibleText(recipient),
      state,
      answers,
      expanded_to: expandedTo,
      forwarded_for: forwardedFor,
    })),
    is_received: story.isReceived,
  };
}

function presentMessage({ mailId, message, arrival, checks, placement }: Story) {
  return {
    mail_id: mailId,
    message_id: safe(message?.messageId ?? null),
    size: message?.size ?? null,
    header_from: safe(message?.fromAddress ?? null),
    arrival: arrival && {
      helo: safe(arrival.helo),
      address: arrival.address,
      protocol: arrival.protocol,
      encrypted: arrival.isEncrypted,
      tls: arrival.tls,
    },
    checks: checks && {
      spf: { result: checks.spf.result, domain: safe(checks.spf.domain) },
      dkim: checks.dkim.map(({ result, domain }) => ({ result, domain: visibleText(domain) })),
      dmarc: { result: checks.dmarc.result, policy: checks.dmarc.policy },
    },
    placement,
  };
}

function presentAnswer({ lastReply, remoteHost, tls, tlsProtocol }: AnswerOf) {
  return { reply: safe(lastReply), remote_host: safe(remoteHost), tls, tls_protocol: tlsProtocol };
}

type AnswerOf = Pick<Story, 'lastReply' | 'remoteHost' | 'tls' | 'tlsProtocol'>;

const safe = (text: string | null): string | null => (text === null ? null : visibleText(text));
