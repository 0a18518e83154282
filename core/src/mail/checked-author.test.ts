import { describe, expect, it } from 'vitest';
import { isAuthorMisread } from './checked-author.ts';

const misread = (from: string) => isAuthorMisread(Buffer.from(from).toString('latin1'));

describe('isAuthorMisread', () => {
  it.each([
    '[<ceo@bank.test>',
    'Bank [eve@evil.test <ceo@bank.test>',
    'Bank [eve@evil.test\r\n <ceo@bank.test>',
    '<ceo@bank.test(',
  ])('holds for %j, where DMARC would not check the domain that is shown', (from) => {
    expect(misread(from)).toBe(true);
  });

  it.each([
    'ceo@bank.test',
    'CEO <ceo@BANK.test.>',
    'CEO\r\n\t<ceo@bank.test>\r\n',
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
