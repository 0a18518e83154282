import { dayMs, hourMs } from '../utc-day.ts';
import { randomInt } from 'node:crypto';
import { type ChangeKind, type ChangePart, healthLevels, type Watches } from '../contracts/domain-guard.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { checkDomain, type Examined } from '../domain-check/check-domain.ts';
import type { KnownServers } from '../domain-check/look-at-server.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { DomainChange } from '../models/domain-change.ts';
import { DomainHealth } from '../models/domain-health.ts';
import { type Difference, differencesOf, factsOf, healthOf, statesOf } from './facts.ts';
import { isNews, type News, tellAdministrators } from './tell-administrators.ts';
import { confirmAfterMs, expiryWarning, judge, judgeSilence, type Verdict } from './watch.ts';

const usualMs = 12 * hourMs;
/**
 * Looks are shifted by up to this much at random, so that domains that were added together are not
 * all looked at together.
 */
const spreadMs = hourMs;
const longestMs = 48 * hourMs;

/** Options of a look. */
export interface Looking {
  now?: Date;
  /** What is known of mail servers, which several looks share. */
  servers?: KnownServers;
}

/**
 * Looks at the DNS of a domain, stores what it says and what has changed, and mails important
 * changes to the administrators of its company.
 */
export async function guardDomain(
  ctx: Ctx,
  domain: Domain,
  { now = new Date(), servers }: Looking = {},
): Promise<void> {
  const examined = await checkDomain(ctx, domain, servers ? { servers } : {});
  await inTransaction(ctx, async (tx) => {
    const fresh = await lockGuarded(tx, String(domain.id));
    if (fresh) await writeLook(tx, fresh, { examined, now });
  });
}

/** The domain with its row locked; null when it is not to be guarded any more. */
async function lockGuarded(tx: TxCtx, id: string): Promise<Domain | null> {
  const domain = await Domain.findByPk(id, { lock: true, transaction: tx.tx });
  if (!domain?.verifiedAt || domain.deletedAt) return null;
  const company = await Company.findByPk(domain.companyId, { attributes: ['deletedAt'], transaction: tx.tx });
  return company && !company.deletedAt ? domain : null;
}

/** The index of `error` in `healthLevels`. */
const broken = 3;

interface Look {
  examined: Examined;
  now: Date;
}

async function writeLook(tx: TxCtx, domain: Domain, look: Look): Promise<void> {
  const domainId = String(domain.id);
  const before = await DomainHealth.findByPk(domainId, { transaction: tx.tx });
  const { health, nextCheckAt, kept, happened } = outcomeOf(domain, before, look);
  await DomainHealth.upsert({ domainId, ...kept }, { transaction: tx.tx });
  await writeHistory(tx, domain, happened);
  await changeRows(tx, 'UPDATE domains SET health = ?, checked_at = ?, next_check_at = ? WHERE id = ?', [
    health,
    look.now,
    nextCheckAt,
    domainId,
  ]);
  if (isNews(happened.news)) await tellAdministrators(tx, domain, happened.news);
}

/** What a look leads to. */
interface Outcome {
  /** An index of `healthLevels`. */
  health: number;
  nextCheckAt: Date;
  kept: Pick<DomainHealth, 'facts' | 'watches' | 'problems' | 'failures'>;
  happened: Happened;
}

function outcomeOf(domain: Domain, before: DomainHealth | null, { examined, now }: Look): Outcome {
  const { check, hostAddresses } = examined;
  const [facts, states] = [factsOf(examined), statesOf(examined)];
  const verdict = judge(before?.watches ?? {}, states, now);
  const seen = healthOf(check, states, verdict.watches);
  const [isSilent, isOurs] = [seen === null, hostAddresses.length === 0];
  const failures = isSilent ? (before?.failures ?? 0) + 1 : 0;
  const { silence, mustTell, isOver } = judgeSilence(before?.watches.silence, { isSilent, isOurs, now });
  const expiry = expiryWarning(before?.watches.expiry, domain.expirationDate, now);
  const watches: Watches = { ...verdict.watches, silence, ...(expiry ? { expiry: expiry.given } : {}) };
  const { problems } = isSilent && before ? before : check;
  const news: News = {
    broken: verdict.tellBroken,
    mended: verdict.tellMended,
    problems: check.problems,
    daysLeft: expiry?.daysLeft ?? null,
    silence: mustTell && silence ? { since: silence.since, failure: examined.failure } : null,
    answersAgain: isOver,
  };
  const differences = differencesOf(before?.facts ?? {}, facts);
  return {
    health: silence?.isTold ? broken : (seen ?? domain.health),
    nextCheckAt: new Date(now.getTime() + waitMs({ isUnsettled: verdict.isUnsettled, failures })),
    kept: { facts: { ...before?.facts, ...facts }, watches, problems, failures },
    happened: { examined, now, verdict, differences, expires: expiry?.given.day ?? null, news },
  };
}

