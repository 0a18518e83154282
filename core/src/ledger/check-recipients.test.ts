import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { resolveRecipient } from '../directory/resolve-recipient.ts';
import { newMailId } from '../mail/mail-id.ts';
import { addDraftEntry, type LocalRecipient } from '../mailstore/entry-rows.ts';
import { insertMessage } from '../mailstore/message-rows.ts';
import { removeMessageIfUnreferenced } from '../mailstore/remove-unreferenced.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf, rawMessage, receive, recipientOf } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { Vacation } from '../models/vacation.ts';
import { deliverLocally } from '../outbound/deliver-locally.ts';
import { replyForReader } from '../outbound/reply-on-vacation.ts';
import { sendNotice } from '../outbound/send-notice.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { undoSend } from '../outbound/undo-send.ts';
import type { Period } from './account-for-mail.ts';
import { checkDay } from './check-day.ts';
import { checkLedger } from './check-ledger.ts';
import { countAnswers } from './count-answers.ts';
import { proveBySums } from './prove-by-sums.ts';

let app: App;
let ctx: Ctx;
let ana: Mailbox;
let days = 0;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
  ana = await buildMailbox(app);
});

/** Moves a message with its rows to a day of its own. */
async function onOwnDay(messageId: string): Promise<Period> {
  const from = new Date(Date.UTC(2020, 0, ++days));
  const at = new Date(from.getTime() + 3_600_000);
  const { mailId } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  await Message.update({ createdAt: at }, { where: { id: messageId }, silent: true });
  await Delivery.update({ createdAt: at }, { where: { mailId }, silent: true });
  return { from, to: new Date(Date.UTC(2020, 0, days + 1)) };
}

async function kindsOf(period: Period): Promise<[string, number][]> {
  const { problems } = await checkLedger(ctx, period);
  expect((await checkDay(ctx, period)).problems).toEqual(problems);
  return problems.map(({ kind, count }) => [kind, count]);
}

async function submit(to: readonly string[], changes: { sendAt?: Date; holdMs?: number } = {}) {
  const { user } = ana;
  const header = [`From: ${user.email}`, `To: ${to.join(', ')}`, 'Subject: hello'];
  const raw = Buffer.from(`${header.join('\r\n')}\r\n\r\ntext ${randomBytes(4).toString('hex')}\r\n`);
  return await submitMessage(ctx, { user, raw, door: 'web', bcc: [], ...changes });
}

const remote = ['a@remote.test', 'b@remote.test', 'c@remote.test'];

/** Gives a submitted message to the people of an address of this host, as a worker does. */
async function giveTo(address: string, messageId: string): Promise<Delivery> {
  const where = { messageId, recipient: address, state: 'queued' } as const;
  const row = await Delivery.findOne({ where, rejectOnEmpty: true });
  const delivery = await claimOne(ctx, String(row.id));
  const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
  if (delivery === null) throw new Error('nothing was claimed');
  const recipients = await peopleOf(address);
  expect(await deliverLocally(ctx, message as never, [{ delivery, recipients }])).toEqual([]);
  return row;
}

async function peopleOf(address: string): Promise<LocalRecipient[]> {
  const found = await resolveRecipient(ctx, address);
  if (found.kind === 'deliver') return [found];
  if (found.kind === 'group') return found.members;
  throw new Error(`${address} leads to nobody`);
}

const rowsOf = async (messageId: string) => {
  const { mailId, ledgerRows } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  return { noted: ledgerRows, there: await Delivery.count({ where: { mailId } }) };
};

