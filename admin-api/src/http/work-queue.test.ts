import type { Ctx } from '@selvage/core/context/context';
import { describe, expect, it } from 'vitest';
import { type Turn, WorkQueue } from './work-queue.ts';

/** The parts of a context that the queue reads. */
function contextOf(caller: { userId?: string; address?: string }): Ctx {
  const actor = caller.userId === undefined ? null : { userId: caller.userId };
  return { actor, address: caller.address ?? '' } as Ctx;
}

function turnOf(caller: { userId?: string; address?: string }, changes: Partial<Turn> = {}): Turn {
  const late = () => new Error('late');
  return { ctx: contextOf(caller), limitMs: 5_000, isGone: () => false, late, ...changes };
}

const ana = { userId: '1' };
const bo = { userId: '2' };

describe('the queue of calls', () => {
  it('lets a person in after one call of the one who floods it', async () => {
    const queue = new WorkQueue(1);
    const order: string[] = [];
    const add = (caller: { userId: string }, name: string) =>
      queue.run(turnOf(caller), async () => {
        await Promise.resolve();
        order.push(name);
      });
    await Promise.all([...['a1', 'a2', 'a3'].map((name) => add(ana, name)), add(bo, 'b1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('leaves places to others while slow calls of one person are under way', async () => {
    const queue = new WorkQueue(5);
    const stuck = Promise.withResolvers<void>();
    const slow = Array.from({ length: 20 }, () => queue.run(turnOf(ana), () => stuck.promise));
    expect(await queue.run(turnOf(bo), () => Promise.resolve('done'))).toBe('done');
    expect(await queue.lookUp('2', turnOf({}), () => Promise.resolve('found'))).toBe('found');
    stuck.resolve();
    await Promise.all(slow);
  });

  it('leaves connections to others while one person reads slow lists, each by two connections', async () => {
    const connections = 10;
    const queue = new WorkQueue(connections * 2);
    const stuck = Promise.withResolvers<void>();
    let taken = 0;
    const slow = Array.from({ length: 20 }, () =>
      queue.run(turnOf(ana), async () => {
        taken += 2;
        await stuck.promise;
      }),
    );
    await queue.run(turnOf(bo), () => Promise.resolve());
    expect(taken).toBe(8);
    stuck.resolve();
    await Promise.all(slow);
  });

  it('never lets strangers hold up a person who is logged in', async () => {
    const queue = new WorkQueue(1);
    const stuck = Promise.withResolvers<void>();
    const stranger = queue.run(turnOf({ address: '192.0.2.1' }), () => stuck.promise);
    expect(await queue.run(turnOf(ana), () => Promise.resolve('done'))).toBe('done');
    stuck.resolve();
    await stranger;
  });

  it('looks up the person of a call in turn, beside the work of other calls', async () => {
    const queue = new WorkQueue(1);
    const stuck = Promise.withResolvers<void>();
    const working = queue.run(turnOf(ana), () => stuck.promise);
    const order: string[] = [];
    const lookUp = ({ userId }: { userId: string }, name: string) =>
      queue.lookUp(userId, turnOf({}), async () => {
        await Promise.resolve();
        order.push(name);
      });
    await Promise.all([...['a1', 'a2', 'a3'].map((name) => lookUp(ana, name)), lookUp(bo, 'b1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
    stuck.resolve();
    await working;
  });

  it('does not begin a call that has waited too long, or whose caller is gone', async () => {
    const queue = new WorkQueue(1);
    const stuck = Promise.withResolvers<void>();
    const first = queue.run(turnOf(ana), () => stuck.promise);
    const begun: string[] = [];
    const begin = (name: string) => () => Promise.resolve(begun.push(name));
    const waitsTooLong = queue.run(turnOf(bo, { limitMs: 20 }), begin('too late'));
    const isGone = queue.run(turnOf(bo, { isGone: () => true }), begin('gone'));
    await expect(waitsTooLong).rejects.toMatchObject({ code: 'too_busy' });
    stuck.resolve();
    await first;
    await expect(isGone).rejects.toMatchObject({ code: 'too_busy' });
    expect(begun).toEqual([]);
  });

  it('gives the place of work that takes too long to another call only when it has ended', async () => {
    const queue = new WorkQueue(1);
    const stuck = Promise.withResolvers<void>();
    await expect(queue.run(turnOf(ana, { limitMs: 20 }), () => stuck.promise)).rejects.toThrow('late');
    let isBegun = false;
    const next = queue.run(turnOf(bo), async () => {
      await Promise.resolve();
      isBegun = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isBegun).toBe(false);
    stuck.resolve();
    await next;
    expect(isBegun).toBe(true);
  });
});
