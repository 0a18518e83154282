import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { isAuthorMisread } from './checked-author.ts';

/** @param value of the From field, and the lines that follow it */
function misread(value: string, before = ''): boolean {
  const [from = ''] = value.split(/\r\n(?![ \t])/);
  const binary = (text: string) => Buffer.from(text).toString('latin1');
  const header = `Received: x\r\n${before}From: ${value}\r\nSubject: y`;
  return isAuthorMisread(binary(header), binary(from.replaceAll('\r\n', '')));
}

describe('isAuthorMisread', () => {
  it.each([
    '[<ceo@bank.test>',
    'Bank [eve@evil.test <ceo@bank.test>',
    'Bank [eve@evil.test\r\n <ceo@bank.test>',
    '<ceo@bank.test(',
    'ceo@bank.test\r\n:',
    'ceo@bank.test\r\n: eve@evil.test',
    'ceo@bank.test\r\nEve <eve@evil.test>',
    'ceo@bank.test\r\n\u00a0<eve@evil.test>',
    `ceo@bank.test${'\r\n: a@bank.test,'.repeat(3000)}`,
  ])('holds for %j, where DMARC would not check the domain that is shown', (from) => {
    expect(misread(from)).toBe(true);
  });

  it('holds for a second From field that mailauth alone reads', () => {
    expect(misread('ceo@bank.test', 'From\r\n: eve@evil.test\r\n')).toBe(true);
  });

  it('is quick for the longest header of lines that are no fields', () => {
    const start = cpuTimeMs();
    expect(misread(`ceo@bank.test${'\r\nx'.repeat(3990)}`)).toBe(false);
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });

  it.each([
    'ceo@bank.test',
    'ceo@bank.test\r\nno field',
    'CEO <ceo@BANK.test.>',
    'CEO\r\n\t<ceo@bank.test>',
    '[EXTERN] CEO <ceo@bank.test>',
    '[Ticket 7 <ceo@bank.test>',
    'CEO [ceo@bank.test] <ceo@bank.test>',
    'ceo@bank.test (Dr. A. Mann)',
    'Doe, Ann <ann@a.test>',
    'ann@a.test via List <list@list.test>',
    '"O\'Neil \\"X\\"" <ann@a.test>',
    'Group: ceo@bank.test;',
    'a..b.@docomo.test',
    '"a@b"@bank.test',
    'build@my_host.test',
    'scanner@printer',
    'scanner@[192.0.2.1]',
    'MFP <scanner@192.0.2.1>',
    'j\u00f6rg@b\u00fccher.test',
    'J\u00f6rg <j@STRASSE.test>',
    '=?utf-8?q?ceo=40bank.test?= <ceo@bank.test>',
    'undisclosed:;',
    'Cron Daemon <root>',
    '<>',
    '',
  ])('does not hold for %j', (from) => {
    expect(misread(from)).toBe(false);
  });
});
