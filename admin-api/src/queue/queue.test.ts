import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import type { AuditEventDto } from '@selvage/core/contracts/audit-log';
import type { QueueGroupDto } from '@selvage/core/contracts/queue';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { queueAndFindDue } from '@selvage/core/outbound/find-due';
import { recordAttempts } from '@selvage/core/outbound/record-attempt';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { claimOne } from '../../../tests/support/claim-one.ts';
import type { Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let provider: Administrator;
let other: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  other = await buildAdministrator(server);
  provider = await buildProvider(server);
});

const ctxOf = () => systemContext(server.app);
const newDomain = () => `${randomBytes(5).toString('hex')}.example`;
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Mail that waits for another attempt; answers the ids of its rows. */
async function wait({ user }: Mailbox, domain: string, people = 1): Promise<{ ids: string[]; entryId: string }> {
  const to = Array.from({ length: people }, (_, n) => `bob${n}@${domain}`);
  const raw = Buffer.from(`From: ${user.email}\r\nTo: ${to.join(', ')}\r\nSubject: wool\r\n\r\ntext\r\n`);
  const { mailId, entryId } = await submitMessage(ctxOf(), { user, raw, door: 'web', bcc: [] });
  const values = { reason: 'remote_deferred', lastReply: '451 later', attempts: 3, nextAttemptAt: inAnHour() };
  await Delivery.update(values, { where: { mailId } });
  const rows = await Delivery.findAll({ where: { mailId }, order: ['id'] });
  return { ids: rows.map(({ id }) => String(id)), entryId };
}

const find = async (as: Administrator, domain: string) =>
  (await as.call('GET', `/queue/get/all?search=${domain}`)).body.data as QueueGroupDto[];
const change = (as: Administrator, id: string, action: string) => as.call('POST', `/queue/change/${id}`, { action });
const rowOf = async (id: string) => await Delivery.findByPk(id, { rejectOnEmpty: true });
const stateOf = async (id: string) => (await MailboxEntry.findByPk(id, { rejectOnEmpty: true })).deliveryState;

/** How many reports that a message was not delivered a person has. */
async function reportsTo({ user }: Mailbox): Promise<number> {
  const entries = await MailboxEntry.findAll({ where: { userId: user.id }, attributes: ['messageId'] });
  const subject = 'Undelivered Mail Returned to Sender';
  return await Message.count({ where: { subject, id: entries.map(({ messageId }) => messageId) } });
}

/** What the proof of the ledger finds wrong about these rows. */
async function problems(ids: readonly string[]): Promise<string[]> {
  const rows = await Delivery.findAll({ where: { id: ids } });
  const at = rows.map(({ createdAt }) => createdAt.getTime());
  const period = { from: new Date(Math.min(...at)), to: new Date(Math.max(...at) + 1) };
  const found = await checkLedger(ctxOf(), period);
  expect(found.accounts.out.isBalanced).toBe(true);
  const mailIds = new Set(rows.map(({ mailId }) => mailId));
  return found.problems.filter(({ examples }) => examples.some((id) => mailIds.has(id))).map(({ what }) => what);
}

