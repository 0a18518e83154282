import { beforeEach, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { Delivery } from '../models/delivery.ts';
import { changeQueue } from '../outbound/change-queue.ts';
import { holdMailOf } from '../outbound/hold-sent-mail.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { countHeldBack, releaseOutgoing, settleRestored } from './settle-restored.ts';

let ctx: Ctx;

// A restore concerns the mail of all people
beforeEach(async () => {
  ctx = systemContext(await testApp());
  await Delivery.destroy({ where: {} });
});

const held = { state: 'held', reason: 'held_by_administrator', nextAttemptAt: null } as const;

/** A message that waited when the snapshot was made. Answers how to read its delivery. */
async function sendBeforeRestore({ user }: Pick<Mailbox, 'user'>): Promise<() => Promise<Delivery>> {
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\nSubject: wool\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  await Delivery.update({ state: 'queued', reason: 'remote_deferred' }, { where: { mailId } });
  return () => Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
}

it('the operator lets go what a restore holds back, but not the mail of a person who was switched off', async () => {
  const [spammer, honest] = [await buildMailbox(ctx.app), await buildMailbox(ctx.app)];
  const [spam, mail] = [await sendBeforeRestore(spammer), await sendBeforeRestore(honest)];
  expect(await settleRestored(ctx, { sendsOutgoing: false })).toBe(2);
  await spammer.user.update({ activeStatus: false });
  expect(await holdMailOf(ctx, String(spammer.user.id))).toBe(false);
  expect(await spam()).toMatchObject(held);
  expect(await releaseOutgoing(ctx)).toBe(1);
  expect(await spam()).toMatchObject(held);
  expect(await mail()).toMatchObject({ state: 'queued', nextAttemptAt: expect.any(Date) });
});

it('mail that an administrator releases before the operator waits for the operator', async () => {
  const { company, user } = await buildMailbox(ctx.app);
  const read = await sendBeforeRestore({ user });
  await Delivery.update(held, { where: { id: (await read()).id } });
  await settleRestored(ctx, { sendsOutgoing: false });
  const scope = { kind: 'company', companyId: String(company.id) } as const;
  const release = async () =>
    await changeQueue(ctx, 'release', { scope, target: { id: String((await read()).id) }, before: new Date() });
  expect(await release()).toMatchObject({ changed: 1 });
  expect(await read()).toMatchObject({ state: 'queued', reason: 'accepted', nextAttemptAt: null });
  expect(await countHeldBack(ctx)).toBe(1);
  await releaseOutgoing(ctx);
  expect(await read()).toMatchObject({ state: 'queued', nextAttemptAt: expect.any(Date) });
  await Delivery.update(held, { where: { id: (await read()).id } });
  expect(await release()).toMatchObject({ changed: 1 });
  expect(await read()).toMatchObject({ state: 'queued', nextAttemptAt: expect.any(Date) });
});

it('mail that a restore holds back of a person who is deleted for good is never sent', async () => {
  const { user } = await buildMailbox(ctx.app);
  const read = await sendBeforeRestore({ user });
  await settleRestored(ctx, { sendsOutgoing: false });
  await user.update({ deletedAt: new Date() });
  expect(await holdMailOf(ctx, String(user.id))).toBe(false);
  await user.update({ erasedAt: new Date() });
  expect(await eraseUserRows(ctx, String(user.id))).toBe(true);
  expect(await releaseOutgoing(ctx)).toBe(0);
  expect(await read()).toMatchObject({ state: 'cancelled', reason: 'sender_not_in_use', nextAttemptAt: null });
});
