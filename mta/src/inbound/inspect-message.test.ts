import { describe, expect, it } from 'vitest';
import { inspectMessage } from './inspect-message.ts';

const windowBytes = 1_048_576;
const filled = (bytes: number, end: string) => Buffer.concat([Buffer.alloc(bytes, 'a'), Buffer.from(end)]);

describe('inspectMessage', () => {
  it.each<[string, Buffer, boolean]>([
    ['no CR', Buffer.from('From: a@a.test'), false],
    ['line ends', Buffer.from('From: a@a.test\r\n\r\n\r\n'), false],
    ['a CR in a line', Buffer.from('a\rb\r\n'), true],
    ['two CR before a LF', Buffer.from('a\r\r\n'), true],
    ['a CR at the very end', Buffer.from('a\r\n\r'), true],
    ['a line end across two windows', filled(windowBytes - 1, '\r\nb\r\n'), false],
    ['a line end that begins a window', filled(windowBytes, '\r\nb\r\n'), false],
    ['a bare CR across two windows', filled(windowBytes - 1, '\rb\r\n'), true],
    ['a bare CR that begins a window', filled(windowBytes, '\rb\r\n'), true],
    ['a CR that ends a message of one window', filled(windowBytes - 1, '\r'), true],
  ])('tells whether there is a bare CR: %s', async (_what, raw, expected) => {
    expect((await inspectMessage(raw)).hasBareCr).toBe(expected);
  });

  // The escape that ends the name looks like the beginning of a comment, which hides the address
  const name = '\x1b$B3t<02q<R\x1b(B';
  it.each([
    [`${name} <info@shop.test>`, true],
    [`"${name}" <info@shop.test>`, false],
    [`info@shop.test (${name})`, false],
    ['=?ISO-2022-JP?B?GyRCM3Q8MDJxPFIbKEI=?=<info@shop.test>', false],
  ])('tells whether a name in ISO-2022-JP leaves open whose the message is: %j', async (from, expected) => {
    const { isFromUnclear, fromAddresses } = await inspectMessage(Buffer.from(`From: ${from}\r\n\r\n`, 'latin1'));
    expect([isFromUnclear, fromAddresses]).toEqual([expected, expected ? 0 : 1]);
  });
});