type Entry = Pick<DomainChange, 'part' | 'kind' | 'beforeText' | 'afterText'>;

interface Happened extends Look {
  verdict: Verdict;
  differences: readonly Difference[];
  /** The day of the expiry that is warned of now. */
  expires: string | null;
  news: News;
}

/** Adds the entries of the history that a look leads to. */
async function writeHistory(tx: TxCtx, { id, companyId }: Domain, happened: Happened): Promise<void> {
  const { now, verdict, examined, differences, expires, news } = happened;
  const entry = (part: ChangePart, kind: ChangeKind, afterText: string): Entry => {
    return { part, kind, beforeText: null, afterText };
  };
  const { check } = examined;
  const isFull = differences.length > 0 && (await hasManyChanges(tx, String(id), now));
  const entries: Entry[] = [
    ...(isFull ? [] : differences).map(({ part, before, after }): Entry => {
      return { part, kind: 'changed', beforeText: textOf(before), afterText: textOf(after) };
    }),
    ...verdict.broken.map((part) => entry(part, 'broken', check[part].details)),
    ...verdict.mended.map((part) => entry(part, 'mended', check[part].details)),
    ...(news.silence === null ? [] : [entry('ns', 'broken', silentText(news.silence))]),
    ...(news.answersAgain ? [entry('ns', 'mended', 'The name servers answer again.')] : []),
    ...(expires === null ? [] : [entry('expiry', 'expiring', expires)]),
  ];
  const owner = { domainId: String(id), companyId: String(companyId), createdAt: now };
  await DomainChange.bulkCreate(
    entries.map((one) => ({ ...one, ...owner })),
    { transaction: tx.tx },
  );
}

/** The most changes of one domain that a day of its history has. */
const mostChanges = 40;

/**
 * Whether the history of a domain has all the changes that a day may have. Its own name servers
 * decide what is different at each look, and nothing else bounds that.
 */
async function hasManyChanges(tx: TxCtx, domainId: string, now: Date): Promise<boolean> {
  const [row] = await readRows<{ createdAt: Date }>(
    tx,
    `SELECT created_at AS createdAt FROM domain_changes
      WHERE domain_id = ? AND kind = 'changed' ORDER BY id DESC LIMIT 1 OFFSET ${mostChanges - 1}`,
    [domainId],
  );
  return row !== undefined && row.createdAt.getTime() > now.getTime() - dayMs;
}

const silentText = ({ failure }: NonNullable<News['silence']>): string =>
  failure === null
    ? 'No name server has answered for a day.'
    : `The name servers have answered with an error (${failure}) for a day.`;

const mostText = 4000;
const textOf = (lines: readonly string[]): string | null => lines.join('\n').slice(0, mostText) || null;

/**
 * The time until the next look: soon when something is suspected or has been wrong for less than a
 * day, and ever longer while no name server of the domain answers.
 */
function waitMs({ isUnsettled, failures }: { isUnsettled: boolean; failures: number }): number {
  if (failures > 0) return Math.min(hourMs * 2 ** Math.min(failures - 1, 10), longestMs);
  if (isUnsettled) return confirmAfterMs;
  return usualMs + randomInt(-spreadMs, spreadMs);
}

/** The level of the number in a domain's row. */
export function healthLevel(health: number): (typeof healthLevels)[number] {
  return healthLevels[health] ?? 'unknown';
}
