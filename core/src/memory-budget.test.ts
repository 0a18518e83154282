import { describe, expect, it } from 'vitest';
import { type BudgetLimits, MemoryBudget, type MemoryShare } from './memory-budget.ts';

const mega = 1_048_576;

function makeBudget(limits: Partial<BudgetLimits> = {}): MemoryBudget {
  return new MemoryBudget({ bytes: 10 * mega, bytesPerSource: 6 * mega, slots: 100, slotsPerSource: 10, ...limits });
}

/** Waits for bytes, and tells in `begun` when they are there. */
function waitFor(budget: MemoryBudget, begun: string[], source: string, megabytes: number, name = source) {
  return budget.wait(source, megabytes * mega).then((share) => {
    begun.push(name);
    return share;
  });
}

/** What has become of all that was possible. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a message that is read whole', () => {
  it('waits until there is room, and has its bytes until it is released', async () => {
    const budget = makeBudget();
    const begun: string[] = [];
    const first = await waitFor(budget, begun, 'a', 6);
    const second = waitFor(budget, begun, 'b', 5);
    await settled();
    expect(begun).toEqual(['a']);
    first.release();
    const share = await second;
    expect(budget.bytes).toBe(5 * mega);
    share.release();
    expect(budget.bytes).toBe(0);
  });

  it('gives its bytes back when the work on it fails', async () => {
    const budget = makeBudget();
    await expect(budget.run('a', 5 * mega, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(budget.bytes).toBe(0);
    expect(await budget.run('a', 5 * mega, () => Promise.resolve(budget.bytes))).toBe(5 * mega);
  });

  it('waits for its own source alone when that has all it may have', async () => {
    const budget = makeBudget();
    const begun: string[] = [];
    const first = await waitFor(budget, begun, 'a', 4, 'a1');
    const second = waitFor(budget, begun, 'a', 4, 'a2');
    await waitFor(budget, begun, 'b', 4);
    expect(begun).toEqual(['a1', 'b']);
    first.release();
    await second;
    expect(begun).toEqual(['a1', 'b', 'a2']);
  });

  it('has its turn however much waits from another source, and is not overtaken by smaller ones', async () => {
    const budget = makeBudget();
    const begun: string[] = [];
    const held = await Promise.all([waitFor(budget, begun, 'x', 6), waitFor(budget, begun, 'y', 4)]);
    const flood = ['a1', 'a2', 'a3'].map((name) => waitFor(budget, begun, 'a', 2, name));
    const large = waitFor(budget, begun, 'b', 6);
    const small = waitFor(budget, begun, 'c', 1);
    for (const share of held.toReversed()) {
      share.release();
      await settled();
    }
    // a1, then b has to wait for x, and c behind it
    expect(begun).toEqual(['x', 'y', 'a1', 'b', 'c']);
    const shares: Promise<MemoryShare>[] = [...flood, large, small];
    for (const share of shares) void share.then((done) => done.release());
    await Promise.all(shares);
    expect(budget.bytes).toBe(0);
  });

  it('leaves half of all to others when it may be held for long, and these do not wait behind it', async () => {
    const budget = makeBudget({ bytesPerSource: 4 * mega });
    const begun: string[] = [];
    const lasting = (source: string, megabytes: number) =>
      budget.wait(source, megabytes * mega, undefined, true).then((share) => {
        begun.push(source);
        return share;
      });
    const first = await lasting('a', 4);
    const second = lasting('b', 2);
    await waitFor(budget, begun, 'c', 4);
    expect(begun).toEqual(['a', 'c']);
    first.release();
    (await second).release();
    expect(budget.bytes).toBe(4 * mega);
    // What was given back counts no longer
    (await lasting('d', 4)).release();
  });

  it('is not overtaken by smaller ones that may be held for long, only by others', async () => {
    const budget = makeBudget({ bytesPerSource: 4 * mega });
    const begun: string[] = [];
    const lasting = (source: string, megabytes: number) =>
      budget.wait(source, megabytes * mega, undefined, true).then((share) => {
        begun.push(source);
        return share;
      });
    const first = await lasting('a', 2);
    const large = lasting('b', 4);
    const smaller = lasting('c', 1);
    await waitFor(budget, begun, 'd', 1);
    expect(begun).toEqual(['a', 'd']);
    first.release();
    await Promise.all([large, smaller]);
    expect(begun).toEqual(['a', 'd', 'b', 'c']);
  });

  it('is the only one that may be held for long when it takes more than half of all', async () => {
    const budget = makeBudget();
    const first = await budget.wait('a', 6 * mega, undefined, true);
    const second = budget.wait('b', mega, undefined, true);
    first.release();
    (await second).release();
    expect(budget.bytes).toBe(0);
  });

  it('that may be held for long and waits does not keep back others of its source', async () => {
    const budget = makeBudget({ bytesPerSource: 6 * mega });
    const first = await budget.wait('a', 5 * mega, undefined, true);
    const behind = budget.wait('b', 4 * mega, undefined, true);
    (await budget.wait('b', 2 * mega)).release();
    first.release();
    (await behind).release();
    expect(budget.bytes).toBe(0);
  });

  it('gives back what only reading needed, and another one begins', async () => {
    const budget = makeBudget({ bytesPerSource: 4 * mega });
    const begun: string[] = [];
    const first = await budget.wait('a', 4 * mega, undefined, true);
    const second = budget.wait('b', 3 * mega, undefined, true).then(() => begun.push('b'));
    first.keep(3 * mega);
    await settled();
    expect(begun).toEqual([]);
    first.keep(2 * mega);
    await second;
    expect(budget.bytes).toBe(5 * mega);
    first.keep(4 * mega);
    expect(budget.bytes).toBe(5 * mega);
  });

  it('counts as one that may be held for long until it has arrived', async () => {
    const budget = makeBudget();
    const arriving = budget.take('a', 4 * mega, true);
    expect(() => budget.take('b', 3 * mega, true)).toThrow(expect.objectContaining({ code: 'too_much_at_once' }));
    expect(budget.open('b', null, true)?.grow(3 * mega)).toBe(false);
    arriving.arrived();
    budget.take('b', 5 * mega, true).release();
    arriving.release();
    await budget.wait('c', 6 * mega, undefined, true);
    expect(budget.bytes).toBe(6 * mega);
  });

  it('takes no more than its source may have, so that the largest one is read too', async () => {
    const budget = makeBudget();
    const share = await budget.wait('a', 60 * mega);
    expect(budget.bytes).toBe(6 * mega);
    share.release();
  });

  it('is not counted when it is small, also when all memory is taken', async () => {
    const budget = makeBudget({ bytesPerSource: 10 * mega });
    await budget.wait('a', 10 * mega);
    (await budget.wait('b', 60_000)).release();
    expect(budget.bytes).toBe(10 * mega);
  });

  it('is refused when the time is over for which it may wait', async () => {
    const budget = makeBudget();
    budget.take('a', 6 * mega);
    const late = budget.run('b', 6 * mega, () => Promise.resolve('read'), AbortSignal.timeout(1));
    await expect(late).rejects.toMatchObject({ status: 503, code: 'too_much_at_once' });
  });

  it('waits no longer than its reader', async () => {
    const budget = makeBudget();
    const share = await budget.wait('a', 6 * mega);
    const reader = new AbortController();
    const waiting = budget.wait('b', 6 * mega, reader.signal);
    reader.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(budget.wait('b', 6 * mega, reader.signal)).rejects.toThrow('gone');
    share.release();
    expect(budget.bytes).toBe(0);
    expect(await budget.run('c', 6 * mega, () => Promise.resolve('read'))).toBe('read');
  });

  it.each([
    [false, 6],
    [true, 3],
  ])('begins when the one before it gives up (it may be held for long: %s)', async (isLasting, megabytes) => {
    const budget = makeBudget();
    await budget.wait('a', megabytes * mega, undefined, isLasting);
    const reader = new AbortController();
    const before = budget.wait('b', 5 * mega, reader.signal, isLasting);
    const behind = budget.wait('c', mega, undefined, isLasting);
    expect(budget.bytes).toBe(megabytes * mega);
    reader.abort(new Error('gone'));
    await expect(before).rejects.toThrow('gone');
    await behind;
    expect(budget.bytes).toBe((megabytes + 1) * mega);
  });

  it('is refused when too many wait, of the source with the most', async () => {
    const budget = makeBudget();
    const share = await budget.wait('x', 6 * mega);
    const flood = Array.from({ length: 500 }, () => budget.wait('a', 6 * mega));
    const other = budget.wait('b', 6 * mega);
    await expect(flood.at(-1)).rejects.toMatchObject({ status: 503, code: 'too_much_at_once' });
    const all = [...flood.slice(0, -1), other];
    for (const waiting of all) void waiting.then((done) => done.release());
    share.release();
    await Promise.all(all);
    expect(budget.bytes).toBe(0);
  });

  it('can be refused at once', () => {
    const budget = makeBudget();
    budget.take('a', 6 * mega);
    expect(() => budget.take('b', 5 * mega)).toThrow(expect.objectContaining({ code: 'too_much_at_once' }));
    expect(budget.bytes).toBe(6 * mega);
  });

  it('that asks at once does not overtake one that waits for room', async () => {
    const budget = makeBudget();
    const first = budget.take('a', 6 * mega);
    const waiting = budget.wait('b', 5 * mega);
    expect(() => budget.take('c', mega)).toThrow(expect.objectContaining({ code: 'too_much_at_once' }));
    first.release();
    await waiting;
    // One that waits for its own source alone delays no others
    void budget.wait('b', 5 * mega);
    budget.take('c', mega);
    expect(budget.bytes).toBe(6 * mega);
  });
});
