import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { findEntry } from '../mailstore/find-entry.ts';
import { readReminder } from '../mailstore/snoozes-and-reminders.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { Message } from '../models/message.ts';
import { mostReminders, remindSenders, setReminder } from './answer-reminders.ts';
import { submitMessage } from './submit-message.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

interface Sent {
  ana: Mailbox;
  userId: string;
  entryId: string;
  messageId: string;
}

async function send(lines: string[] = []): Promise<Sent> {
  const ana = await buildMailbox(app);
  const messageId = `<${randomUUID()}@host.test>`;
  const header = [`From: ${ana.user.email}`, 'To: bob@remote.test', 'Subject: Bobbins', `Message-ID: ${messageId}`];
  const raw = Buffer.from([...header, ...lines, '', 'Text', ''].join('\r\n'));
  const { entryId } = await submitMessage(ctx, { user: ana.user, raw, door: 'web', bcc: [] });
  return { ana, userId: String(ana.user.id), entryId, messageId };
}

async function answer(
  { ana, messageId }: Sent,
  { envelopeFrom = 'bob@remote.test', from = 'bob@remote.test', lines = [] as string[] } = {},
): Promise<void> {
  const header = [
    `From: ${from}`,
    `To: ${ana.user.email}`,
    'Subject: Re: Bobbins',
    `In-Reply-To: ${messageId}`,
    ...lines,
  ];
  const raw = Buffer.from([...header, '', 'Yes', ''].join('\r\n'));
  await storeInbound(ctx, { ...inboundOf(raw, [ana]), envelopeFrom });
}

/** The notices that were queued for a person. */
async function noticesFor({ ana }: Sent): Promise<Message[]> {
  const rows = await Delivery.findAll({ where: { recipient: ana.user.email, direction: 'out' } });
  return await Message.findAll({ where: { id: rows.flatMap(({ messageId }) => messageId ?? []) } });
}

describe('a reminder', () => {
  it('comes at its time, once, within the conversation', async () => {
    const root = `<${randomUUID()}@remote.test>`;
    const sent = await send([`In-Reply-To: ${root}`, `References: ${root}`]);
    await setReminder(ctx, { ...sent, at: inHours(24) });
    await remindSenders(ctx, undefined, inHours(23));
    expect(await noticesFor(sent)).toEqual([]);
    await Promise.all([1, 2].map(() => remindSenders(ctx, undefined, inHours(25))));
    const { message, entry } = await findEntry(ctx, sent);
    const notices = await noticesFor(sent);
    expect(notices).toMatchObject([{ subject: 'No answer yet: Bobbins', threadKey: message.threadKey }]);
    expect(await readReminder(ctx, entry)).toBeNull();
  });

  it.each([
    ['a recipient has answered', (sent: Sent) => answer(sent)],
    [
      'the message is in the trash',
      ({ userId, entryId }: Sent) =>
        changeStatus(ctx, { userId, entryIds: [entryId], flags: { trashStatus: true } }).then(() => undefined),
    ],
    ['its sender waits no more', (sent: Sent) => setReminder(ctx, { ...sent, at: null })],
    ['its sender was deleted', ({ ana }: Sent) => ana.user.update({ deletedAt: new Date() }).then(() => undefined)],
  ])('does not come when %s', async (_why, happen) => {
    const sent = await send();
    await setReminder(ctx, { ...sent, at: inHours(1) });
    await happen(sent);
    await remindSenders(ctx, undefined, inHours(2));
    expect(await noticesFor(sent)).toEqual([]);
    expect(await readRows(ctx, 'SELECT 1 FROM answer_reminders WHERE user_id = ?', [sent.userId])).toEqual([]);
  });

  it.each([
    ['a robot has answered', (sent: Sent) => answer(sent, { envelopeFrom: '' })],
    ['its sender has written again, to themselves too', (sent: Sent) => answer(sent, { from: sent.ana.user.email })],
    [
      'a mailing list has sent it back with another author',
      (sent: Sent) => answer(sent, { lines: [`Message-ID: ${sent.messageId}`, 'List-Id: <weavers.remote.test>'] }),
    ],
  ])('comes although %s', async (_why, happen) => {
    const sent = await send();
    await setReminder(ctx, { ...sent, at: inHours(1) });
    await happen(sent);
    await remindSenders(ctx, undefined, inHours(2));
    expect(await noticesFor(sent)).toHaveLength(1);
  });

  it('is refused for what was received, for mail of others and beyond the limit', async () => {
    const sent = await send();
    const { ana, userId } = sent;
    const { entryIds } = await storeInbound(ctx, inboundOf(Buffer.from('Subject: x\r\n\r\ny\r\n'), [ana]));
    const at = inHours(1);
    const received = setReminder(ctx, { userId, entryId: entryIds[0] ?? '', at });
    await expect(received).rejects.toMatchObject({ code: 'not_sent_by_you' });
    const other = await send();
    await expect(setReminder(ctx, { userId, entryId: other.entryId, at })).rejects.toMatchObject({ status: 404 });
    const { message } = await findEntry(ctx, sent);
    const copies = Array.from({ length: mostReminders }, () => `(${ana.company.id}, ${userId}, ${message.id}, 'x')`);
    await app.db.query(
      `INSERT INTO mailbox_entries (company_id, user_id, message_id, thread_key, folder, send_status, arrived_at, created_at, updated_at)
       VALUES ${copies.map((row) => row.replace(')', `, 'sent', 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`)).join(', ')}`,
    );
    await app.db.query(
      `INSERT INTO answer_reminders (entry_id, user_id, due_at)
       SELECT id, user_id, UTC_TIMESTAMP(3) + INTERVAL 9 DAY FROM mailbox_entries WHERE user_id = ${userId} AND thread_key = 'x'`,
    );
    await expect(setReminder(ctx, { ...sent, at })).rejects.toMatchObject({ code: 'too_many_reminders' });
  });
});
