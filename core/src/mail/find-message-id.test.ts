import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { findMessageId } from './find-message-id.ts';

describe('findMessageId', () => {
  it.each<[string, string, string | null]>([
    ['in a header', 'From: a@b.test\r\nMessage-ID: <one@b.test>\r\n\r\ntext', '<one@b.test>'],
    ['whatever the case', 'MESSAGE-id:<One@B.test>\r\n\r\n', '<One@B.test>'],
    ['on a line of its own', 'Message-ID:\r\n <folded@b.test>\r\nTo: x\r\n\r\n', '<folded@b.test>'],
    ['without brackets', 'Message-ID: bare@b.test\r\n\r\n', '<bare@b.test>'],
    ['in a header that was cut off', 'Message-ID: <cut@b.test>\r\nSubject: x', '<cut@b.test>'],
    ['not in the text', 'Subject: x\r\n\r\nMessage-ID: <text@b.test>\r\n', null],
    ['not in another field', 'X-Message-ID: <x@b.test>\r\nSubject: Message-ID: <y@b.test>\r\n\r\n', null],
    ['the first of several', 'Message-ID: <a@b.test>\r\nMessage-ID: <c@b.test>\r\n\r\n', '<a@b.test>'],
    ['not where there are spaces', 'Message-ID: no id here\r\n\r\n', null],
  ])('finds it %s', (_what, raw, expected) => {
    expect(findMessageId(Buffer.from(raw))).toBe(expected);
  });

  it('reads no more than the beginning of a long header', () => {
    const hostile = Buffer.from(`X: ${'\r\n \r\n '.repeat(2_000_000)}\r\nMessage-ID: <late@b.test>\r\n\r\n`);
    const begin = cpuTimeMs();
    expect(findMessageId(hostile)).toBeNull();
    expect(cpuTimeMs() - begin).toBeLessThan(200);
  });
});
