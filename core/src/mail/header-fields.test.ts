import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const mail = (lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1');

describe('raw bytes of a header', () => {
  const japanese = '\x1b$B$3$s\x1b(B';
  it.each([
    ['of a text in KOI8-R', '\xf0\xd2\xc9', 'koi8-r', 'При'],
    ['of a text in Shift_JIS', '\x95\\\x83@', 'Shift_JIS', '表ァ'],
    ['of a text in UTF-8', '\xc3\xa9', 'koi8-r', 'é'],
    ['of a text in an unknown charset', '\xe9', 'x-no', 'é'],
    ['in ISO-2022-JP', japanese, 'us-ascii', 'こん'],
  ])('are read in the charset %s', async (_case, bytes, charset, words) => {
    const whole = mail([
      `From: ${bytes} <a@b.c>`,
      `Subject: ${bytes}`,
      `Content-Type: text/plain; charset=${charset}`,
      '',
      '',
    ]);
    expect(await parseMessage(whole)).toMatchObject({ subject: words });
    const divided = [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      `Content-Type: text/plain; charset=${charset}`,
    ];
    const { subject, from } = await parseMessage(
      mail([`From: <a@b.c>`, `Subject: ${bytes}`, ...divided, '', 'x', '--b--']),
    );
    expect([subject, from]).toEqual([words, { name: '', address: 'a@b.c' }]);
  });

  it.each([
    ['koi8-r', '\xf0\xd2\xc9 <a@b.c>', { name: 'При', address: 'a@b.c' }],
    // What DMARC has judged stays the address
    ['us-ascii', '\x1b$B"<\x1b(B <a@bank.test>, " <b@evil.test>', { address: 'b@evil.test' }],
    ['shift_jis', 'a\x83@b.c', { address: 'aƒ@b.c' }],
  ])('give a name, and no other address: %s, %j', async (charset, bytes, from) => {
    const raw = mail([`From: ${bytes}`, `Content-Type: text/plain; charset=${charset}`, '', '']);
    expect(await parseMessage(raw)).toMatchObject({ from });
  });

  it.each([
    ['gbk', '\xb1\xa8\xb8\xe6.pdf', '报告.pdf'],
    ['koi8-r', '\xf0\xd2\xc9.pdf', 'При.pdf'],
    ['utf-8', 'B\xfcro \x80.pdf', 'Büro €.pdf'],
    ['koi8-r', Buffer.from('Größe é.pdf').toString('latin1'), 'Größe é.pdf'],
    ['koi8-r', '=?iso-8859-1?Q?=E9?=.pdf', 'é.pdf'],
    ['shift_jis', '\x90\\\x90\xbf \x95\\.pdf', '申請 表.pdf'],
    ['big5', '\xb3\\\xa5i.pdf', '許可.pdf'],
    ['koi8-r', '\xf0\xd2\xc9 \\"x\\".pdf', 'При _x_.pdf'],
  ])('give a file of a text in %s its name: %j', async (charset, bytes, name) => {
    const text = ['--b', `Content-Type: text/plain; charset=${charset}`, '', 'x'];
    const named = [
      `Content-Type: application/pdf; name="${bytes}"`,
      `Content-Disposition: attachment; filename="${bytes}"`,
    ];
    const raw = mail(['Content-Type: multipart/mixed; boundary=b', '', ...text, '--b', ...named, '', 'x', '--b--']);
    expect((await parseMessage(raw)).attachments.map(({ filename }) => filename)).toEqual([name]);
  });
});
