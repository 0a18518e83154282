import { systemContext } from '@selvage/core/context/context';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { holdMailOf } from '@selvage/core/outbound/hold-sent-mail';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let spammer: Mailbox;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const ctxOf = () => systemContext(server.app);

/** Sends a message to a remote address; it waits for its next attempt. */
async function send({ user }: Mailbox, values: Partial<Delivery> = {}): Promise<string> {
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.example\r\nSubject: wool\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctxOf(), { user, raw, door: 'web', bcc: [] });
  const waiting = {
    state: 'queued' as const,
    reason: 'remote_deferred',
    nextAttemptAt: new Date(Date.now() + 3_600_000),
  };
  await Delivery.update({ ...waiting, ...values }, { where: { mailId } });
  const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  return String(row.id);
}

const rowOf = async (id: string) => await Delivery.findByPk(id, { rejectOnEmpty: true });
/** How many jobs to hold mail were asked for, of one person. */
const jobsFor = async ({ user }: Mailbox) =>
  await OutboxRow.count({
    where: { jobName: holdSentMail.name, dedupeId: holdSentMail.dedupe({ userId: String(user.id) }) },
  });

it('mail that waits of a person who is switched off is held, until it is released or given up', async () => {
  spammer = await buildMailbox(server.app, { tenant: admin });
  const id = String(spammer.user.id);
  const honest = await send(admin);
  const waiting = await send(spammer);
  const leased = await send(spammer, { leaseUntil: new Date(Date.now() + 600_000) });
  await holdMailOf(ctxOf(), id);
  expect((await rowOf(waiting)).state).toBe('queued');

  expect((await admin.call('PUT', `/user/update/${id}`, { active_status: false })).status).toBe(200);
  expect(await jobsFor(spammer)).toBe(1);
  expect(await holdMailOf(ctxOf(), id)).toBe(true);
  expect(await rowOf(waiting)).toMatchObject({ state: 'held', reason: 'held_by_administrator', nextAttemptAt: null });
  expect((await rowOf(honest)).state).toBe('queued');
  // What is being sent at this moment is held after that
  expect((await rowOf(leased)).state).toBe('queued');
  await Delivery.update({ leaseUntil: null }, { where: { id: leased } });
  expect(await holdMailOf(ctxOf(), id)).toBe(false);
  expect((await rowOf(leased)).state).toBe('held');
  const events = await AuditEvent.findAll({ where: { action: 'delivery:held', companyId: admin.company.id } });
  expect(events.map(({ details }) => details)).toEqual([
    { sender: spammer.user.email, messages: 1 },
    { sender: spammer.user.email, messages: 1 },
  ]);

  expect((await admin.call('PUT', `/user/update/${id}`, { active_status: true })).status).toBe(200);
  expect((await rowOf(waiting)).state).toBe('held');
  const body = { action: 'release', sender: spammer.user.email };
  expect((await admin.call('POST', '/queue/change', body)).body.data).toMatchObject({ changed: 2 });
});

it('mail that its sender could still take back is held as well, and what is scheduled stays scheduled', async () => {
  const sender = await buildMailbox(server.app, { tenant: admin });
  const nextAttemptAt = new Date(Date.now() + 3_600_000);
  const inUndoTime = await send(sender, { state: 'held', reason: 'held_for_undo', nextAttemptAt });
  const scheduled = await send(sender, { state: 'held', reason: 'scheduled', nextAttemptAt });
  const path = `/user/update/${sender.user.id}`;
  const target = { action: 'hold', sender: sender.user.email };
  expect((await admin.call('POST', '/queue/change', target)).body.data).toMatchObject({ changed: 0 });
  expect((await admin.call('PUT', path, { active_status: false })).status).toBe(200);
  expect(await holdMailOf(ctxOf(), String(sender.user.id))).toBe(false);
  const held = { state: 'held', reason: 'held_by_administrator', nextAttemptAt: null };
  expect(await rowOf(inUndoTime)).toMatchObject(held);
  expect(await rowOf(scheduled)).toMatchObject({ state: 'held', reason: 'scheduled', nextAttemptAt });
});

it('mail that waits of a person who may not log in any more is held', async () => {
  const person = await buildMailbox(server.app, { tenant: admin });
  const waiting = await send(person);
  const copy = await send(person, { entryId: null, forwardedFor: person.user.email });
  const path = `/user/update/${person.user.id}`;
  expect((await admin.call('PUT', path, { loginAllowed: false })).status).toBe(200);
  expect(await jobsFor(person)).toBe(1);
  expect(await holdMailOf(ctxOf(), String(person.user.id))).toBe(false);
  expect((await rowOf(waiting)).state).toBe('held');
  // The mailbox still takes mail, and forwards it
  expect((await rowOf(copy)).state).toBe('queued');
});

