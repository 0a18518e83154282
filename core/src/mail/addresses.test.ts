import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { addressProblem } from './address-rules.ts';
import { normaliseAddress, parseAddress, parseAddressList } from './addresses.ts';

describe('addressProblem', () => {
  it.each([
    ['ann@example.com', null],
    ["o'neil+tag@sub.example.co.uk", null],
    ['jürgen@exämple.de', null],
    [`${'a'.repeat(242)}@example.com`, null],
    [`${'ü'.repeat(122)}@example.com`, 'Email must be 254 characters or less'],
    [
      `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`,
      'Email must be 254 characters or less',
    ],
    ['a@b@example.com', 'Email must contain a single @'],
    ['example.com', 'Email must contain a single @'],
    ['', 'Email must contain a single @'],
    ['@example.com', 'Invalid email address format'],
    ['a@', 'Invalid email address format'],
    ['a@localhost', 'Invalid email address format'],
    ['a..b@example.com', 'Invalid email address format'],
    ['.a@example.com', 'Invalid email address format'],
    ['a b@example.com', 'Invalid email address format'],
    ['ann@my_shop.example.com', null],
    ['a@-example.com', 'Invalid email address format'],
    ['a@example..com', 'Invalid email address format'],
    ['a@1.2.3.4', 'Invalid email address format'],
    ['a@[1.2.3.4]', 'Invalid email address format'],
    ['a@example.com\r\nBcc: x@y.z', 'Email must contain a single @'],
    ['a@example.com\n', 'Invalid email address format'],
    ['a\u202e@example.com', 'Invalid email address format'],
    ['<a@example.com>', 'Invalid email address format'],
    ['प्रिया@डाटामेल.भारत', null],
    ['用户名々ー@例え.テスト', null],
    ['col·lectiu@col·lectiu.example', null],
    ['“ann@example.com”', 'Invalid email address format'],
    ['‘ann@example.com’', 'Invalid email address format'],
    ['«ann@example.com»', 'Invalid email address format'],
    ['•ann@example.com', 'Invalid email address format'],
    ['·ann@example.com', 'Invalid email address format'],
    ['ann@example.com・', 'Invalid email address format'],
    ['ann@example.com–', 'Invalid email address format'],
    ['ann@example.com…', 'Invalid email address format'],
    ['ann@example.com、', 'Invalid email address format'],
    ['（ann@example.com）', 'Invalid email address format'],
    ['Email：ann@example.com', 'Invalid email address format'],
  ])('says about %j: %j', (address, problem) => {
    expect(addressProblem(address)).toBe(problem);
  });
});

describe('parseAddress', () => {
  it.each([
    ['Ann@EXAMPLE.com', 'Ann@example.com'],
    ['a@exämple.de', 'a@xn--exmple-cua.de'],
    ['"ann"@example.com', 'ann@example.com'],
    ['"ann b"@example.com', '"ann b"@example.com'],
    ['root@localhost', 'root@localhost'],
    // A person may not write to it, but mail may come from it
    ['★offer★@example.com', '★offer★@example.com'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
    [`${'a'.repeat(243)}@example.com`, null],
    ['bounce_x@News_Letter.example.com', 'bounce_x@news_letter.example.com'],
    ['a@１.2.3.4', null],
    ['a@１２７.1', null],
    ['"a@b"@example.com', null],
    ['a@exa%6dple.com', null],
    ['a@example.com.', null],
  ])('reads %j as %j', (text, address) => {
    expect(parseAddress(text)?.address ?? null).toBe(address);
  });

  it('gives one form for look-ups', () => {
    expect(normaliseAddress(' Ann@EXÄMPLE.de ')).toBe('ann@xn--exmple-cua.de');
  });
});

describe('parseAddressList', () => {
  it.each([
    ['"B, C" <d@e.f>, g@h.i', ['d@e.f', 'g@h.i']],
    ['Friends: a@b.c, "x" <d@e.f>;, g@h.i', ['a@b.c', 'd@e.f', 'g@h.i']],
    ['undisclosed-recipients:;', []],
    ['"a@evil.example" <b@good.example>', ['b@good.example']],
    ['a@b.c (comment <x@y.z>)', ['a@b.c']],
  ])('finds the mailboxes of %j', (text, addresses) => {
    expect(parseAddressList(text).map((mailbox) => mailbox.address)).toEqual(addresses);
  });

  it('never makes an address of what an encoded name says', () => {
    const decode = () => 'boss@corp.example <boss@corp.example>';
    const list = parseAddressList('=?utf-8?q?x?= <real@evil.example>', decode);
    expect(list).toEqual([{ name: 'boss@corp.example <boss@corp.example>', address: 'real@evil.example' }]);
  });

  it.each(['<', '"', '(', ',', 'a@', '\\', ':;', '<<a@b.c>'])('stays fast on half a megabyte of %j', (piece) => {
    const started = cpuTimeMs();
    parseAddressList(piece.repeat(500_000 / piece.length));
    expect(cpuTimeMs() - started).toBeLessThan(3000);
  });
});
