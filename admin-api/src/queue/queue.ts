import { consume } from '@selvage/core/access/rate-limit';
import { readInScope } from '@selvage/core/access/scope';
import type { InferBody, InferQuery } from '@selvage/core/contracts/endpoint';
import type {
  changeQueue as changeContract,
  listQueue,
  QueueActionName,
  QueueGroupDto,
} from '@selvage/core/contracts/queue';
import { conflict, tooMany } from '@selvage/core/errors';
import { asciiDomain } from '@selvage/core/mail/addresses';
import { visibleText } from '@selvage/core/mail/visible-text';
import { Delivery } from '@selvage/core/models/delivery';
import { changeQueue } from '@selvage/core/outbound/change-queue';
import { findQueueGroups, type QueueGroup } from '@selvage/core/outbound/queue-groups';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

/**
 * How many calls one person may make in a minute. Changing a domain with a long queue takes many
 * calls.
 */
const perMinute = { limit: 600, windowSeconds: 60 };

/** One page of the queued deliveries in the caller's scope, grouped by domain and reason. */
export async function findQueue(ctx: SignedIn, query: InferQuery<typeof listQueue>): Promise<Page<QueueGroupDto[]>> {
  const domain = query.search && (asciiDomain(query.search) ?? query.search.toLowerCase());
  const { limit, page, sort } = query;
  const part = { domain, isSmallestFirst: sort === 'count', limit, offset: (page - 1) * limit };
  const { groups, total } = await findQueueGroups(ctx, ctx.scope, part);
  return { rows: groups.map(presentGroup), total };
}

/**
 * Changes a batch of the queued deliveries of a domain or a sender. The caller repeats the call
 * while there are more.
 */
export async function changeWaiting(ctx: SignedIn, body: InferBody<typeof changeContract>) {
  await count(ctx);
  const { action, domain = '', sender, reason } = body;
  const target = sender === undefined ? { domain, reason } : { senders: [sender], reason };
  const before = body.before === undefined ? new Date() : new Date(body.before);
  const { changed, hasMore } = await changeQueue(ctx, action, { scope: ctx.scope, target, before });
  return { changed, has_more: hasMore, before: before.toISOString() };
}

/**
 * Changes one queued delivery.
 * @throws 404 for another company's, 409 `not_waiting` when the action does not fit its state
 */
export async function changeOne(ctx: SignedIn, id: string, action: QueueActionName): Promise<void> {
  await count(ctx);
  await readInScope(ctx, Delivery, id);
  const { changed } = await changeQueue(ctx, action, { scope: ctx.scope, target: { id }, before: new Date() });
  if (changed === 0) throw notWaiting();
}

function notWaiting() {
  return conflict(
    'This cannot be done with the message now: it is being sent, has ended, or waits for the operator.',
    'not_waiting',
  );
}

async function count({ app, actor }: SignedIn): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(app.redis, `queue:${actor.userId}`, perMinute);
  if (!allowed) throw tooMany(retryAfterSeconds);
}

function presentGroup({ domain, state, reason, ...group }: QueueGroup): QueueGroupDto {
  return {
    _id: `${domain} ${state} ${reason}`,
    domain,
    state,
    reason,
    count: group.count,
    sending: group.sending,
    next_attempt_at: group.nextAttemptAt?.toISOString() ?? null,
    oldest: group.oldest.toISOString(),
    reply: group.lastReply === null ? null : visibleText(group.lastReply),
    of_domain: group.ofDomain,
  };
}