describe('the rows of a message with several recipients', () => {
  it('are found to be fewer when one of an outgoing message is lost, and more when one is there twice', async () => {
    const { messageId } = await submit(remote);
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    const lost = await Delivery.findOne({ where: { messageId, recipient: 'b@remote.test' }, raw: true });
    await Delivery.destroy({ where: { id: lost?.id ?? '' } });
    expect(await kindsOf(period)).toEqual([['recipients_without_rows', 1]]);
    const { mailId } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    expect((await checkLedger(ctx, period)).problems[0]?.examples).toEqual([mailId]);
    await Delivery.create(lost as never, { silent: true });
    expect(await kindsOf(period)).toEqual([]);
    await Delivery.create({ ...lost, id: undefined } as never, { silent: true });
    expect(await kindsOf(period)).toEqual([['rows_without_recipients', 1]]);
    await Delivery.destroy({ where: { mailId } });
    expect(await kindsOf(period)).toEqual([['message_without_rows', 1]]);
  });

  it('are found to be fewer when one of received mail is lost, beside a recipient that was refused', async () => {
    const { messageId } = await receive(ctx, [ana, await buildMailbox(app)]);
    const [first] = await Delivery.findAll({ where: { messageId }, raw: true });
    const refused = { ...first, id: undefined, messageId: null, entryId: null, state: 'refused' };
    await Delivery.create(refused as never, { silent: true });
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    await Delivery.destroy({ where: { id: first?.id ?? '' } });
    expect(await kindsOf(period)).toEqual([['recipients_without_rows', 1]]);
  });

  it('are not counted for a message from before their number was kept', async () => {
    const { messageId } = await submit(remote);
    const period = await onOwnDay(messageId);
    await Message.update({ ledgerRows: null }, { where: { id: messageId }, silent: true });
    await Delivery.destroy({ where: { messageId, recipient: 'b@remote.test' } });
    expect(await kindsOf(period)).toEqual([]);
    await Delivery.destroy({ where: { messageId } });
    expect(await kindsOf(period)).toEqual([['message_without_rows', 1]]);
  });

  it('may forget the message, and may be joined by those of a repeat', async () => {
    const gone = await buildMailbox(app);
    const raw = rawMessage();
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [ana, gone]));
    expect(await storeInbound(ctx, inboundOf(raw, [ana, gone]))).toMatchObject({ messageId, duplicate: true });
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    expect(await Message.findByPk(messageId)).toMatchObject({ ledgerRows: 4 });
    await gone.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    expect(await eraseUserRows(ctx, String(gone.user.id))).toBe(true);
    expect(await Delivery.count({ where: { messageId: null, recipient: gone.user.email } })).toBeGreaterThan(0);
    expect(await kindsOf(period)).toEqual([]);
    // Neither the rows of the repeat nor those of the person who is gone stand for one that is lost
    await Delivery.destroy({ where: { messageId: null, recipient: gone.user.email } });
    expect(await kindsOf(period)).toEqual([['recipients_without_rows', 1]]);
  });

  it('outlive the message', async () => {
    const { messageId, entryIds } = await receive(ctx, [ana]);
    const period = await onOwnDay(messageId);
    await MailboxEntry.update({ folder: 'gone', deleteStatus: true }, { where: { id: entryIds } });
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await kindsOf(period)).toEqual([]);
  });
});

