import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { removeForgedResults } from './forged-results.ts';

const kept = 'From: a@a.test\r\nSubject: x\r\n';
const removed = (field: string) => {
  const header = `Received: first\r\n${field}\r\n${kept}\r\n`;
  const left = removeForgedResults(Buffer.from(header), 'mx.host.test').toString();
  if (left !== header) expect(left).toBe(`Received: first\r\n${kept}\r\n`);
  return left !== header;
};

describe('removeForgedResults', () => {
  it.each([
    'Authentication-Results: mx.host.test; spf=pass',
    'authentication-results : MX.Host.Test; spf=pass',
    'AUTHENTICATION-RESULTS:mx.host.test;\r\n dkim=pass\r\n\theader.d=bank.test',
    'Authentication-Results: mx.host.test 1; spf=pass',
    'Authentication-Results: mx.host.test/1; spf=pass',
    'Authentication-Results: mx.host.test',
    'Authentication-Results: mx.host.test.; none',
    'Authentication-Results:\r\n mx.host.test;\r\n spf=pass',
    'Authentication-Results: (a (nested; \\) comment) x.test;) mx.host.test (1) 1; spf=pass',
    'Authentication-Results: "mx.host.test"; spf=pass',
    'Authentication-Results: "mx\\.host.test" 1; spf=pass',
    'Authentication-Results: mx.host.test(comment); spf=pass',
    'Authentication-Results: ｍx.host.test; spf=pass',
  ])('removes %j', (field) => {
    expect(removed(field)).toBe(true);
  });

  it.each([
    'Authentication-Results: mx.other.test; spf=pass',
    'Authentication-Results: (mx.host.test;) mx.other.test; spf=pass',
    'Authentication-Results: not.mx.host.test; spf=pass',
    'Authentication-Results: mx.other.test; x="mx.host.test"',
    'X-Authentication-Results: mx.host.test; spf=pass',
    'Authentication-Results-Of: mx.host.test',
    'Subject: Authentication-Results: mx.host.test; spf=pass',
    'X: folded\r\n Authentication-Results: mx.host.test',
    'Authentication-Results:',
  ])('keeps %j', (field) => {
    expect(removed(field)).toBe(false);
  });

  it('takes linear time', () => {
    const start = cpuTimeMs();
    removeForgedResults(Buffer.from(`Authentication-Results: ${'('.repeat(200_000)}`), 'mx.host.test');
    removeForgedResults(Buffer.from(`Authentication-Results: "${'\\"'.repeat(100_000)}`), 'mx.host.test');
    removeForgedResults(Buffer.from('Authentication-Results: x\r\n'.repeat(8000)), 'mx.host.test');
    expect(cpuTimeMs() - start).toBeLessThan(1000);
  });
});
