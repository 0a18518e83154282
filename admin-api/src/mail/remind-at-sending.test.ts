import { randomUUID } from 'node:crypto';
import { getEmail, sendEmail, undoSend } from '@selvage/core/contracts/mail';
import { reschedule } from '@selvage/core/contracts/scheduled';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import { systemContext } from '@selvage/core/context/context';
import { insertRows } from '@selvage/core/database/insert-rows';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { UserPermission } from '@selvage/core/models/user-permission';
import { mostReminders } from '@selvage/core/outbound/answer-reminders';
import { beforeAll, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

async function scene() {
  const ana = await buildMailbox(server.app);
  const { token } = await server.signIn(ana.user.email, ana.password);
  const call = (method: string, path: string, body?: unknown) => server.call(method, path, { token, body });
  const send = (more: Record<string, string>) => {
    const form = new FormData();
    const fields = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'The offer', body: '<p>x</p>', ...more };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return call('POST', sendEmail.path, form);
  };
  const idOf = ({ body }: Awaited<ReturnType<typeof send>>) => (body.data as { _id: string })._id;
  const reminders = async () =>
    (
      await readRows<{ dueAt: Date }>(
        systemContext(server.app),
        'SELECT due_at AS dueAt FROM answer_reminders WHERE user_id = ?',
        [ana.user.id],
      )
    ).map(({ dueAt }) => new Date(dueAt).toISOString());
  const sent = () => Message.count({ where: { fromAddress: ana.user.email } });
  return { ana, call, send, idOf, reminders, sent };
}

it('sets the reminder with the message, once for its key, and shows it', async () => {
  const { call, send, idOf, reminders } = await scene();
  const message = { idempotency_key: randomUUID(), remind_at: ahead(4320) };
  const answer = await send(message);
  const shown = await call('GET', getEmail.path.replace(':id', idOf(answer)));
  expect(shown.body.data).toMatchObject({ remind_at: message.remind_at });
  expect((await send(message)).body).toEqual(answer.body);
  expect(await reminders()).toEqual([message.remind_at]);
  expect((await send({ ...message, remind_at: ahead(60) })).body['code']).toBe('idempotency_key_reused');
});

it('forgets it when the message is taken back', async () => {
  const { call, send, idOf, reminders } = await scene();
  const id = idOf(await send({ remind_at: ahead(60), send_at: ahead(30) }));
  expect(await reminders()).toHaveLength(1);
  expect((await call('POST', undoSend.path.replace(':id', id))).status).toBe(200);
  expect(await reminders()).toEqual([]);
});

it('keeps its distance when a scheduled message leaves behind it, and stays else', async () => {
  const { call, send, idOf, reminders } = await scene();
  const [sendAt, remindAt] = [ahead(60), ahead(120)];
  const id = idOf(await send({ send_at: sendAt, remind_at: remindAt }));
  const move = (send_at: string) => call('PUT', reschedule.path.replace(':id', id), { send_at });
  expect((await move(ahead(90))).status).toBe(200);
  expect(await reminders()).toEqual([remindAt]);
  const [last, late] = [Date.parse(remindAt), ahead(600)];
  expect((await move(late)).status).toBe(200);
  const [now] = await reminders();
  expect(Date.parse(now ?? '')).toBeGreaterThan(Date.parse(late));
  expect(Date.parse(now ?? '') - Date.parse(late)).toBeLessThanOrEqual(last - Date.parse(sendAt));
});

it.each([
  ['in the past', { remind_at: ahead(-10) }],
  ['in two years', { remind_at: ahead(2 * 366 * 24 * 60) }],
  ['at no time', { remind_at: 'soon' }],
  ['before the message leaves', { remind_at: ahead(30), send_at: ahead(60) }],
])('refuses one %s, and sends nothing', async (_when, fields) => {
  const { send, reminders, sent } = await scene();
  const answer = await send(fields);
  expect(answer.status).toBe(422);
  expect(answer.body['errors']).toHaveProperty('remind_at');
  expect([await sent(), await reminders()]).toEqual([0, []]);
});

it('needs the permission to change what was sent, and room among the others', async () => {
  const { ana, send, idOf, sent } = await scene();
  const ctx = systemContext(server.app);
  const first = await MailboxEntry.findByPk(idOf(await send({})), { rejectOnEmpty: true });
  const { id: _id, ...entry } = first.get({ plain: true });
  const copies = Array.from({ length: mostReminders }, (_, n) => ({ ...entry, uid: 1000 + n }));
  await insertRows(ctx, MailboxEntry, copies);
  await changeRows(
    ctx,
    'INSERT INTO answer_reminders (entry_id, user_id, due_at) SELECT id, user_id, NOW() FROM mailbox_entries WHERE user_id = ? AND id <> ?',
    [ana.user.id, first.id],
  );
  expect((await send({ remind_at: ahead(60) })).body['code']).toBe('too_many_reminders');
  expect(await sent()).toBe(1);
  expect(await readRows(ctx, 'SELECT 1 FROM deliveries WHERE company_id = ?', [ana.company.id])).toHaveLength(1);
  const flags = { canView: true, canCreate: true, canEdit: false, canDelete: false };
  await UserPermission.create({ companyId: ana.company.id, userId: ana.user.id, model: 'sent', ...flags });
  expect((await send({ remind_at: ahead(60) })).status).toBe(403);
  expect((await send({})).status).toBe(200);
});