describe('the number of its rows is kept with a message', () => {
  it('that is sent, held for undo, scheduled, or taken back', async () => {
    for (const changes of [{}, { holdMs: 60_000 }, { sendAt: new Date(Date.now() + 3_600_000) }]) {
      const { messageId } = await submit(remote, changes);
      expect(await rowsOf(messageId)).toEqual({ noted: 3, there: 3 });
    }
    const { messageId, entryId } = await submit(remote, { holdMs: 60_000 });
    await undoSend(ctx, { userId: String(ana.user.id), entryId });
    expect(await rowsOf(messageId)).toEqual({ noted: 3, there: 3 });
    expect(await kindsOf(await onOwnDay(messageId))).toEqual([]);
  });

  it('that is received by people who forward their mail', async () => {
    const forwards = { user: { forwardTo: 'far@remote.test', forwardConfirmedAt: new Date() } };
    const { messageId } = await receive(ctx, [ana, await buildMailbox(app, forwards)]);
    expect(await rowsOf(messageId)).toEqual({ noted: 3, there: 3 });
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    await Delivery.destroy({ where: { messageId, direction: 'out' } });
    expect(await kindsOf(period)).toEqual([['recipients_without_rows', 1]]);
  });

  it('that the host sends, or that answers for a person who is away', async () => {
    const to = `${randomUUID()}@remote.test`;
    await sendNotice(ctx, { companyId: String(ana.company.id), to, subject: 'News', text: 'Text\n' });
    const notice = await Delivery.findOne({ where: { recipient: to }, rejectOnEmpty: true });
    expect(await rowsOf(String(notice.messageId))).toEqual({ noted: 1, there: 1 });
    const away = await buildMailbox(app);
    const owner = { companyId: String(away.company.id), userId: String(away.user.id) };
    const facts = { isOn: true, subject: 'Away', body: 'Back soon.', firstDay: null, lastDay: null, timeZone: 'UTC' };
    await Vacation.create({ ...owner, ...facts });
    const envelopeFrom = `${randomUUID()}@remote.test`;
    const raw = Buffer.from(`From: ${envelopeFrom}\r\nTo: ${away.user.email}\r\nSubject: Hello\r\n\r\nText\r\n`);
    const { entryIds } = await storeInbound(ctx, { ...inboundOf(raw, [away]), envelopeFrom });
    expect(await replyForReader(ctx, entryIds[0] ?? '')).toBe('replied');
    const reply = await Delivery.findOne({ where: { recipient: envelopeFrom }, rejectOnEmpty: true });
    expect(await rowsOf(String(reply.messageId))).toEqual({ noted: 1, there: 1 });
  });

  it('that goes to a group, of whose people one forwards it', async () => {
    const forwards = { tenant: ana, user: { forwardTo: 'far@remote.test', forwardConfirmedAt: new Date() } };
    const [bea, cai] = [await buildMailbox(app, { tenant: ana }), await buildMailbox(app, forwards)];
    const { address } = await buildGroup(ana, { members: [bea, cai] });
    const { messageId } = await submit([address, ...remote]);
    expect(await rowsOf(messageId)).toEqual({ noted: 4, there: 4 });
    await giveTo(address, messageId);
    expect(await rowsOf(messageId)).toEqual({ noted: 7, there: 7 });
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    // The sender named the group, and no server brought its people a message
    const { accounts } = await checkLedger(ctx, period);
    expect(accounts.in).toMatchObject({ accepted: 0, stored: 0 });
    expect(accounts.out).toMatchObject({ accepted: 5, stored: 1, isBalanced: true });
    await Delivery.destroy({ where: { messageId, direction: 'in', expandedTo: cai.user.email } });
    expect(await kindsOf(period)).toContainEqual(['recipients_without_rows', 1]);
  });

  it.each(['bea@sender.test', ''])(
    'that comes to a group from "%s", and that two of its people forward to the group',
    async (envelopeFrom) => {
      const people = [ana, await buildMailbox(app, { tenant: ana }), await buildMailbox(app, { tenant: ana })];
      const { address } = await buildGroup(ana, { members: people });
      const forwards = { forwardTo: address, forwardConfirmedAt: new Date() };
      for (const { user } of people.slice(1)) await user.update(forwards);
      const input = { ...inboundOf(rawMessage(), people), envelopeFrom, recipients: await peopleOf(address) };
      const { messageId } = await storeInbound(ctx, input);
      await giveTo(address, messageId);
      await giveTo(address, messageId);
      expect(await rowsOf(messageId)).toEqual({ noted: 11, there: 11 });
      const period = await onOwnDay(messageId);
      expect(await kindsOf(period)).toEqual([]);
      const row = await Delivery.findOne({ where: { messageId, direction: 'in' }, raw: true });
      await Delivery.create({ ...row, id: undefined } as never, { silent: true });
      expect(await kindsOf(period)).toEqual([
        ['rows_without_recipients', 1],
        ['repeated_rows', 1],
      ]);
    },
  );
});

