import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { createRedis } from '../process/create-redis.ts';
import { systemContext } from '../context/context.ts';
import { GroupWork } from './group-work.ts';
import { hearChanges } from '../mailstore/change-feed.ts';
import { verifyTotals } from '../mailstore/verify-totals.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf, rawMessage } from '../mailstore/test-messages.ts';

describe('a group commit', () => {
  it('writes the first at once and those that come meanwhile together, each answered with its own result', async () => {
    const batches: number[][] = [];
    const group = new GroupWork<number, string>(
      async (items) => {
        batches.push([...items]);
        return await Promise.resolve(items.map((item) => `kept ${item}`));
      },
      { items: 3, lanes: 1, patienceMs: 0, gatherMs: 0 },
    );
    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => group.add(item)));
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
    expect(results).toEqual(['kept 1', 'kept 2', 'kept 3', 'kept 4', 'kept 5']);
  });

  it('writes what came after a batch that waits for a lock, though nothing else comes', async () => {
    const lock = Promise.withResolvers<void>();
    const write = async (items: readonly number[]) => {
      if (items.includes(1)) await lock.promise;
      return [...items];
    };
    const group = new GroupWork(write, { items: 32, lanes: 2, patienceMs: 20, gatherMs: 0 });
    const stuck = group.add(1);
    expect(await group.add(2)).toBe(2);
    lock.resolve();
    expect(await stuck).toBe(1);
  });

  it('refuses only the bad one of a batch', async () => {
    const write = async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('three is bad');
      return await Promise.resolve([...items]);
    };
    const group = new GroupWork(write, { items: 32, lanes: 1, patienceMs: 0, gatherMs: 0 });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => group.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('messages that arrive at once', () => {
  it('are all stored and answered, except one that can not be written', async () => {
    const app = await testApp();
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const inputs = Array.from({ length: 20 }, () => inboundOf(rawMessage(), [mailbox]));
    const nobody = { userId: '999999999', companyId: String(mailbox.company.id), address: 'nobody@host.test' };
    const bad = { ...inboundOf(rawMessage(), [mailbox]), recipients: [nobody] };
    inputs.splice(10, 0, bad);

    const subscriber = createRedis(app.config, { role: 'worker' });
    const announced: string[] = [];
    await hearChanges(subscriber, (notices) => announced.push(...notices.flatMap(({ arrived = [] }) => arrived)));

    const results = await Promise.allSettled(inputs.map((input) => storeInbound(ctx, input)));

    const stored: string[] = [];
    for (const [index, result] of results.entries()) {
      const input = inputs[index];
      const message = await Message.findOne({ where: { mailId: input?.mailId ?? '' } });
      if (input === bad) {
        expect(result.status).toBe('rejected');
        expect(message).toBeNull();
        continue;
      }
      if (result.status === 'rejected') throw result.reason;
      expect(String(message?.id)).toBe(result.value.messageId);
      const entries = await MailboxEntry.findAll({ where: { messageId: result.value.messageId } });
      expect(entries.map(({ id }) => String(id))).toEqual(result.value.entryIds);
      stored.push(...result.value.entryIds);
    }
    await until('all of them are announced', () => stored.every((id) => announced.includes(id)));
    expect(announced.toSorted()).toEqual(stored.toSorted());
    subscriber.disconnect();
    expect(await MailboxEntry.count({ where: { userId: String(mailbox.user.id) } })).toBe(20);
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
  });
});
