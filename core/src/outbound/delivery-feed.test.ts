import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { Folder } from '../models/folder.ts';
import { createRedis } from '../process/create-redis.ts';
import type { ClaimedDelivery } from './deliveries.ts';
import { type DeliveryNotice, hearDeliveries } from './delivery-feed.ts';
import { queueAndFindDue } from './find-due.ts';
import { settleDeliveries } from './settle-deliveries.ts';
import { submitMessage } from './submit-message.ts';

const said = { reason: 'remote_accepted', lastReply: '250 ok', remoteHost: 'mx' } as const;
const later = () => new Date(Date.now() + 1000);
let app: App;
let ctx: Ctx;
let subscriber: App['redis'];
const heard: DeliveryNotice[] = [];

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
  subscriber = createRedis(app.config, { role: 'worker' });
  await hearDeliveries(subscriber, (notices) => heard.push(...notices));
});

afterAll(() => subscriber.disconnect());

/** A person, and the ids of messages that they have sent to two people each. */
async function sender(messages: number) {
  const { user } = await buildMailbox(app);
  const userId = String(user.id);
  const recipients = ['a@one.test', 'b@two.test'];
  const entryIds: string[] = [];
  for (let count = 0; count < messages; count += 1) {
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: message ${count} of ${user.email}\r\n\r\ntext\r\n`);
    entryIds.push((await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients })).entryId);
  }
  const noticed = () => heard.filter((notice) => notice.userId === userId).map((notice) => notice.entryIds);
  return { userId, entryIds: entryIds.map(String), noticed };
}

/** Claims the next delivery of a message. */
async function claimNext(entryId: string | undefined): Promise<ClaimedDelivery> {
  const [next] = await Delivery.findAll({ where: { entryId: entryId ?? '', state: 'queued', claimId: null } });
  const delivery = await claimOne(ctx, String(next?.id), later());
  if (delivery === null) throw new Error('nothing to claim');
  return delivery;
}

describe('changed deliveries', () => {
  it('are announced with one notice for each sender, whatever ends together', async () => {
    const [ana, bob] = [await sender(2), await sender(1)];
    const claimed: ClaimedDelivery[] = [];
    for (const entryId of [...ana.entryIds, ...bob.entryIds]) claimed.push(await claimNext(entryId));
    await inTransaction(ctx, (tx) =>
      settleDeliveries(
        tx,
        claimed.map((delivery) => ({ delivery, state: 'relayed', ...said })),
      ),
    );
    await until('both were told', () => ana.noticed().length + bob.noticed().length === 2);
    expect(ana.noticed()).toEqual([ana.entryIds]);
    expect(bob.noticed()).toEqual([bob.entryIds]);
  });

  it('are announced recipient by recipient, and change no number of the folder', async () => {
    const { userId, entryIds, noticed } = await sender(1);
    const modseq = async () => (await Folder.findOne({ where: { userId, role: 'sent' } }))?.highestModseq;
    const before = await modseq();
    for (const state of ['queued', 'relayed'] as const) {
      const delivery = await claimNext(entryIds[0]);
      await inTransaction(ctx, (tx) => settleDeliveries(tx, [{ delivery, state, ...said }]));
    }
    await until('each change was told', () => noticed().length === 2);
    expect(noticed()).toEqual([entryIds, entryIds]);
    expect(await modseq()).toBe(before);
  });

  it('are not announced when they were not committed', async () => {
    const [lost, kept] = [await sender(1), await sender(1)];
    const failed = inTransaction(ctx, async (tx) => {
      await settleDeliveries(tx, [{ delivery: await claimNext(lost.entryIds[0]), state: 'relayed', ...said }]);
      throw new Error('the disk is full');
    });
    await expect(failed).rejects.toThrow('the disk is full');
    const delivery = await claimNext(kept.entryIds[0]);
    await inTransaction(ctx, (tx) => settleDeliveries(tx, [{ delivery, state: 'relayed', ...said }]));
    await until('the later one was told', () => kept.noticed().length === 1);
    expect(lost.noticed()).toEqual([]);
  });

  it('are announced when the time to take a message back is over', async () => {
    const { entryIds, noticed } = await sender(1);
    const nextAttemptAt = new Date(Date.now() - 1000);
    await Delivery.update({ state: 'held', reason: 'held_for_undo', nextAttemptAt }, { where: { entryId: entryIds } });
    await queueAndFindDue(ctx, { withRunOutLeases: true });
    await until('its sender was told', () => noticed().length === 1);
    expect(noticed()).toEqual([entryIds]);
  });
});
