import { defaultHeaderLimits } from '@selvage/core/mail/header-guard';
import { afterEach, describe, expect, it } from 'vitest';
import { MessageCollector } from './message-collector.ts';

const collectors: MessageCollector[] = [];

/** For tests whose lines are no header. */
const anyHeader = {
  maxHeaderBytes: Infinity,
  maxHeaderLines: Infinity,
  maxHeaderFields: Infinity,
  maxFieldBytes: Infinity,
};

/**
 * The memory of a collector counts against the budget of the process, so each is released after its
 * test.
 */
function makeCollector(maxBytes: number, budget?: number): MessageCollector {
  const collector = new MessageCollector({ maxBytes, header: anyHeader, ...(budget && { budget }) });
  collectors.push(collector);
  return collector;
}

afterEach(() => {
  for (const collector of collectors.splice(0)) collector.release();
});

describe('MessageCollector', () => {
  it('keeps every byte but the stuffed dots', () => {
    const collector = makeCollector(100);
    for (const line of ['a: b\r\n', '\r\n', '..x\r\n', '.y\r\n', 'z. \r\n']) collector.add(Buffer.from(line));
    expect(collector.finish()).toEqual({ kind: 'complete', raw: Buffer.from('a: b\r\n\r\n.x\r\ny\r\nz. \r\n') });
  });

  it('drops a message that grows beyond the limit', () => {
    const collector = makeCollector(10);
    collector.add(Buffer.alloc(8));
    collector.add(Buffer.alloc(8));
    expect(collector.finish()).toEqual({ kind: 'too_large' });
  });

  it('lets go of a message whose header is over a limit while it arrives, and of nothing for its body', () => {
    const collector = new MessageCollector({ maxBytes: 10_000_000, header: defaultHeaderLimits });
    collectors.push(collector);
    const before = process.memoryUsage().arrayBuffers;
    collector.add(Buffer.from('X-A: a\r\n'));
    collector.add(Buffer.from(' b\r\n'.repeat(1_000_000)));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_100_000);
    expect(collector.finish()).toEqual({ kind: 'bad_header', problem: 'too_many_header_lines' });
    const fine = makeCollector(10_000_000);
    fine.add(Buffer.from(`From: a@a.test\r\n\r\n${' b\r\n'.repeat(100_000)}`));
    expect(fine.finish().kind).toBe('complete');
  });

  it('takes a message of exactly the limit', () => {
    const collector = makeCollector(10);
    collector.add(Buffer.alloc(10));
    expect(collector.finish().kind).toBe('complete');
  });

  it('keeps lines whole that are longer than its blocks', () => {
    const collector = makeCollector(2_000_000);
    const lines = [1, 20_000, 500_000, 3].map((length, index) => Buffer.alloc(length, `${index}`));
    for (const line of lines) collector.add(line);
    expect(collector.finish()).toEqual({ kind: 'complete', raw: Buffer.concat(lines) });
  });

  it('takes no more memory for a message of empty lines than for any other', () => {
    const collector = makeCollector(4_000_000);
    const before = process.memoryUsage().heapUsed;
    for (let line = 0; line < 2_000_000; line++) collector.add(Buffer.from('\r\n'));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
    expect(collector.finish().kind).toBe('complete');
  });

  it('has no room while the messages of all connections fill the memory, and collects again after one is released', () => {
    const budget = 1_000_000;
    const [first, second] = [makeCollector(budget * 2, budget), makeCollector(budget * 2, budget)];
    first.add(Buffer.alloc(700_000));
    second.add(Buffer.alloc(700_000));
    expect(second.finish()).toEqual({ kind: 'no_room' });
    first.release();
    const third = makeCollector(budget * 2, budget);
    third.add(Buffer.alloc(700_000));
    expect(third.finish().kind).toBe('complete');
  });
});
