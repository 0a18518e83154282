import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { writeHoldsAlarms } from '../environment/host-state.ts';
import { inboundOf, rawMessage, receive } from '../mailstore/test-messages.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { addTransfers, endTransfer } from '../outbound/transfers.ts';
import { checkDay } from './check-day.ts';
import { checkLedger } from './check-ledger.ts';

let ctx: Ctx;
let ana: Mailbox;
let days = 0;

beforeAll(async () => {
  const app = await testApp();
  ctx = systemContext(app);
  ana = await buildMailbox(app);
});

/** A message on a day of its own, so that each test has a ledger of its own. */
async function onOwnDay() {
  const from = new Date(Date.UTC(2020, 0, ++days));
  const to = new Date(Date.UTC(2020, 0, days + 1));
  const { messageId, entryIds } = await receive(ctx, [ana]);
  const row = { messageId };
  const move = async () => {
    const at = new Date(from.getTime() + 3_600_000);
    await Message.update({ createdAt: at }, { where: { id: messageId }, silent: true });
    await Delivery.update({ createdAt: at }, { where: row, silent: true });
  };
  await move();
  return { period: { from, to }, messageId, entryId: entryIds[0] ?? '', row, move };
}

const whatIsWrong = async (period: { from: Date; to: Date }) =>
  (await checkLedger(ctx, period)).problems.map(({ what, count, examples }) => [what, count, examples.length]);

const repeated = 'rows that stand for a copy and a recipient that another row stands for';
const missing = 'rows of a stored message whose copy is missing, or is one of another message';