it('copies that wait of a person who is deleted for good end with their mailbox', async () => {
  const person = await buildMailbox(server.app, { tenant: admin });
  const copy = await send(person, { entryId: null, forwardedFor: person.user.email });
  const id = String(person.user.id);
  expect((await admin.call('DELETE', `/user/delete/${id}`)).status).toBe(200);
  await holdMailOf(ctxOf(), id);
  expect((await rowOf(copy)).state).toBe('held');
  expect((await admin.call('DELETE', `/user/permanently/delete/${id}`)).status).toBe(200);
  expect(await eraseUserRows(ctxOf(), id)).toBe(true);
  expect(await rowOf(copy)).toMatchObject({ state: 'cancelled', reason: 'sender_not_in_use' });
});

it('mail that waits of a company that is switched off is held', async () => {
  const provider = await buildProvider(server);
  const tenant = await buildAdministrator(server);
  const waiting = await send(tenant);
  const path = `/company/update/${tenant.company.id}`;
  expect((await provider.call('PUT', path, { active_status: false })).status).toBe(200);
  expect(await jobsFor(tenant)).toBe(1);
  await holdMailOf(ctxOf(), String(tenant.user.id));
  expect((await rowOf(waiting)).state).toBe('held');
});

it('mail that waits of a person or a company that is deleted is held, also once they are restored', async () => {
  const provider = await buildProvider(server);
  const tenant = await buildAdministrator(server);
  const person = await buildMailbox(server.app, { tenant });
  const id = String(person.user.id);
  const ofPerson = await send(person);
  expect((await tenant.call('DELETE', `/user/delete/${id}`)).status).toBe(200);
  expect(await jobsFor(person)).toBe(1);
  expect(await holdMailOf(ctxOf(), id)).toBe(false);
  expect((await rowOf(ofPerson)).state).toBe('held');
  expect((await tenant.call('PATCH', `/user/restore/${id}`)).status).toBe(200);
  await holdMailOf(ctxOf(), id);
  expect((await rowOf(ofPerson)).state).toBe('held');

  const ofCompany = await send(tenant);
  expect((await provider.call('DELETE', `/company/delete/${tenant.company.id}`)).status).toBe(200);
  expect(await jobsFor(tenant)).toBe(1);
  await holdMailOf(ctxOf(), String(tenant.user.id));
  expect((await rowOf(ofCompany)).state).toBe('held');
});

it('mail that waits of the people of a domain that is switched off or deleted is held, also once it is back', async () => {
  const tenant = await buildAdministrator(server);
  const domain = await Domain.create({
    companyId: String(tenant.company.id),
    domainName: `other-${tenant.domain.domainName}`,
    verifiedAt: new Date(),
  });
  const person = await buildMailbox(server.app, { tenant: { ...tenant, domain } });
  const path = `/domain/update/${domain.id}`;
  const first = await send(person);
  const honest = await send(tenant);
  for (const active_status of [true, false, false, true])
    expect((await tenant.call('PUT', path, { active_status })).status).toBe(200);
  expect([await jobsFor(person), await jobsFor(tenant)]).toEqual([1, 0]);
  // The domain is on again before the job runs
  expect(await holdMailOf(ctxOf(), String(person.user.id))).toBe(false);
  expect((await rowOf(first)).state).toBe('queued');

  const held = { state: 'held', reason: 'held_by_administrator', nextAttemptAt: null };
  expect((await tenant.call('PUT', path, { active_status: false })).status).toBe(200);
  expect(await holdMailOf(ctxOf(), String(person.user.id))).toBe(false);
  expect(await rowOf(first)).toMatchObject(held);
  expect((await tenant.call('PUT', path, { active_status: true })).status).toBe(200);
  expect(await rowOf(first)).toMatchObject(held);

  const second = await send(person);
  expect((await tenant.call('DELETE', `/domain/delete/${domain.id}`)).status).toBe(200);
  expect([await jobsFor(person), await jobsFor(tenant)]).toEqual([3, 0]);
  expect(await holdMailOf(ctxOf(), String(person.user.id))).toBe(false);
  expect(await rowOf(second)).toMatchObject(held);
  expect((await tenant.call('PATCH', `/domain/restore/${domain.id}`)).status).toBe(200);
  expect(await rowOf(second)).toMatchObject(held);
  expect((await rowOf(honest)).state).toBe('queued');
});
