import { beforeAll, describe, expect, it } from 'vitest';
import { explaining, type PlanStep } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import type { Scope } from '../context/actor.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { changeQueue } from './change-queue.ts';
import { findQueueGroups, type QueueGroup } from './queue-groups.ts';
import { submitMessage } from './submit-message.ts';
import { addTransfers } from './transfers.ts';

const many = 3000;
const host: Scope = { kind: 'host' };
let app: App;
let busy: Mailbox;
let quiet: Mailbox;

const scopeOf = ({ company }: Mailbox): Scope => ({ kind: 'company', companyId: String(company.id) });

/** A delivery to each of the addresses; answers the mail id. */
async function send({ user }: Mailbox, recipients: string[]): Promise<string> {
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext\r\n`);
  return (await submitMessage(systemContext(app), { user, raw, door: 'web', bcc: [], recipients })).mailId;
}

beforeAll(async () => {
  app = await testApp();
  [busy, quiet] = [await buildMailbox(app), await buildMailbox(app)];
  const mailId = await send(busy, ['a@dead.test']);
  await app.db.query(
    `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                             last_reply, next_attempt_at, created_at, updated_at)
     SELECT company_id, message_id, mail_id, 'out', recipient, recipient_domain, envelope_from,
            IF(seq % 2, 'queued', 'relayed'), 'remote_deferred', '451 later', IF(seq % 2, '2020-01-01', NULL), created_at, updated_at
       FROM deliveries JOIN seq_1_to_${many * 2} WHERE mail_id = '${mailId}'`,
  );
  await send(quiet, ['a@dead.test', 'b@alive.test']);
  await app.db.query('ANALYZE TABLE deliveries');
});

/** The first groups of a scope. */
async function groupsOf(scope: Scope, domain?: string): Promise<QueueGroup[]> {
  return (await findQueueGroups(systemContext(app), scope, { domain, limit: 10, offset: 0 })).groups;
}

/** The steps that read the table of the deliveries. */
const readsOf = (plans: PlanStep[][]) => plans.flat().filter(({ table }) => ['d', 'deliveries'].includes(table));

describe('what waits', () => {
  it('is counted for a company and for the host, the largest group first', async () => {
    const groups = await groupsOf(host);
    expect(groups.map(({ domain, reason, count }) => [domain, reason, count])).toEqual([
      ['dead.test', 'remote_deferred', many],
      ['dead.test', 'accepted', 2],
      ['alive.test', 'accepted', 1],
    ]);
    expect(groups[0]).toMatchObject({ state: 'queued', sending: 0, lastReply: '451 later' });
    expect(groups[0]?.nextAttemptAt).toEqual(new Date('2020-01-01T00:00:00Z'));
    const own = await groupsOf(scopeOf(quiet));
    expect(own.map(({ domain, count }) => [domain, count])).toEqual([
      ['alive.test', 1],
      ['dead.test', 1],
    ]);
    const named = await groupsOf(host, 'alive.test');
    expect(named.map(({ domain, count }) => [domain, count])).toEqual([['alive.test', 1]]);
    expect(await groupsOf(host, 'alive')).toEqual([]);
  });

  it('is counted beyond any number of domains, and summed up for the domain of each group', async () => {
    const mailId = await send(busy, ['a@many.test']);
    await app.db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                               next_attempt_at, created_at, updated_at)
       SELECT company_id, message_id, mail_id, 'out', recipient, CONCAT('many', seq % 1100, '.test'), envelope_from,
              IF(seq >= 2200, 'held', 'queued'), ELT(seq DIV 1100 + 1, 'remote_deferred', 'connection_failed',
              'held_by_administrator'), NULL, created_at, updated_at
         FROM deliveries JOIN seq_1_to_2201 WHERE mail_id = '${mailId}'`,
    );
    const read = (part: object) => findQueueGroups(systemContext(app), scopeOf(busy), { limit: 2, offset: 0, ...part });
    // Two or three groups of each of the 1,100 domains, many.test, and two of dead.test
    const { total } = await read({});
    const [last] = (await read({ offset: total - 1 })).groups;
    expect([total > 2000, last?.count]).toEqual([true, 1]);
    expect(await read({ offset: total })).toEqual({ groups: [], total });
    expect((await read({ isSmallestFirst: true })).groups[0]).toEqual(last);
    const [group] = (await read({ domain: 'many1.test', limit: 1 })).groups;
    expect(group?.ofDomain).toEqual({ rows: 3, queued: 2, held: 1 });
    await Delivery.destroy({ where: { mailId } });
  });

  it('tells how much a worker is busy with, and since when a scheduled one waits', async () => {
    const mailId = await send(quiet, ['c@timely.test', 'd@timely.test']);
    const [one, two] = await Delivery.findAll({ where: { mailId }, order: ['id'] });
    const leaseUntil = new Date(Date.now() + 60_000);
    await one?.update({ leaseUntil });
    // A message to several domains has several transfers
    const transfers = ['timely.test', 'other.test'].map((domain) => ({
      id: domain,
      domain,
      messageId: one?.messageId ?? null,
    }));
    await inTransaction(systemContext(app), (tx) => addTransfers(tx, transfers, leaseUntil));
    await two?.update({ releasedAt: new Date('2026-01-01T00:00:00Z') });
    const [group] = await groupsOf(scopeOf(quiet), 'timely.test');
    expect(group).toMatchObject({ count: 2, sending: 1, oldest: new Date('2026-01-01T00:00:00Z') });
    await Delivery.destroy({ where: { mailId } });
  });

  it('is not counted when it has ended, or its sender holds it', async () => {
    const mailId = await send(quiet, ['e@over.test']);
    const counted = async () => (await groupsOf(host, 'over.test')).length;
    for (const state of ['relayed', 'bounced', 'cancelled'] as const) {
      await Delivery.update({ state }, { where: { mailId } });
      expect([state, await counted()]).toEqual([state, 0]);
    }
    await Delivery.update({ state: 'held', reason: 'held_for_undo' }, { where: { mailId } });
    expect(await counted()).toBe(0);
    await Delivery.update({ reason: 'held_by_administrator' }, { where: { mailId } });
    expect(await counted()).toBe(1);
    await Delivery.destroy({ where: { mailId } });
  });

  it('is counted from the entries of its index, and one row of a group is read', async () => {
    const { ctx, plans } = explaining(app);
    for (const scope of [host, scopeOf(quiet)]) await findQueueGroups(ctx, scope, { limit: 10, offset: 0 });
    for (const plan of plans) {
      const steps = readsOf([plan]);
      const keys = steps.flatMap(({ key }) => (key === null ? [] : [key]));
      expect(keys.toSorted()).toEqual(['PRIMARY', 'deliveries_message', 'deliveries_waiting']);
      const counting = steps.find(({ key }) => key === 'deliveries_waiting');
      expect(counting?.Extra).toContain('Using index');
      expect(counting?.Extra).not.toMatch(/temporary|filesort/);
      expect(steps.find(({ key }) => key === 'PRIMARY')?.type).toBe('eq_ref');
    }
    const ofQuiet = readsOf([plans[1] ?? []]).find(({ key }) => key === 'deliveries_waiting');
    expect(Number(ofQuiet?.rows)).toBeLessThan(10);
  });

  it('is found for a change of a company without a look at what others have for the same domain', async () => {
    const { ctx, plans } = explaining(app);
    const question = {
      scope: scopeOf(quiet),
      target: { domain: 'dead.test' },
      // What it does itself is before that as well
      before: new Date(Date.now() + 3_600_000),
    };
    // What is due needs no retry, and nothing is held: so no more is done than to look for them
    for (const action of ['retry', 'release'] as const) {
      expect(await changeQueue(ctx, action, question)).toEqual({ changed: 0, hasMore: false });
    }
    const steps = readsOf(plans);
    expect(steps.map(({ key }) => key)).toEqual(['deliveries_waiting', 'deliveries_waiting']);
    for (const { rows } of steps) expect(Number(rows)).toBeLessThan(10);
    const ctxOf = systemContext(app);
    expect(await changeQueue(ctxOf, 'hold', question)).toEqual({ changed: 1, hasMore: false });
    expect(await changeQueue(ctxOf, 'hold', question)).toEqual({ changed: 0, hasMore: false });
    expect(await changeQueue(ctxOf, 'release', question)).toEqual({ changed: 1, hasMore: false });
    expect(await Delivery.count({ where: { recipientDomain: 'dead.test', state: 'held' } })).toBe(0);
  });
});