describe('an outgoing row that a mailbox of this host has taken', () => {
  it('is named when the copy is missing, also of an alias and of one of several people', async () => {
    const [bea, cai] = [await buildMailbox(app, { tenant: ana }), await buildMailbox(app, { tenant: ana })];
    const { address: alias } = await buildAlias(cai);
    const { messageId } = await submit([bea.user.email, alias]);
    await giveTo(bea.user.email, messageId);
    await giveTo(alias, messageId);
    const period = await onOwnDay(messageId);
    expect(await kindsOf(period)).toEqual([]);
    await MailboxEntry.destroy({ where: { messageId, userId: String(cai.user.id) } });
    expect(await kindsOf(period)).toEqual([['row_without_copy', 1]]);
    await MailboxEntry.destroy({ where: { messageId, userId: String(bea.user.id) } });
    expect(await kindsOf(period)).toEqual([['row_without_copy', 2]]);
  });

  it('is right when its reader has deleted the copy, was deleted for good, or has a successor', async () => {
    const bea = await buildMailbox(app, { tenant: ana });
    const { email } = bea.user;
    const { messageId } = await submit([email]);
    await giveTo(email, messageId);
    const period = await onOwnDay(messageId);
    const own = { messageId, userId: String(bea.user.id) };
    await MailboxEntry.update({ folder: 'gone', deleteStatus: true }, { where: own });
    expect(await kindsOf(period)).toEqual([]);
    await bea.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(ctx, String(bea.user.id));
    expect(await kindsOf(period)).toEqual([]);
    const next = await buildMailbox(app, { tenant: ana });
    await changeRows(ctx, 'UPDATE users SET email = ?, created_at = ? WHERE id = ?', [
      email,
      new Date(Date.now() + 1000),
      String(next.user.id),
    ]);
    expect(await kindsOf(period)).toEqual([]);
  });
});

describe('an entry that its owner has put there, as a mail program does', () => {
  it('needs no row: neither a copy of a message into another folder, nor a message of its own', async () => {
    const { messageId, entryIds } = await receive(ctx, [ana]);
    const period = await onOwnDay(messageId);
    const entry = await MailboxEntry.findByPk(entryIds[0] ?? '', { raw: true, rejectOnEmpty: true });
    const copy = { ...entry, id: undefined, uid: null, receivedStatus: false };
    await MailboxEntry.create(copy);
    expect(await kindsOf(period)).toEqual([]);
    const raw = rawMessage();
    const [parsed, blob] = [await app.content.summarise(raw, 'ana'), await app.blobs.put(raw)];
    const added = await inTransaction(ctx, (tx) =>
      insertMessage(tx, { parsed, blob, raw, mailId: newMailId(), envelopeFrom: '', ledgerRows: 0 }),
    );
    await MailboxEntry.create({ ...copy, messageId: added.id });
    expect(await kindsOf(await onOwnDay(added.id))).toEqual([]);
    // What came by a delivery needs one
    await MailboxEntry.update({ receivedStatus: true }, { where: { messageId: added.id } });
    await Message.update({ createdAt: period.from }, { where: { id: added.id }, silent: true });
    expect(await kindsOf(period)).toEqual([['copies_without_rows', 1]]);
  });

  it('needs none either while it is a draft', async () => {
    const raw = rawMessage();
    const [parsed, blob] = [await app.content.summarise(raw, 'ana'), await app.blobs.put(raw)];
    const message = await inTransaction(ctx, async (tx) => {
      const stored = await insertMessage(tx, {
        parsed,
        blob,
        raw,
        mailId: newMailId(),
        envelopeFrom: '',
        ledgerRows: 0,
      });
      const owner = recipientOf(ana);
      await addDraftEntry(tx, { message: stored, ...owner, bccList: [], isCounted: false });
      return stored;
    });
    expect(await kindsOf(await onOwnDay(message.id))).toEqual([]);
  });
});