describe('the queue', () => {
  it('is grouped by domain and reason, and ends at the borders of a company', async () => {
    const domain = newDomain();
    await wait(admin, domain, 2);
    const { ids } = await wait(admin, domain);
    await Delivery.update({ reason: 'connection_failed', lastReply: 'no\r\n\u202eroute' }, { where: { id: ids } });
    await wait(other, domain);
    expect(await find(admin, domain)).toMatchObject([
      {
        domain,
        state: 'queued',
        reason: 'remote_deferred',
        count: 2,
        sending: 0,
        reply: '451 later',
        of_domain: { rows: 2, queued: 3, held: 0 },
      },
      { reason: 'connection_failed', count: 1, reply: String.raw`no\u000d\u000a\u202eroute` },
    ]);
    expect((await find(other, domain)).map(({ count }) => count)).toEqual([1]);
    expect((await find(provider, domain)).map(({ count }) => count)).toEqual([3, 1]);
  });

  it('is held and released, and the ledger stays right', async () => {
    const domain = newDomain();
    const { ids, entryId } = await wait(admin, domain);
    const [id = ''] = ids;
    expect((await change(admin, id, 'release')).status).toBe(409);
    expect((await change(admin, id, 'hold')).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ state: 'held', reason: 'held_by_administrator', nextAttemptAt: null });
    expect(await stateOf(entryId)).toBe('held');
    expect(await problems(ids)).toEqual([]);
    const { due } = await queueAndFindDue(
      ctxOf(),
      { withRunOutLeases: true },
      { now: new Date(Date.now() + 30 * 86_400_000) },
    );
    expect(due.map((row) => String(row.id))).not.toContain(id);
    expect((await rowOf(id)).state).toBe('held');
    expect((await admin.call('POST', `/mail/undo_send/${entryId}`)).status).toBe(409);
    expect(await find(admin, domain)).toMatchObject([{ state: 'held', count: 1, next_attempt_at: null }]);
    const again = await change(admin, id, 'hold');
    expect([again.status, again.body.code]).toEqual([409, 'not_waiting']);
    expect((await change(admin, id, 'release')).status).toBe(200);
    expect(await stateOf(entryId)).toBe('queued');
    expect(await claimOne(ctxOf(), id)).toMatchObject({ attempts: 4 });
    expect(await problems(ids)).toEqual([]);
    const audit = await AuditEvent.findAll({ where: { entity: 'delivery', entityId: id }, order: ['id'] });
    expect(audit.map(({ action }) => action)).toEqual(['delivery:held', 'delivery:released']);
  });

  it('is tried at once, which costs none of the attempts', async () => {
    const { ids } = await wait(admin, newDomain());
    const [id = ''] = ids;
    expect((await change(admin, id, 'retry')).status).toBe(200);
    // Tried again before a worker came: nothing is wrong with it, and it costs nothing more
    expect((await change(admin, id, 'retry')).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 2 });
    expect(await claimOne(ctxOf(), id, new Date(Date.now() + 1000))).toMatchObject({ attempts: 3 });
    expect((await change(admin, id, 'retry')).status).toBe(409);
  });

  it('is tried at once for a domain, of one reason and of the own company alone', async () => {
    const domain = newDomain();
    const { ids } = await wait(admin, domain, 3);
    const [due = ''] = ids;
    const rest = await wait(admin, domain);
    await Delivery.update({ reason: 'timeout' }, { where: { id: rest.ids } });
    const theirs = await wait(other, domain);
    await Delivery.update({ nextAttemptAt: new Date(Date.now() - 1000) }, { where: { id: due } });
    const body = { action: 'retry', domain, reason: 'remote_deferred' };
    expect((await admin.call('POST', '/queue/change', body)).body.data).toMatchObject({ changed: 2, has_more: false });
    const isDue = async (id: string) => ((await rowOf(id)).nextAttemptAt ?? inAnHour()) <= new Date();
    expect(await Promise.all([...ids, ...rest.ids, ...theirs.ids].map(isDue))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect((await rowOf(due)).attempts).toBe(3);
    expect((await provider.call('POST', '/queue/change', { action: 'retry', domain })).body.data).toMatchObject({
      changed: 2,
    });
    expect(await problems([...ids, ...rest.ids, ...theirs.ids])).toEqual([]);
  });

  it('is given up, once, and the sender is told', async () => {
    const domain = newDomain();
    const { ids, entryId } = await wait(admin, domain, 2);
    const [held = '', queued = ''] = ids;
    await change(admin, held, 'hold');
    const body = { action: 'give_up', domain };
    const before = await reportsTo(admin);
    const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST', '/queue/change', body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, answer) => sum + (answer.body.data as { changed: number }).changed, 0)).toBe(2);
    for (const id of [held, queued]) {
      expect(await rowOf(id)).toMatchObject({ state: 'bounced', reason: 'given_up', lastReply: '451 later' });
    }
    expect(await stateOf(entryId)).toBe('bounced');
    // One message to two people is one report, however many calls gave it up
    expect((await reportsTo(admin)) - before).toBe(1);
    expect(await problems(ids)).toEqual([]);
    expect((await change(admin, queued, 'give_up')).status).toBe(409);
  });

  it('is given up as a whole or not at all: rows, reports and the audit event', async () => {
    const domain = newDomain();
    const { ids: first } = await wait(admin, domain);
    const { ids: second } = await wait(admin, domain);
    const ids = [...first, ...second];
    const before = await reportsTo(admin);
    const gaveUp = () => AuditEvent.findAll({ where: { action: 'delivery:given-up', actorId: admin.user.id } });
    const known = (await gaveUp()).length;
    const { blobs } = server.app;
    let reports = 0;
    // The process comes no further than the second report
    server.app.blobs = blobStoreWith(blobs, {
      put: (source) => ((reports += 1) > 1 ? Promise.reject(new Error('the disk is away')) : blobs.put(source)),
    });
    try {
      expect((await admin.call('POST', '/queue/change', { action: 'give_up', domain })).status).toBe(500);
    } finally {
      server.app.blobs = blobs;
    }
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: 'queued', leaseUntil: null });
    expect([await reportsTo(admin), (await gaveUp()).length]).toEqual([before, known]);
    const answer = await admin.call('POST', '/queue/change', { action: 'give_up', domain });
    expect(answer.body.data).toMatchObject({ changed: 2, has_more: false });
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: 'bounced', reason: 'given_up' });
    expect((await reportsTo(admin)) - before).toBe(2);
    expect((await gaveUp()).slice(known)).toMatchObject([{ details: { domain, messages: 2 } }]);
    expect(await problems(ids)).toEqual([]);
  });

  it('is held, released and given up of one sender, in the own company alone', async () => {
    const sender = admin.user.email;
    const { ids } = await wait(admin, newDomain());
    const theirs = await wait(other, newDomain());
    const of = async (as: Administrator, action: string, name = sender.toUpperCase()) =>
      (await as.call('POST', '/queue/change', { action, sender: name })).body.data;
    const states = () => Promise.all([...ids, ...theirs.ids].map(async (id) => (await rowOf(id)).state));
    expect(await of(other, 'hold')).toMatchObject({ changed: 0, has_more: false });
    await of(admin, 'hold');
    expect(await states()).toEqual(['held', 'queued']);
    await of(admin, 'release');
    expect(await states()).toEqual(['queued', 'queued']);
    await of(provider, 'hold', other.user.email);
    expect(await states()).toEqual(['queued', 'held']);
    let hasMore = true;
    while (hasMore) ({ has_more: hasMore } = (await of(admin, 'give_up')) as { has_more: boolean });
    expect(await states()).toEqual(['bounced', 'held']);
    const where = { action: 'delivery:given-up', actorId: admin.user.id };
    const event = await AuditEvent.findOne({ where, order: [['id', 'DESC']] });
    expect(event?.details).toMatchObject({ sender });
    for (const party of [{}, { sender, domain: 'a.example' }]) {
      expect((await admin.call('POST', '/queue/change', { action: 'hold', ...party })).status).toBe(422);
    }
  });

  it('is left alone where a worker is sending at this moment', async () => {
    const { ids } = await wait(admin, newDomain());
    const [id = ''] = ids;
    await Delivery.update({ nextAttemptAt: new Date(Date.now() - 1000) }, { where: { id } });
    const delivery = await claimOne(ctxOf(), id);
    if (!delivery) throw new Error('it was not due');
    for (const action of ['retry', 'hold', 'give_up']) expect((await change(admin, id, action)).status).toBe(409);
    const result = { kind: 'relayed', reason: 'remote_accepted', lastReply: '250 ok', remoteHost: 'mx.test' } as const;
    await recordAttempts(ctxOf(), [{ delivery, result }]);
    expect((await rowOf(id)).state).toBe('relayed');
  });

  it('stays held when a worker that was thought dead puts it off, and tells when it has arrived', async () => {
    const { ids } = await wait(admin, newDomain());
    const [id = ''] = ids;
    await Delivery.update({ nextAttemptAt: new Date(Date.now() - 1000) }, { where: { id } });
    const delivery = await claimOne(ctxOf(), id);
    if (!delivery) throw new Error('it was not due');
    await Delivery.update({ leaseUntil: new Date(Date.now() - 1000) }, { where: { id } });
    expect((await change(admin, id, 'hold')).status).toBe(200);
    const facts = { lastReply: '451 later', remoteHost: 'mx.test' };
    await recordAttempts(ctxOf(), [{ delivery, result: { kind: 'deferred', reason: 'remote_deferred', ...facts } }]);
    expect(await rowOf(id)).toMatchObject({ state: 'held', nextAttemptAt: null });
    await recordAttempts(ctxOf(), [{ delivery, result: { kind: 'relayed', reason: 'remote_accepted', ...facts } }]);
    expect((await rowOf(id)).state).toBe('relayed');
  });

  it('is changed for a domain in parts, of one reason and of the own company alone', async () => {
    const domain = newDomain();
    const { ids } = await wait(admin, domain, 90);
    const rest = await wait(admin, domain, 30);
    await Delivery.update({ reason: 'timeout' }, { where: { id: rest.ids } });
    const theirs = await wait(other, domain);
    const parts: { changed: number; has_more: boolean; before: string }[] = [];
    for (let hasMore = true; hasMore; hasMore = parts.at(-1)?.has_more ?? false) {
      const before = parts.at(-1)?.before;
      const body = { action: 'give_up', domain, reason: 'remote_deferred', ...(before ? { before } : {}) };
      parts.push((await admin.call('POST', '/queue/change', body)).body.data as (typeof parts)[number]);
    }
    expect(parts.map(({ changed }) => changed)).toEqual([50, 40]);
    expect(await Delivery.count({ where: { id: ids, state: 'bounced' } })).toBe(90);
    expect(await Delivery.count({ where: { id: [...rest.ids, ...theirs.ids], state: 'queued' } })).toBe(31);
    expect((await change(admin, theirs.ids[0] ?? '', 'hold')).status).toBe(404);
    const held = await provider.call('POST', '/queue/change', { action: 'hold', domain });
    expect(held.body.data).toMatchObject({ changed: 31, has_more: false });
    expect(await problems([...ids, ...rest.ids, ...theirs.ids])).toEqual([]);
  });

  it('leaves in the audit trail of each company what the provider did with its mail', async () => {
    const domain = newDomain();
    await wait(admin, domain, 2);
    await wait(other, domain);
    for (const action of ['hold', 'release', 'retry', 'give_up']) {
      await Delivery.update({ nextAttemptAt: inAnHour() }, { where: { recipientDomain: domain, state: 'queued' } });
      const answer = await provider.call('POST', '/queue/change', { action, domain });
      expect([action, answer.body.data]).toMatchObject([action, { changed: 3 }]);
    }
    const trailOf = async (as: Administrator) => {
      const events = (await as.call('GET', '/audit/get/all?limit=100&area=mail')).body.data as AuditEventDto[];
      return events
        .filter(({ details }) => details?.['domain'] === domain)
        .map(({ action, actor, details }) => [action, actor?._id, details?.['messages']])
        .toReversed();
    };
    const actions = ['delivery:held', 'delivery:released', 'delivery:retried', 'delivery:given-up'];
    const by = String(provider.user.id);
    expect(await trailOf(admin)).toEqual(actions.map((action) => [action, by, 2]));
    expect(await trailOf(other)).toEqual(actions.map((action) => [action, by, 1]));
  });

  it('leaves what its sender holds or has scheduled to the sender', async () => {
    const { ids } = await wait(admin, newDomain());
    const [id = ''] = ids;
    for (const reason of ['held_for_undo', 'scheduled']) {
      await Delivery.update({ state: 'held', reason }, { where: { id } });
      for (const action of ['retry', 'hold', 'release', 'give_up']) {
        expect((await change(admin, id, action)).status).toBe(409);
      }
    }
  });

  it('leaves what a restore holds back to the operator', async () => {
    const domain = newDomain();
    const { ids } = await wait(admin, domain, 2);
    // As the restore leaves it (settle-restored.ts), which is done with the mail of all companies
    await Delivery.update({ nextAttemptAt: null }, { where: { id: ids } });
    for (const action of ['retry', 'hold', 'release']) {
      const answer = await change(admin, ids[0] ?? '', action);
      expect([action, answer.status, answer.body.code]).toEqual([action, 409, 'not_waiting']);
      const all = await admin.call('POST', '/queue/change', { action, domain });
      expect([action, all.body.data]).toMatchObject([action, { changed: 0, has_more: false }]);
    }
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: 'queued', nextAttemptAt: null });
    expect((await change(admin, ids[0] ?? '', 'give_up')).status).toBe(200);
  });

  it.each([
    [{ action: 'burn', domain: 'x.example' }],
    [{ action: 'hold' }],
    [{ action: 'hold', domain: '' }],
    [{ action: 'hold', domain: 'x'.repeat(256) }],
    [{ action: 'hold', domain: 'x.example', before: 'now' }],
    [{}],
  ])('refuses %j', async (body) => {
    expect((await admin.call('POST', '/queue/change', body)).status).toBe(422);
  });

  it('changes nothing for a domain that nothing waits for', async () => {
    for (const domain of ['%', newDomain(), '\u202e']) {
      const answer = await admin.call('POST', '/queue/change', { action: 'hold', domain });
      expect(answer.body.data).toMatchObject({ changed: 0, has_more: false });
    }
  });
});
