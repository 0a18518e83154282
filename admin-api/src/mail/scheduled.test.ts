import { randomUUID } from 'node:crypto';
import { listScheduled, reschedule, type ScheduledRowDto, sendScheduledNow } from '@selvage/core/contracts/scheduled';
import type { EmailDto } from '@selvage/core/contracts/email';
import { getEmail, listEmails, sendEmail, undoSend } from '@selvage/core/contracts/mail';
import { changeStatus } from '@selvage/core/contracts/mail-folders';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { mostScheduled } from '@selvage/core/outbound/scheduled';
import { systemContext } from '@selvage/core/context/context';
import { insertRows } from '@selvage/core/database/insert-rows';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** What holds for both recipients. */
const twice = <T>(value: T): T[] => [value, value];
const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

interface Scene {
  ana: Mailbox;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  send: (more?: Record<string, string>) => Promise<Answer>;
  rows: () => Promise<ScheduledRowDto[]>;
}

async function scene(): Promise<Scene> {
  const ana = await buildMailbox(server.app);
  const { token } = await server.signIn(ana.user.email, ana.password);
  const call: Scene['call'] = (method, path, body) => server.call(method, path, { token, body });
  return {
    ana,
    call,
    send: (more = {}) => {
      const form = new FormData();
      const fields = { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Later', body: '<p>x</p>', ...more };
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return call('POST', sendEmail.path, form);
    },
    rows: async () => (await call('GET', listScheduled.path)).body.data as ScheduledRowDto[],
  };
}

const idOf = (answer: Answer): string => (answer.body.data as { _id: string })._id;
const withId = (path: string, id: string): string => path.replace(':id', id);

describe('sending later', () => {
  it('lists the message with its time, and not in Sent', async () => {
    const { send, rows, call } = await scene();
    const [late, soon] = [ahead(120), ahead(60)];
    const answer = await send({ send_at: late, 'recipient_emails_bcc[]': 'eve@secret.test' });
    expect(answer.body.data).toMatchObject({ undo_until: late, scheduled_for: late });
    await send({ send_at: soon, subject: 'Sooner' });
    expect(await rows()).toMatchObject([
      { subject: 'Sooner', send_at: soon },
      { _id: idOf(answer), subject: 'Later', send_at: late, recipient_emails_bcc: ['eve@secret.test'] },
    ]);
    expect((await call('GET', `${listEmails.path}?send_status=true`)).body.data).toEqual([]);
    const email = (await call('GET', withId(getEmail.path, idOf(answer)))).body.data as EmailDto;
    expect(email).toMatchObject({ scheduled_for: late, undo_until: null, send_status: false });
    expect(email.deliveries.map(({ state, reason }) => [state, reason])).toEqual(twice(['held', 'scheduled']));
  });

  it.each([
    ['at once', () => ahead(0)],
    ['in the past', () => ahead(-60)],
    ['in half a minute', () => ahead(0.5)],
    ['in two years', () => ahead(2 * 366 * 24 * 60)],
    ['at a time without a zone', () => '2027-01-01T08:00:00'],
    ['at no time', () => 'tomorrow'],
  ])('refuses to send %s', async (_when, at) => {
    const { send, rows } = await scene();
    const answer = await send({ send_at: at() });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toHaveProperty('send_at');
    expect(await rows()).toEqual([]);
  });

  it('happens once for a key, and the key tells another time apart', async () => {
    const { send, rows } = await scene();
    const message = { idempotency_key: randomUUID(), send_at: ahead(60) };
    const first = await send(message);
    expect((await send(message)).body).toEqual(first.body);
    expect((await send({ ...message, send_at: ahead(90) })).body['code']).toBe('idempotency_key_reused');
    expect(await rows()).toHaveLength(1);
  });

  it('is refused while the person has a hundred waiting', async () => {
    const { ana, send } = await scene();
    const id = idOf(await send({ send_at: ahead(60) }));
    const row = (await MailboxEntry.findByPk(id))?.get({ plain: true });
    if (!row) throw new Error('no entry');
    const { id: _id, ...entry } = row;
    const more = Array.from({ length: mostScheduled - 1 }, (_, n) => ({ ...entry, uid: 1000 + n }));
    await insertRows(systemContext(server.app), MailboxEntry, more);
    expect((await send({ send_at: ahead(60) })).body['code']).toBe('too_many_scheduled');
    expect(await Message.count({ where: { fromAddress: ana.user.email } })).toBe(1);
    expect((await send()).status).toBe(200);
  });
});

describe('a scheduled message', () => {
  it('gets another time', async () => {
    const { send, rows, call } = await scene();
    const id = idOf(await send({ send_at: ahead(60) }));
    const next = ahead(600);
    expect((await call('PUT', withId(reschedule.path, id), { send_at: next })).body.data).toEqual({ send_at: next });
    expect(await rows()).toMatchObject([{ _id: id, send_at: next }]);
    for (const send_at of [ahead(-1), ahead(1_000_000), 'soon', 5]) {
      expect((await call('PUT', withId(reschedule.path, id), { send_at })).status).toBe(422);
    }
  });

  it('is sent now, with the Date of now', async () => {
    const { send, call } = await scene();
    const id = idOf(await send({ send_at: ahead(600) }));
    expect((await call('POST', withId(sendScheduledNow.path, id))).status).toBe(200);
    const [delivery] = await Delivery.findAll({ where: { entryId: id } });
    expect(delivery?.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now());
    const message = await Message.findByPk(delivery?.messageId ?? '');
    const raw = (await readBlob(server.app.blobs, message?.blobKey ?? '')).toString();
    const date = Date.parse(/^Date: (.*)\r$/m.exec(raw)?.[1] ?? '');
    expect(Math.abs(date - Date.now())).toBeLessThan(60_000);
    // Its time has come
    expect((await call('POST', withId(sendScheduledNow.path, id))).body['code']).toBe('too_late_to_undo');
  });

  it('becomes a draft when it is cancelled', async () => {
    const { send, rows, call } = await scene();
    const id = idOf(await send({ send_at: ahead(60) }));
    expect((await call('POST', withId(undoSend.path, id))).body.data).toHaveProperty('draft_id');
    expect(await rows()).toEqual([]);
  });

  it('is not archived or deleted before it is cancelled, also as a conversation', async () => {
    const { send, rows, call } = await scene();
    const id = idOf(await send({ send_at: ahead(60) }));
    for (const flag of ['archive_status', 'trash_status', 'delete_status']) {
      for (const whole_threads of [false, true]) {
        const answer = await call('PUT', changeStatus.path, { email_id: [id], [flag]: true, whole_threads });
        expect(answer.body['code']).toBe('message_scheduled');
      }
    }
    expect((await call('PUT', changeStatus.path, { email_id: [id], star_status: true })).status).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  it('is hidden from another person', async () => {
    const [mine, other] = [await scene(), await scene()];
    const id = idOf(await mine.send({ send_at: ahead(60) }));
    expect((await other.call('PUT', withId(reschedule.path, id), { send_at: ahead(90) })).status).toBe(404);
    expect((await other.call('POST', withId(sendScheduledNow.path, id))).status).toBe(404);
    expect((await other.call('GET', withId(getEmail.path, id))).status).toBe(404);
    expect(await other.rows()).toEqual([]);
  });
});
