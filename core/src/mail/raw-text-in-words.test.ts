import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { parseMessage } from './parse-message.ts';
import { escapeBareMarks, separateRawText } from './raw-text-in-words.ts';

describe('a bare question mark in an encoded word', () => {
  it.each([
    ['=?UTF-8?Q?Hast_du_Zeit??=', 'Hast du Zeit?'],
    ['=?UTF-8?q?Zeit?_Ja_=C3=A9?=', 'Zeit? Ja é'],
    ['=?UTF-8?Q?Zeit?=20Ja?=C3=A9?=', 'Zeit? Ja?é'],
    ['=?UTF-8?Q????= now', '?? now'],
    ['=?UTF-8?Q?One??= =?UTF-8?Q?_=C3=A9?_?=\r\n =?UTF-8?B?VHdvPw==?=', 'One? é? Two?'],
    ['=?iso-8859-1?Q?é?_=E9?=', 'é? é'],
    ['=?UTF-8?Q?Ol=C3=A9?=ABC, you?', 'OléABC, you?'],
    ['Is it =?UTF-8?Q?so?= or not? =?', 'Is it so or not? =?'],
  ])('is read as one: %s', async (subject, read) => {
    expect((await parseMessage(Buffer.from(`Subject: ${subject}\r\n\r\n`))).subject).toBe(read);
  });

  it('is read in the name of a person', async () => {
    const { from } = await parseMessage(Buffer.from('From: =?UTF-8?Q?Who_is_B=C3=A9a??= <bea@x.test>\r\n\r\n'));
    expect(from).toEqual({ name: 'Who is Béa?', address: 'bea@x.test' });
  });

  it.each(['?', '=?u?Q?a', '=?u?Q??', '?=20', '=?u?Q?a?= ', '=?u?Q?'])(
    'takes linear time on a megabyte of %j',
    (piece) => {
      const started = cpuTimeMs();
      for (const tail of ['', '?=']) {
        separateRawText(`=?u?Q?${piece.repeat(1_000_000 / piece.length)}${tail}`);
      }
      expect(cpuTimeMs() - started).toBeLessThan(3000);
    },
  );

  it('is left as it is in words of Base64', () => {
    expect(escapeBareMarks('=?u?B?a?b?=')).toBe('=?u?B?a?b?=');
  });
});
