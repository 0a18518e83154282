import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../tests/support/cpu-time.ts';
import { headerOf, hopsOf } from './message-hops.ts';

const header = [
  'Received: from mx.remote.test (from inner by nobody [192.0.2.1])',
  '\tby host.test with ESMTPS id 7; Mon, 23 Nov 2026 12:00:09 +0000',
  'Received: from laptop.local by mx.remote.test; Mon, 23 Nov 2026 13:00:04 +0100 (CET)',
  'received: by laptop.local; Mon, 23 Nov 2026 12:00:00 +0000',
  'Subject: Received: from x by y',
].join('\r\n');

describe('hopsOf', () => {
  it('tells who handed the message to whom, and how long each step took', () => {
    expect(hopsOf(header).map(({ from, by, seconds }) => [from, by, seconds])).toEqual([
      [null, 'laptop.local', null],
      ['laptop.local', 'mx.remote.test', 4],
      ['mx.remote.test', 'host.test', 5],
    ]);
  });

  it('keeps what it can of fields that say little or lie', () => {
    const [second, first] = hopsOf('Received: from a by b; yesterday\nReceived: nonsense').toReversed();
    expect(first).toEqual({ from: null, by: '?', at: null, seconds: null });
    expect(second).toEqual({ from: 'a', by: 'b', at: null, seconds: null });
    expect(hopsOf('')).toEqual([]);
    expect(hopsOf('Received: by x\n'.repeat(500))).toHaveLength(50);
  });

  it('stays fast on a header made to be slow', () => {
    const started = cpuTimeMs();
    hopsOf(`Received: ${'('.repeat(30_000)}from ${' by'.repeat(10_000)};${'('.repeat(20_000)}`);
    expect(cpuTimeMs() - started).toBeLessThan(300);
  });
});

it('takes the header alone', () => {
  expect(headerOf('A: 1\r\nB: 2\r\n\r\nC: 3')).toBe('A: 1\r\nB: 2');
  expect(headerOf('A: 1')).toBe('A: 1');
});