describe('sums', () => {
  const inFull = { ids: expect.anything() as unknown, doubts: [] };
  const provedOf = async (period: Period) => await proveBySums(ctx, period, (await countAnswers(ctx, period)).range);

  it('prove mail from outside, to others, and between people of this host', async () => {
    const [bea, cai] = [await buildMailbox(app, { tenant: ana }), await buildMailbox(app, { tenant: ana })];
    const forwarding = await buildMailbox(app, { user: { forwardTo: remote[0], forwardConfirmedAt: new Date() } });
    const { address: alias } = await buildAlias(cai);
    const received = await receive(ctx, [ana, bea, forwarding]);
    const { messageId } = await submit([bea.user.email, alias, ...remote]);
    await giveTo(bea.user.email, messageId);
    await giveTo(alias, messageId);
    for (const id of [received.messageId, messageId]) {
      const period = await onOwnDay(id);
      // A row waits for a worker
      expect(await provedOf(period)).toEqual({ ...inFull, hasSuspects: true });
      expect(await kindsOf(period)).toEqual([]);
    }
    // Also what its reader has deleted
    await MailboxEntry.update({ folder: 'gone', deleteStatus: true }, { where: { messageId } });
    expect(await provedOf(await onOwnDay(messageId))).toEqual({ ...inFull, hasSuspects: true });
  });

  it('leave the messages beside one that differs to be looked at, and no others', async () => {
    const { messageId } = await receive(ctx, [ana]);
    const period = await onOwnDay(messageId);
    const [first, last] = [1_000_000_000_000, 1_000_000_000_999];
    await copyOf(messageId, { first, last });
    const alone = { from: new Date(period.from.getTime() + 7_200_000), to: period.to };
    expect(await provedOf(alone)).toEqual({
      ...inFull,
      hasSuspects: false,
      ids: { first: String(first), last: String(last) },
    });
    expect(await kindsOf(alone)).toEqual([]);
    const [lost, moved, doubled] = [first + 300, first + 310, first + 900];
    await Delivery.destroy({ where: { messageId: lost } });
    await Delivery.update({ entryId: String(lost) }, { where: { messageId: moved } });
    // Two rows that have the copies of each other
    for (const [one, other] of [
      [first + 320, first + 321],
      [first + 321, first + 320],
    ]) {
      await Delivery.update({ entryId: String(other) }, { where: { messageId: one } });
    }
    const row = await Delivery.findOne({ where: { messageId: doubled }, raw: true });
    await Delivery.create({ ...row, id: undefined } as never, { silent: true });
    const { doubts } = await provedOf(alone);
    expect(doubts).toHaveLength(2);
    for (const [range, id] of [
      [doubts[0], lost],
      [doubts[1], doubled],
    ] as const) {
      expect(Number(range?.last) - Number(range?.first)).toBe(255);
      expect(Number(range?.first)).toBeLessThanOrEqual(id);
      expect(Number(range?.last)).toBeGreaterThanOrEqual(id);
    }
    expect(await kindsOf(alone)).toEqual([
      ['message_without_rows', 1],
      ['rows_without_recipients', 1],
      ['row_without_copy', 3],
      ['repeated_rows', 1],
    ]);
  });

  it('differ for two rows that have the copies of each other', async () => {
    const { messageId } = await receive(ctx, [ana]);
    const period = await onOwnDay(messageId);
    const [first, last] = [2_000_000_000_000, 2_000_000_000_001];
    await copyOf(messageId, { first, last });
    const alone = { from: new Date(period.from.getTime() + 7_200_000), to: period.to };
    expect(await provedOf(alone)).toMatchObject({ doubts: [] });
    await Delivery.update({ entryId: String(last) }, { where: { messageId: first } });
    await Delivery.update({ entryId: String(first) }, { where: { messageId: last } });
    expect((await provedOf(alone)).doubts).toHaveLength(1);
    expect(await kindsOf(alone)).toEqual([['row_without_copy', 2]]);
  });
});

/** Repeats a received message on the third hour of its day, with its copy and its row. */
async function copyOf(messageId: string, { first, last }: { first: number; last: number }): Promise<void> {
  const copies: [table: string, columns: string, values: string, where: string][] = [
    ['messages', 'mail_id', "CONCAT('copy', seq)", 'id = ?'],
    ['mailbox_entries', 'message_id', 'seq', 'message_id = ?'],
    ['deliveries', 'message_id, mail_id, entry_id', "seq, CONCAT('copy', seq), seq", 'message_id = ?'],
  ];
  for (const [table, columns, values, where] of copies) {
    const others = await columnsOf(table, ['id', 'uid', 'dedupe_key', 'created_at', ...columns.split(', ')]);
    await changeRows(
      ctx,
      `INSERT INTO ${table} (id, ${columns}, created_at, ${others})
       SELECT seq, ${values}, t.created_at + INTERVAL 2 HOUR, ${others}
         FROM (SELECT * FROM ${table} WHERE ${where} LIMIT 1) t JOIN seq_${first}_to_${last}`,
      [messageId],
    );
  }
}

async function columnsOf(table: string, without: readonly string[]): Promise<string> {
  const rows = await readRows<{ name: string }>(
    ctx,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = ? AND is_generated = 'NEVER' AND column_name NOT IN (?)`,
    [table, without],
  );
  return rows.map(({ name }) => name).join(', ');
}
