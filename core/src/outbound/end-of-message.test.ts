import { describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { removeMessageIfUnreferenced } from '../mailstore/remove-unreferenced.ts';
import { Delivery } from '../models/delivery.ts';
import { Message } from '../models/message.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { sendNotice } from './send-notice.ts';
import { type Settled, settleDeliveries } from './settle-deliveries.ts';
import { submitMessage } from './submit-message.ts';

const said = { reason: 'remote_accepted', lastReply: '250 ok', remoteHost: 'mx' } as const;

async function sendTo(recipients: string[]) {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: to be forgotten\r\n\r\ntext of ${user.email}\r\n`);
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const { blobKey } = await Message.findByPk(sent.messageId, { rejectOnEmpty: true });
  const deleteCopy = async () => {
    await changeStatus(ctx, { userId: String(user.id), entryIds: [sent.entryId], flags: { deleteStatus: true } });
    expect(await removeMessageIfUnreferenced(ctx, sent.messageId)).toBe('still_used');
    await OutboxRow.destroy({ where: {} });
  };
  const remaining = () => Delivery.findAll({ where: { messageId: sent.messageId, state: 'queued' } });
  const settleNext = async (state: Settled['state'] = 'relayed') => {
    const [next] = await remaining();
    const delivery = await claimOne(ctx, String(next?.id), new Date(Date.now() + 1000));
    if (delivery === null) throw new Error('nothing to settle');
    await inTransaction(ctx, (tx) => settleDeliveries(tx, [{ delivery, state, ...said }]));
  };
  return { app, ctx, sent, blobKey, deleteCopy, settleNext };
}

async function asked(messageId: string): Promise<number> {
  return await OutboxRow.count({ where: { jobName: removeMessage.name, dedupeId: `remove-${messageId}` } });
}

/** The statements that the settling of the only delivery of a message takes. */
async function statementsToSettle(ctx: Ctx, messageId: string): Promise<number> {
  const own = await Delivery.findOne({ where: { messageId }, rejectOnEmpty: true });
  const delivery = await claimOne(ctx, String(own.id), new Date(Date.now() + 1000));
  if (delivery === null) throw new Error('nothing to settle');
  return await inTransaction(ctx, async (tx) => {
    const before = await questions(tx);
    await settleDeliveries(tx, [{ delivery, state: 'relayed', ...said }]);
    return (await questions(tx)) - before - 1;
  });
}

async function questions(tx: TxCtx): Promise<number> {
  const [row] = await readRows<{ Value: string }>(tx, `SHOW SESSION STATUS LIKE 'Questions'`, []);
  return Number(row?.Value);
}

describe('the end of the last delivery', () => {
  it('asks again for the removal of a message that its sender deleted while it was queued', async () => {
    const { app, ctx, sent, blobKey, deleteCopy, settleNext } = await sendTo(['a@one.test', 'b@two.test']);
    await deleteCopy();
    await settleNext();
    expect(await asked(sent.messageId)).toBe(0);
    await settleNext('bounced');
    expect(await asked(sent.messageId)).toBe(1);
    expect(await removeMessageIfUnreferenced(ctx, sent.messageId)).toBe('removed');
    expect(await app.blobs.has(blobKey)).toBe(false);
  });

  it('asks for nothing while the sender has the message', async () => {
    const { sent, settleNext } = await sendTo(['a@one.test']);
    await settleNext();
    expect(await asked(sent.messageId)).toBe(0);
  });

  it('asks for nothing when the delivery is only put off', async () => {
    const { sent, deleteCopy, settleNext } = await sendTo(['a@one.test']);
    await deleteCopy();
    await settleNext('queued');
    expect(await asked(sent.messageId)).toBe(0);
  });

  it('asks for the removal of a notice, which lies in no folder', async () => {
    const { ctx } = await sendTo(['a@one.test']);
    const { company } = await buildMailbox(ctx.app);
    await sendNotice(ctx, { companyId: String(company.id), to: 'c@three.test', subject: 'A link', text: 'secret' });
    const own = await Delivery.findOne({ where: { recipient: 'c@three.test' }, rejectOnEmpty: true });
    const messageId = String(own.messageId);
    await OutboxRow.destroy({ where: {} });
    await statementsToSettle(ctx, messageId);
    expect(await asked(messageId)).toBe(1);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
  });

  it('takes one more statement for a deleted copy, and none for others', async () => {
    const kept = await sendTo(['a@one.test']);
    const common = await statementsToSettle(kept.ctx, kept.sent.messageId);
    const deleted = await sendTo(['a@one.test']);
    await deleted.deleteCopy();
    expect(await statementsToSettle(deleted.ctx, deleted.sent.messageId)).toBe(common + 1);
    // The locks of the copies and the rows, the rows, their states, the state of the copy
    expect(common).toBe(5);
  });
});
