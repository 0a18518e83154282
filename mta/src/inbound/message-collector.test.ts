import { defaultHeaderLimits } from '@selvage/core/mail/header-guard';
import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '@selvage/core/memory-budget';
import { MessageCollector } from './message-collector.ts';

function makeBudget(bytes: number, bytesPerSource = bytes): MemoryBudget {
  return new MemoryBudget({ bytes, bytesPerSource, slots: 100, slotsPerSource: 100 });
}

/** For tests whose lines are no header. */
const anyHeader = {
  maxHeaderBytes: Infinity,
  maxHeaderLines: Infinity,
  maxHeaderFields: Infinity,
  maxFieldBytes: Infinity,
};

function makeCollector(maxMessageBytes: number, budget = makeBudget(10_000_000), source = 'a'): MessageCollector {
  const limits = { maxMessageBytes, headerLimits: anyHeader };
  return new MessageCollector(limits, (giveWay) => budget.open(source, giveWay));
}

describe('MessageCollector', () => {
  it('keeps every byte but the stuffed dots', async () => {
    const collector = makeCollector(100);
    for (const line of ['a: b\r\n', '\r\n', '..x\r\n', '.y\r\n', 'z. \r\n']) collector.addLine(Buffer.from(line));
    expect(await collector.finish()).toEqual({ kind: 'complete', raw: Buffer.from('a: b\r\n\r\n.x\r\ny\r\nz. \r\n') });
  });

  it('drops a message that grows beyond the limit', async () => {
    const collector = makeCollector(10);
    collector.addLine(Buffer.alloc(8));
    collector.addLine(Buffer.alloc(8));
    expect(await collector.finish()).toEqual({ kind: 'too_large' });
  });

  it('lets go of a message whose header is over a limit while it arrives, and of nothing for its body', async () => {
    const budget = makeBudget(10_000_000);
    const limits = { maxMessageBytes: 10_000_000, headerLimits: defaultHeaderLimits };
    const collector = new MessageCollector(limits, (giveWay) => budget.open('a', giveWay));
    collector.addLine(Buffer.from('X-A: a\r\n'));
    collector.addLine(Buffer.from(' b\r\n'.repeat(1_000_000)));
    expect(budget.bytes).toBe(0);
    expect(await collector.finish()).toEqual({ kind: 'bad_header', problem: 'too_many_header_lines' });
    const fine = new MessageCollector(limits, (giveWay) => budget.open('a', giveWay));
    fine.addLine(Buffer.from(`From: a@a.test\r\n\r\n${' b\r\n'.repeat(100_000)}`));
    expect((await fine.finish()).kind).toBe('complete');
  });

  it('holds a message that has come until it is released, also when its peer has gone', async () => {
    const budget = makeBudget(10_000_000);
    const [partial, whole] = [makeCollector(100_000, budget), makeCollector(100_000, budget)];
    for (const collector of [partial, whole]) collector.addLine(Buffer.alloc(50_000));
    const held = budget.bytes;
    const finished = whole.finish();
    partial.drop();
    whole.drop();
    expect(budget.bytes).toBe(held / 2);
    await finished;
    whole.release();
    expect(budget.bytes).toBe(0);
  });

  it('takes a message of exactly the limit', async () => {
    const collector = makeCollector(10);
    collector.addLine(Buffer.alloc(10));
    expect((await collector.finish()).kind).toBe('complete');
  });

  it('keeps lines whole that are longer than its blocks', async () => {
    const collector = makeCollector(2_000_000);
    const lines = [1, 20_000, 500_000, 3].map((length, index) => Buffer.alloc(length, `${index}`));
    for (const line of lines) collector.addLine(line);
    expect(await collector.finish()).toEqual({ kind: 'complete', raw: Buffer.concat(lines) });
  });

  it('takes no more memory for a message of empty lines than for any other', async () => {
    const collector = makeCollector(4_000_000);
    const before = process.memoryUsage().heapUsed;
    for (let line = 0; line < 2_000_000; line++) collector.addLine(Buffer.from('\r\n'));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
    expect((await collector.finish()).kind).toBe('complete');
  });

  it('asks to come again while the messages of all connections fill the memory, and takes them once there is room', async () => {
    const budget = makeBudget(1_000_000);
    const [first, second] = [makeCollector(2_000_000, budget), makeCollector(2_000_000, budget)];
    first.addLine(Buffer.alloc(700_000));
    second.addLine(Buffer.alloc(700_000));
    expect(await second.finish()).toEqual({ kind: 'no_room' });
    first.release();
    const third = makeCollector(2_000_000, budget);
    third.addLine(Buffer.alloc(700_000));
    expect((await third.finish()).kind).toBe('complete');
  });

  it('lets a large message that still arrives give way to a small one of another network', async () => {
    const budget = makeBudget(1_200_000);
    const [large, small] = [makeCollector(2_000_000, budget, 'a'), makeCollector(2_000_000, budget, 'b')];
    large.addLine(Buffer.alloc(900_000));
    expect(budget.bytes).toBeGreaterThan(900_000);
    small.addLine(Buffer.alloc(300_000));
    expect((await small.finish()).kind).toBe('complete');
    large.addLine(Buffer.alloc(1));
    expect(await large.finish()).toEqual({ kind: 'no_room' });
  });

  it('takes no message that is complete away from its reader', async () => {
    const budget = makeBudget(1_200_000);
    const [complete, late] = [makeCollector(2_000_000, budget, 'a'), makeCollector(2_000_000, budget, 'b')];
    complete.addLine(Buffer.alloc(900_000));
    expect((await complete.finish()).kind).toBe('complete');
    late.addLine(Buffer.alloc(300_000));
    expect(await late.finish()).toEqual({ kind: 'no_room' });
    complete.release();
    late.release();
    expect(budget.bytes).toBe(0);
  });
});
