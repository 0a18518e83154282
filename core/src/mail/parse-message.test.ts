import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { extractAttachment, parseMessage } from './parse-message.ts';
import { MessageTooComplex } from './parsed-message.ts';

const mail = (lines: string[], encoding: BufferEncoding = 'latin1') => Buffer.from(lines.join('\r\n'), encoding);
const withText = (contentType: string, base64: string) =>
  mail([`Content-Type: ${contentType}`, 'Content-Transfer-Encoding: base64', '', base64]);
const pngHead = '\x89PNG\r\n\x1a\n';
const withFile = (...header: string[]) =>
  mail(['Content-Type: multipart/mixed; boundary=b', '', '--b', ...header, '', 'x', '--b--']);

describe('charsets', () => {
  it.each([
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s$K$A$O\x1b(B', 'latin1').toString('base64'), 'こんにちは'],
    ['windows-1251', Buffer.from([0xcf, 0xf0, 0xe8]).toString('base64'), 'При'],
    ['koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]).toString('base64'), 'При'],
    ['gb18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]).toString('base64'), '你好'],
    ['utf-7', Buffer.from('+AOk-t+AOk-').toString('base64'), 'été'],
    ['utf-16le', Buffer.from('été', 'utf16le').toString('base64'), 'été'],
    ['us-ascii', Buffer.from('été').toString('base64'), 'été'],
    ['us-ascii', Buffer.from('été', 'latin1').toString('base64'), 'été'],
    ['utf-8', Buffer.from('“é”'.normalize()).toString('base64'), '“é”'],
    ['utf-8', Buffer.from([0x93, 0xe9, 0x94]).toString('base64'), '“é”'],
    ['utf-8', Buffer.concat([Buffer.from('“Grüße”'), Buffer.from([0x96])]).toString('base64'), '“Grüße”�'],
    ['no-such-charset', Buffer.from('été', 'latin1').toString('base64'), 'été'],
  ])('reads %s', async (charset, bytes, text) => {
    expect((await parseMessage(withText(`text/plain; charset=${charset}`, bytes))).text).toBe(text);
  });

  it('joins flowed lines, with delsp', async () => {
    const raw = mail(['Content-Type: text/plain; format=flowed; delsp=yes', '', 'foo ', 'bar', 'end']);
    expect((await parseMessage(raw)).text).toBe('foobar\nend');
  });

  it.each([
    ['quoted lines', '> one \r\n> two\r\nthree', '> one two\nthree'],
    ['quotes of two depths', '> one \r\n>> two \r\n>> three\r\nfour', '> one \n>> two three\nfour'],
    ['quotes with spaces between their signs', '> > one \r\n> > two', '> > one \n> > two'],
    ['the mark of a signature', 'one \r\n-- \r\nNora', 'one \n-- \nNora'],
    ['an empty quoted line', '> one\r\n>\r\n> two', '> one\n>\n> two'],
    ['a space that stands before a word', '  one\r\n From two', ' one\nFrom two'],
  ])('reads flowed text with %s', async (_case, text, shown) => {
    const raw = mail(['Content-Type: text/plain; format=flowed', '', text]);
    expect((await parseMessage(raw)).text).toBe(shown);
  });

  const russian = Buffer.from([0xcf, 0xf0, 0xe8]);
  it.each([
    ['<meta charset="windows-1251">', russian, 'При'],
    ['<META http-equiv=Content-Type content="text/html; charset=Windows-1251">', russian, 'При'],
    ['<meta charset=windows-1251>', Buffer.from('été'), 'été'],
    ['<meta charset=utf-8>', russian, 'Ïðè'],
    ['<meta charset=utf-16le>', russian, 'Ïðè'],
    ['<meta charset=no-such-charset>', russian, 'Ïðè'],
    [`${' '.repeat(1024)}<meta charset=windows-1251>`, russian, 'Ïðè'],
  ])('reads HTML whose charset stands in it alone: %s', async (head, bytes, words) => {
    const raw = Buffer.concat([mail(['Content-Type: text/html', '', head, '']), bytes]);
    expect((await parseMessage(raw)).html?.split('\n').at(-1)).toBe(words);
  });

  it('believes what a part says of its charset more than its HTML', async () => {
    const html = Buffer.concat([Buffer.from('<meta charset=windows-1251>'), Buffer.from('é', 'latin1')]);
    const { html: read } = await parseMessage(withText('text/html; charset=iso-8859-1', html.toString('base64')));
    expect(read?.endsWith('é')).toBe(true);
  });

  it.each([
    ['text', 'text', 'été'],
    ['plain', 'text', 'été'],
    ['', 'text', 'été'],
    ['text/plain, charset=utf-8', 'text', 'été'],
    ['text/plain charset=windows-1251', 'text', 'Гіtй'],
    ['text/html charset=utf-8', 'html', 'été'],
    ['text/html,', 'html', 'été'],
  ] as const)('reads a text that calls itself %j', async (contentType, form, words) => {
    const bytes = words === 'été' ? Buffer.from(words) : Buffer.from([0xc3, 0xb3, 0x74, 0xe9]);
    const parts = ['Content-Type: multipart/mixed; boundary=b', '', '--b', `Content-Type: ${contentType}`, '', ''];
    const raw = Buffer.concat([mail(parts), bytes, mail(['', '--b--'])]);
    const parsed = await parseMessage(raw);
    expect(parsed[form]).toBe(words);
    expect(parsed.attachments).toEqual([]);
  });

  it.each([
    ['text, with a name', 'Content-Disposition: inline; filename=a.txt', 'text'],
    ['text, attached', 'Content-Disposition: attachment', 'text'],
    ['another kind', 'X-Other: field', 'application/pdf, name=a.pdf'],
  ])('keeps a file whose type is invalid: %s', async (_case, field, contentType) => {
    const { attachments, text } = await parseMessage(withFile(`Content-Type: ${contentType}`, field));
    expect([attachments.length, text]).toEqual([1, null]);
  });

  it('leaves HTML as it is that calls itself flowed', async () => {
    const raw = mail(['Content-Type: text/html; format=flowed', '', '<pre>one ', ' two</pre>']);
    expect((await parseMessage(raw)).html).toBe('<pre>one \n two</pre>');
  });

  it.each([
    ['raw UTF-8', Buffer.from('Subject: Olé\r\n\r\n'), 'Olé'],
    ['raw Latin-1', Buffer.from('Subject: Olé\r\n\r\n', 'latin1'), 'Olé'],
    ['encoded words', Buffer.from('Subject: =?utf-8?Q?Ol=C3?=\r\n =?utf-8?Q?=A9?=\r\n\r\n'), 'Olé'],
    ['encoded line breaks', Buffer.from('Subject: =?utf-8?Q?a=0D=0ABcc:_x?=\r\n\r\n'), 'a Bcc: x'],
    ['raw UTF-8 in an encoded word of that charset', Buffer.from('Subject: =?utf-8?Q?Olé_=C3=A9?=\r\n\r\n'), 'Olé é'],
    ['raw UTF-8 in another encoded word', Buffer.from('Subject: =?iso-8859-1?Q?Olé_=E9?=\r\n\r\n'), 'Olé é'],
    ['raw Latin-1 in an encoded word', Buffer.from('Subject: =?iso-8859-1?Q?Olé_=E9?=\r\n\r\n', 'latin1'), 'Olé é'],
    ['raw Latin-1 in one of UTF-8', Buffer.from('Subject: =?utf-8?Q?Olé_=C3=A9?=\r\n\r\n', 'latin1'), 'Olé é'],
    [
      'raw UTF-8 between encoded words',
      Buffer.from('Subject: =?iso-8859-1?Q?=E9é?= =?iso-8859-1?Q?é=E9?=\r\n\r\n'),
      'éééé',
    ],
    ['raw UTF-8 beside an encoded word', Buffer.from('Subject: Olé =?iso-8859-1?Q?=E9?= é\r\n\r\n'), 'Olé é é'],
    [
      'raw Latin-1 beside an encoded word',
      Buffer.from('Subject: Olé =?utf-8?Q?=C3=A9?= é\r\n\r\n', 'latin1'),
      'Olé é é',
    ],
    ['NUL', Buffer.from('Subject: a\0b\r\n\r\n'), 'ab'],
    ['an unknown charset', Buffer.from('Subject: =?x-no?Q?a?=\r\n\r\n'), 'a'],
  ])('reads a subject with %s', async (_case, raw, subject) => {
    expect((await parseMessage(raw)).subject).toBe(subject);
  });
});

describe('attachments', () => {
  it.each([
    ["Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.txt", '€.txt'],
    ["Content-Disposition: attachment; filename*0*=utf-8''%e2%82; filename*1*=%ac; filename*2=.txt", '€.txt'],
    ["Content-Disposition: attachment; filename*=windows-1251''%cf%f0.txt", 'Пр.txt'],
    ['Content-Disposition: attachment; filename="=?utf-8?B?4oKs?=.txt"', '€.txt'],
    ['Content-Disposition: attachment; filename="../../etc/passwd"', 'passwd'],
    ['Content-Disposition: attachment; filename="C:\\\\dir\\\\a.txt"', 'a.txt'],
    ["Content-Disposition: attachment; filename*=utf-8''a%E2%80%AEgpj.exe", 'agpj.exe'],
    ["Content-Disposition: attachment; filename*=utf-8''a%0d%0ab.txt", 'ab.txt'],
    ['Content-Disposition: attachment; filename=".."', 'attachment-1.txt'],
    ['Content-Disposition: attachment', 'attachment-1.txt'],
    ['Content-Disposition: attachment; filename="nul.txt"', '_nul.txt'],
  ])('names the file of %s', async (header, name) => {
    const { attachments } = await parseMessage(withFile(header, 'Content-Type: text/plain'));
    expect(attachments.map((attachment) => attachment.filename)).toEqual([name]);
  });

  it.each([
    ['Content-Type: text/plain; charset=Shift_JIS', 'Shift_JIS'],
    ['Content-Type: text/csv; name=a.csv; charset="iso-2022-jp"', 'iso-2022-jp'],
    ['Content-Type: text/plain', undefined],
    ['Content-Type: text/plain; charset="x y"', undefined],
    ["Content-Type: text/plain; charset*=utf-8''x%0d%0aSet-Cookie:%20a", undefined],
    [`Content-Type: text/plain; charset=${'x'.repeat(41)}`, undefined],
  ])('tells the charset of %s', async (header, charset) => {
    const { attachments } = await parseMessage(withFile(header, 'Content-Disposition: attachment'));
    expect(attachments.map((attachment) => attachment.charset)).toEqual([charset]);
  });

  it('keeps long names within 255 bytes and their extension', async () => {
    const raw = withFile(`Content-Disposition: attachment; filename="${'n'.repeat(400)}.pdf"`);
    const name = (await parseMessage(raw)).attachments[0]?.filename ?? '';
    expect(Buffer.byteLength(name)).toBe(255);
    expect(name.endsWith('.pdf')).toBe(true);
  });

  it('keeps winmail.dat as it is', async () => {
    const raw = withFile('Content-Type: application/ms-tnef; name="winmail.dat"');
    expect((await parseMessage(raw)).attachments).toMatchObject([
      { filename: 'winmail.dat', contentType: 'application/ms-tnef' },
    ]);
  });

  it.each(['', '; charset=x', '\r\nContent-Disposition: inline'])(
    'shows an embedded message%j as a file named by its subject',
    async (more) => {
      const raw = mail([
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        `Content-Type: message/rfc822${more}`,
        '',
        'Subject: =?utf-8?Q?Ol=C3=A9?=: a/b',
        'Content-Type: multipart/mixed; boundary=c',
        '',
        '--c',
        '',
        'inner',
        '--c--',
        '--b--',
      ]);
      const { attachments, text } = await parseMessage(raw);
      expect(attachments.map((attachment) => attachment.filename)).toEqual(['Olé_ a-b.eml']);
      expect(text).toBeNull();
    },
  );

  it('takes the parts of a digest for messages unless they say otherwise', async () => {
    const digest = ['Content-Type: multipart/digest; boundary=d', '', '--d', '', 'Subject: one', '', 'first', '--d'];
    const raw = mail([
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'before',
      '--b',
      ...digest,
      'X-Of: the part',
      '',
      'Subject: two',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      '',
      'second',
      '--c--',
      '--d',
      'Content-Type: text/plain',
      '',
      'table of contents',
      '--d--',
      '--b--',
    ]);
    const { attachments, text } = await parseMessage(raw);
    expect(attachments).toMatchObject([
      { filename: 'one.eml', contentType: 'message/rfc822' },
      { filename: 'two.eml', contentType: 'message/rfc822' },
    ]);
    expect(text).toBe('before\ntable of contents');
    expect((await extractAttachment(raw, 0))?.content.toString()).toBe('Subject: one\r\n\r\nfirst');
  });

  it('marks pictures of the text and finds them again by index', async () => {
    const raw = mail([
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:one@x">',
      '--b',
      'Content-Type: image/png',
      'Content-ID: <one@x>',
      '',
      pngHead,
      '--b--',
    ]);
    const { attachments } = await parseMessage(raw);
    expect(attachments).toMatchObject([{ contentId: 'one@x', related: true, disposition: 'inline', size: 8 }]);
    expect(attachments[0]).not.toHaveProperty('content');
    const found = await extractAttachment(raw, 0);
    expect(found?.content.toString('latin1')).toBe(pngHead);
    expect(found?.meta.sha256).toBe(createHash('sha256').update(pngHead, 'latin1').digest('hex'));
    expect(await extractAttachment(raw, 1)).toBeNull();
  });

  it.each([
    ['a picture that the text does not show', 'Content-Type: image/png', '<img src="cid:other@x">'],
    ['a file, even if the text embeds it', 'Content-Type: application/pdf', '<object data="cid:one@x"></object>'],
    ['a picture that a link leads to', 'Content-Type: image/png', '<a href="cid:one@x">the photo</a>'],
    ['a background', 'Content-Type: image/png', '<table background="cid:one@x"><tr><td>x</table>'],
    ['a picture within a comment', 'Content-Type: image/png', '<!--[if mso]><img src="cid:one@x"><![endif]-->x'],
  ])('leaves %s among the files of the message', async (_case, contentType, html) => {
    const related = ['Content-Type: multipart/related; boundary=b', '', '--b', 'Content-Type: text/html', '', html];
    const raw = mail([...related, '--b', contentType, 'Content-ID: <one@x>', '', 'x', '--b--']);
    expect((await parseMessage(raw)).attachments).toMatchObject([{ contentId: 'one@x', related: false }]);
  });

  it.each([
    ['image/tiff', 'II*\0'],
    ['image/svg+xml', '<svg/>'],
    ['image/heic', '\0\0\0\x18ftypheic'],
    ['image/png', 'BM\x36\0'],
  ])(
    'leaves %s, which browsers do not show, among the files although the text shows it',
    async (contentType, bytes) => {
      const html = ['Content-Type: text/html', '', '<img src="cid:one@x">'];
      const picture = [`Content-Type: ${contentType}`, 'Content-ID: <one@x>', '', bytes];
      const raw = mail(['Content-Type: multipart/related; boundary=b', '', '--b', ...html, '--b', ...picture, '--b--']);
      expect((await parseMessage(raw)).attachments).toMatchObject([{ contentId: 'one@x', related: false }]);
    },
  );

  it.each([
    ['cid:a%26b@x', 'a&b@x'],
    ['cid:a&amp;b@x', 'a&b@x'],
    ['CID:a&b@x', 'a&b@x'],
    ['cid:a%40x', 'a%40x'],
    ['cid:one@x" alt="2 > 1', 'one@x'],
  ])('knows its picture by %s', async (address, contentId) => {
    const html = ['Content-Type: text/html', '', `<img src="${address}">`];
    const picture = ['Content-Type: image/png', `Content-ID: <${contentId}>`, '', pngHead];
    const raw = mail(['Content-Type: multipart/related; boundary=b', '', '--b', ...html, '--b', ...picture, '--b--']);
    expect((await parseMessage(raw)).attachments).toMatchObject([{ contentId, related: true }]);
  });

  it('looks for the pictures of a text in linear time', async () => {
    const blank = ' '.repeat(90_000);
    const html = ['Content-Type: text/html', '', `<img src=${blank}><img src${blank}>${'<img src= '.repeat(5000)}`];
    const picture = ['Content-Type: image/png', 'Content-ID: <one@x>', '', pngHead];
    const raw = mail(['Content-Type: multipart/related; boundary=b', '', '--b', ...html, '--b', ...picture, '--b--']);
    const startedAt = cpuTimeMs();
    expect((await parseMessage(raw)).attachments).toMatchObject([{ related: false }]);
    expect(cpuTimeMs() - startedAt).toBeLessThan(100);
  });

  it('hashes 25 MB that arrive as a stream', async () => {
    const bytes = Buffer.alloc(25 * 1_048_576, 'binary!');
    const body = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
    const head = 'Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    async function* source() {
      yield Buffer.from(head);
      for (let at = 0; at < body.length; at += 100_000) yield Buffer.from(body.slice(at, at + 100_000));
    }
    const { attachments } = await parseMessage(source());
    expect(attachments[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(attachments[0]?.size).toBe(bytes.length);
  });

  it('takes a named text behind the body for a file, but not the body itself', async () => {
    const raw = mail([
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; name=body.txt',
      '',
      'hello',
      '--b',
      'Content-Type: text/plain',
      'Content-Disposition: inline; filename=log.txt',
      '',
      'log',
      '--b--',
    ]);
    expect(await parseMessage(raw)).toMatchObject({ text: 'hello', attachments: [{ filename: 'log.txt' }] });
  });
});

describe('headers and bodies', () => {
  it('reports repeated and missing fields', async () => {
    const raw = mail([
      'From: a@b.c',
      'From: d@e.f',
      'Message-ID: bare@id',
      'References: <1@x>',
      ' <2@x>',
      'Date: nonsense',
      '',
      '',
    ]);
    expect(await parseMessage(raw)).toMatchObject({
      fromCount: 2,
      from: { address: 'a@b.c' },
      messageIdHeader: '<bare@id>',
      references: ['<1@x>', '<2@x>'],
      date: null,
      subject: '',
      text: null,
      html: null,
    });
  });

  it('shows every part of a mixed body in both forms', async () => {
    const part = (type: string, text: string) => ['--b', `Content-Type: text/${type}`, '', text];
    const raw = mail([
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...part('plain', '1 < 2'),
      ...part('html', '<b>two</b>'),
      '--b--',
    ]);
    const { text, html } = await parseMessage(raw);
    expect(text).toBe('1 < 2\ntwo');
    expect(html).toContain('1 &lt; 2');
    expect(html).toContain('<b>two</b>');
  });

  it('uses only the text or the HTML of an alternative', async () => {
    const part = (type: string, text: string) => ['--b', `Content-Type: text/${type}`, '', text];
    const raw = mail([
      'Content-Type: multipart/alternative; boundary=b',
      '',
      ...part('plain', 'one'),
      ...part('html', '<p>one</p>'),
      '--b--',
    ]);
    expect(await parseMessage(raw)).toMatchObject({ text: 'one', html: '<p>one</p>', preview: 'one' });
  });

  it.each([
    ['text/html', '<a href="https://track.test/abc">View it</a> in a browser', 'View it in a browser'],
    ['text/plain', 'View it (https://track.test/abc) < https://track.test/d > now', 'View it now'],
    ['text/plain', 'See https://remote.test/plan', 'See https://remote.test/plan'],
    ['text/plain', '<https://remote.test/plan>', '<https://remote.test/plan>'],
  ])('leaves the targets of links out of the preview of %s: %s', async (contentType, content, preview) => {
    expect((await parseMessage(mail([`Content-Type: ${contentType}`, '', content]))).preview).toBe(preview);
  });

  it.each(['Content-ID:', 'Content-ID: ', 'Content-Type:'])('takes a file with an empty field %j', async (field) => {
    const named = 'Content-Disposition: attachment; filename=a.pdf';
    const raw = mail(['Content-Type: multipart/mixed; boundary=b', '', '--b', field, named, '', 'x', '--b--']);
    expect((await parseMessage(raw)).attachments.map(({ filename }) => filename)).toEqual(['a.pdf']);
  });

  it.each([
    ['a target that is cut', `${'a '.repeat(150)}(https://track.test/${'x'.repeat(900)}) ${'b '.repeat(200)}`],
    ['an address that never ends', `${'a '.repeat(150)}(https://track.test/${'x'.repeat(9000)}`],
    ['quoted lines', `> quoted\n${'> more\n'.repeat(400)}${'a '.repeat(150)}`],
  ])('takes the preview of a long text from its first words, beside %s', async (_, content) => {
    const { preview } = await parseMessage(mail(['Content-Type: text/plain', '', content]));
    expect(preview).toBe(`${'a '.repeat(100).trim()}…`);
  });

  it('makes the preview of an HTML message without its style sheet', async () => {
    const raw = mail([
      'Content-Type: text/html',
      '',
      '<head><style>p{}</style><title>t</title></head><p>Hello&nbsp;<b>you</b></p>',
    ]);
    expect((await parseMessage(raw)).preview).toBe('Hello you');
  });

  it('lets an error of the source through', async () => {
    async function* broken() {
      yield Buffer.from('Subject: x\r\n');
      throw new Error('disk gone');
    }
    await expect(parseMessage(broken())).rejects.toThrow('disk gone');
  });
});

describe('limits', () => {
  const nested = (depth: number) => {
    const lines: string[] = [];
    for (let level = 0; level < depth; level++)
      lines.push(`Content-Type: multipart/mixed; boundary=b${level}`, '', `--b${level}`);
    return mail([...lines, '', 'x']);
  };
  const many = (parts: number) =>
    mail([
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...Array.from({ length: parts }, () => '--b\r\n\r\nx'),
      '--b--',
    ]);
  const reasonOf = async (raw: Buffer, options = {}) => {
    try {
      await parseMessage(raw, options);
      return 'parsed';
    } catch (error) {
      return error instanceof MessageTooComplex ? error.reason : String(error);
    }
  };

  it.each([
    ['1500 parts', 'too_many_parts', many(1500)],
    ['900 parts', 'parsed', many(900)],
    ['60 levels', 'too_deep', nested(60)],
    ['40 levels', 'parsed', nested(40)],
    ['2 MB of header in one line', 'header_too_large', Buffer.from(`Subject: ${'x'.repeat(2_000_000)}\r\n\r\n`)],
    ['2 MB of header lines', 'header_too_large', Buffer.from('X-A: b\r\n'.repeat(300_000))],
  ])('answers %s with %s', async (_case, reason, raw) => {
    expect(await reasonOf(raw)).toBe(reason);
  });

  it('counts no parts of an attached message, whose lines may end with a bare LF', async () => {
    const attached = Buffer.from(`Subject: within\n${String(many(20)).replaceAll('\r\n', '\n')}`).toString('base64');
    const type = ['Content-Type: message/rfc822', 'Content-Transfer-Encoding: base64'];
    const raw = mail(['Content-Type: multipart/mixed; boundary=b', '', '--b', ...type, '', attached, '--b--']);
    expect((await parseMessage(raw)).attachments.map(({ filename }) => filename)).toEqual(['within.eml']);
  });

  it('says after its time that the host is at fault, and not the message', async () => {
    async function* endless() {
      yield Buffer.from('Subject: x\r\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 5000).unref());
    }
    await expect(parseMessage(endless(), { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
    });
  });

  it('cuts texts at their bound', async () => {
    const raw = Buffer.concat([Buffer.from('Content-Type: text/html\r\n\r\n'), Buffer.alloc(20_000_000, 'é ')]);
    expect(Buffer.byteLength((await parseMessage(raw)).html ?? '')).toBeLessThanOrEqual(5 * 1_048_576);
  });

  it.each([
    ['References', 'References: <a@b>\r\n'.repeat(50_000)],
    ['one long References', `References: ${'<a@b> '.repeat(150_000)}\r\n`],
    ['unclosed message ids', `References: ${'<a'.repeat(400_000)}\r\n`],
    ['encoded words', `Subject: ${'=?utf-8?Q?a?= '.repeat(60_000)}\r\n`],
    ['recipients', `To: ${'a@b.example, '.repeat(70_000)}\r\n`],
    ['parameters', `Content-Type: text/plain; ${'a=b; '.repeat(180_000)}\r\n`],
    [
      'continued parameters',
      `Content-Type: text/plain; ${Array.from({ length: 40_000 }, (_, n) => `n*${n}=a; `).join('')}\r\n`,
    ],
    ['comments', `Date: ${'('.repeat(900_000)}\r\n`],
    ['spaces', `From: ${' '.repeat(900_000)}a@b.c\r\n`],
    ['equals signs', `Subject: ${'=?'.repeat(450_000)}\r\n`],
  ])('stays fast on a megabyte of %s', async (_case, header) => {
    const started = cpuTimeMs();
    await parseMessage(Buffer.from(`${header}\r\nbody`));
    expect(cpuTimeMs() - started).toBeLessThan(4000);
  });
});