describe('the proof of a day', () => {
  it('finds nothing wrong with mail that was stored, and counts it', async () => {
    const { period } = await onOwnDay();
    const { accounts, problems } = await checkLedger(ctx, period);
    expect(problems).toEqual([]);
    expect(accounts.in).toMatchObject({ accepted: 1, stored: 1, refused: 0, isBalanced: true });
  });

  it('comes to the same in one walk and by its hours', async () => {
    const { period, row } = await onOwnDay();
    expect(await checkDay(ctx, period)).toEqual(await checkLedger(ctx, period));
    await Delivery.destroy({ where: row });
    const { problems } = await checkDay(ctx, period);
    expect(problems).toEqual((await checkLedger(ctx, period)).problems);
    expect(problems.map(({ kind, count }) => [kind, count])).toEqual([['message_without_rows', 1]]);
  });

  it('counts a repeat as an answer of its own', async () => {
    const raw = rawMessage();
    await storeInbound(ctx, inboundOf(raw, [ana]));
    const { messageId, duplicate } = await storeInbound(ctx, inboundOf(raw, [ana]));
    expect(duplicate).toBe(true);
    const rows = await Delivery.findAll({ where: { messageId }, order: [['id', 'ASC']] });
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['stored', 'stored_locally'],
      ['stored', 'duplicate'],
    ]);
    expect(new Set(rows.map(({ mailId }) => mailId)).size).toBe(2);
  });

  it('names a message without a row', async () => {
    const { period, row } = await onOwnDay();
    await Delivery.destroy({ where: row });
    expect(await whatIsWrong(period)).toEqual([['messages without a row', 1, 1]]);
  });

  it('names a copy without a row, and a row without a copy', async () => {
    const { period, messageId, entryId } = await onOwnDay();
    const entry = await MailboxEntry.findByPk(entryId, { raw: true });
    const copy = await MailboxEntry.create({ ...entry, id: undefined, uid: null } as never);
    expect(await whatIsWrong(period)).toEqual([['messages with more received copies than rows that say so', 1, 1]]);
    await copy.destroy();
    await MailboxEntry.destroy({ where: { messageId } });
    expect(await whatIsWrong(period)).toEqual([[missing, 1, 1]]);
  });

  it('names a message of which a person has more copies than rows, among others that are right', async () => {
    const { period, entryId } = await onOwnDay();
    const { messageId, entryIds } = await receive(ctx, [ana]);
    const at = new Date(period.from.getTime() + 3_600_000);
    await Message.update({ createdAt: at }, { where: { id: messageId }, silent: true });
    await Delivery.update({ createdAt: at }, { where: { messageId }, silent: true });
    expect(await whatIsWrong(period)).toEqual([]);
    const entry = await MailboxEntry.findByPk(entryId, { raw: true });
    await MailboxEntry.create({ ...entry, id: undefined, uid: null } as never);
    expect(await whatIsWrong(period)).toEqual([['messages with more received copies than rows that say so', 1, 1]]);
    // A row without its copy beside it does not make up for the copy without a row
    await MailboxEntry.destroy({ where: { id: entryIds } });
    expect(await whatIsWrong(period)).toEqual([
      ['messages with more received copies than rows that say so', 1, 1],
      [missing, 1, 1],
    ]);
  });

  it('names a second row for the same copy and recipient, and none for another address of the person', async () => {
    const { period, messageId, row } = await onOwnDay();
    const [first] = await Delivery.findAll({ where: row, raw: true });
    const second = { ...first, id: undefined, recipient: 'sales@x.test', recipientDomain: 'x.test' };
    const alias = await Delivery.create(second as never, { silent: true });
    await Message.update({ ledgerRows: 2 }, { where: { id: messageId }, silent: true });
    expect(await whatIsWrong(period)).toEqual([]);
    await alias.update({ recipient: first?.recipient ?? '' }, { silent: true });
    expect(await whatIsWrong(period)).toEqual([[repeated, 1, 1]]);
    expect((await checkDay(ctx, period)).problems.map(({ kind }) => kind)).toEqual(['repeated_rows']);
  });

  it('finds the same where a clock was wrong, and ids lie far apart', async () => {
    const { period, row, move } = await onOwnDay();
    const far = await onOwnDay();
    for (let count = 0; count < 12; count += 1) await receive(ctx, [ana]);
    const late = await receive(ctx, [ana]);
    const at = new Date(period.from.getTime() + 3_600_000);
    await Message.update({ createdAt: at }, { where: { id: late.messageId }, silent: true });
    await Delivery.update({ createdAt: at }, { where: { messageId: late.messageId }, silent: true });
    await move();
    expect(await whatIsWrong(period)).toEqual([]);
    const [first] = await Delivery.findAll({ where: row, raw: true });
    await Delivery.create({ ...first, id: undefined } as never, { silent: true });
    expect((await whatIsWrong(period)).map(([what]) => what)).toEqual([
      'messages with more rows than recipients',
      repeated,
    ]);
    await Delivery.destroy({ where: row });
    expect((await whatIsWrong(period)).map(([what]) => what)).toEqual(['messages without a row']);
    expect(await whatIsWrong(far.period)).toEqual([]);
  });

  it('names a row that stands for the copy of another message', async () => {
    const { period, row } = await onOwnDay();
    const other = await receive(ctx, [ana]);
    await Delivery.update({ entryId: other.entryIds[0] ?? '' }, { where: row });
    // The copy of the other message has a row of its own
    expect(await whatIsWrong(period)).toEqual([
      [missing, 1, 1],
      [repeated, 1, 1],
    ]);
  });

  it('leaves out rows that wait while workers try other mail for the same domain', async () => {
    const { period, messageId, row } = await onOwnDay();
    const [first] = await Delivery.findAll({ where: row, raw: true });
    const long = new Date(Date.now() - 7_200_000);
    const place = { direction: 'out', recipientDomain: 'hangs.test', recipient: 'a@hangs.test' } as const;
    await Delivery.update({ ...place, state: 'queued', nextAttemptAt: long }, { where: row });
    const waits = ['rows that wait and that no worker tries', 1, 1];
    expect(await whatIsWrong(period)).toContainEqual(waits);
    await inTransaction(ctx, async (tx) => {
      const transfer = { id: 'hangs', messageId, domain: 'hangs.test' };
      await addTransfers(tx, [transfer], new Date(Date.now() + 30_000));
    });
    expect(await whatIsWrong(period)).not.toContainEqual(waits);
    await endTransfer(ctx, 'hangs');
    // Mail that was accepted meanwhile does not say that workers try the domain
    const later = { ...first, ...place, id: undefined, state: 'queued', nextAttemptAt: new Date(), attempts: 0 };
    const other = await Delivery.create({ ...later, createdAt: new Date() } as never);
    expect(await whatIsWrong(period)).toContainEqual(waits);
    await other.update({ attempts: 1 });
    expect(await whatIsWrong(period)).not.toContainEqual(waits);
    await Delivery.update({ state: 'held', reason: 'scheduled' }, { where: row });
    expect(await whatIsWrong(period)).toContainEqual(waits);
    await other.destroy();
  });

  it('leaves out rows that wait until the operator of a restored host releases them', async () => {
    const { period, row } = await onOwnDay();
    const waits = ['rows that wait and that no worker tries', 1, 1];
    await Delivery.update({ direction: 'out', state: 'queued', nextAttemptAt: null }, { where: row });
    await writeHoldsAlarms(ctx, true);
    expect(await whatIsWrong(period)).not.toContainEqual(waits);
    await writeHoldsAlarms(ctx, false);
    expect(await whatIsWrong(period)).toContainEqual(waits);
  });

  it('names rows that wait for ever, have no reason, or lack the answer that they stand for', async () => {
    const { period, row } = await onOwnDay();
    const long = new Date(Date.now() - 7_200_000);
    const out = { direction: 'out' as const };
    await Delivery.update({ ...out, state: 'queued', nextAttemptAt: long }, { where: row });
    expect(await whatIsWrong(period)).toContainEqual(['rows that wait and that no worker tries', 1, 1]);
    await Delivery.update({ ...out, state: 'queued', nextAttemptAt: new Date() }, { where: row });
    expect(await whatIsWrong(period)).not.toContainEqual(['rows that wait and that no worker tries', 1, 1]);
    await Delivery.update({ ...out, state: 'relayed', reason: null, lastReply: null }, { where: row });
    expect(await whatIsWrong(period)).toEqual(
      expect.arrayContaining([
        ['rows without a reason', 1, 1],
        ['rows of relayed mail without the answer of the server that took it', 1, 1],
      ]),
    );
  });
});
