import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../tests/support/cpu-time.ts';
import { findPart, findSection } from './find-section.ts';
import { type MessagePart, structureLimits, type StructurePart } from './message-structure.ts';
import { parseStructure, StructureReader, writeStructure } from './structure-json.ts';
import { StructureScanner } from './structure-scanner.ts';

const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
const mixed = (body: string, type = 'mixed') => `Subject: x\nContent-Type: multipart/${type}; boundary=b\n\n${body}`;

function scan(raw: Buffer, step = raw.length): MessagePart {
  const scanner = new StructureScanner();
  for (let at = 0; at < raw.length; at += step) scanner.add(raw.subarray(at, at + step));
  return scanner.finish();
}

/** The bytes of a section with LF as line ends; null when there is no such section. */
function sectionOf(raw: Buffer, root: MessagePart, section: string): string | null {
  const range = findSection({ root }, section);
  return range && raw.toString('latin1', range.start, range.end).replaceAll('\r\n', '\n');
}

function everyPart(root: StructurePart): StructurePart[] {
  const below = root.message ? [root.message] : (root.parts ?? []);
  return [root, ...below.flatMap(everyPart)];
}

const embedded = 'Subject: in\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nx\n--c\n\ny\n--c--\nend';

const cases: [string, string, Record<string, string | null>][] = [
  [
    'a message of one part',
    'A: b\n\none\ntwo\n',
    { HEADER: 'A: b\n\n', TEXT: 'one\ntwo\n', '1': 'one\ntwo\n', '1.MIME': 'A: b\n\n', '1.1': null, '2': null },
  ],
  ['a header without a body', 'A: b\n', { HEADER: 'A: b\n', TEXT: '', '1': '' }],
  ['a header that ends in the middle of a line', 'A: b', { HEADER: 'A: b', TEXT: '' }],
  ['a body without a header', '\none\n', { HEADER: '\n', TEXT: 'one\n' }],
  ['an empty message', '', { HEADER: '', TEXT: '', '1': '' }],
  [
    'text before the first and behind the last boundary',
    mixed('before\n--b\nA: b\n\none\n\n--b\n\ntwo\n--b--\nbehind\n--b\nlate\n'),
    { '1': 'one\n', '1.MIME': 'A: b\n\n', '2': 'two', '2.MIME': '\n', '3': null },
  ],
  ['no last boundary', mixed('--b\n\none\n--b\n\ntwo\n'), { '1': 'one', '2': 'two\n', '3': null }],
  ['a last boundary without a line end', mixed('--b\n\none\n--b--'), { '1': 'one', '2': null }],
  [
    'white space behind boundaries',
    mixed('--b \t\n\none\n--b  \n\ntwo\n--b-- \n'),
    { '1': 'one', '2': 'two', '3': null },
  ],
  [
    'parts that are empty',
    mixed('--b\n\n--b\nA: b\n\n--b\n\n\n--b\n--b\nA: c\n--b--\n'),
    {
      '1': '',
      '1.MIME': '\n',
      '2': '',
      '2.MIME': 'A: b\n\n',
      '3': '',
      '4': '',
      '4.MIME': '',
      '5': '',
      '5.MIME': 'A: c\n',
      '6': null,
    },
  ],
  ['a multipart without parts', mixed('nothing\n'), { '1': null, TEXT: 'nothing\n' }],
  ['a multipart that ends at once', mixed('--b--\n'), { '1': null }],
  [
    'a multipart without a boundary',
    'Content-Type: multipart/mixed\n\n--b\n\none\n--b--\n',
    { '1': '--b\n\none\n--b--\n', '2': null },
  ],
  [
    'lines that only begin like a boundary',
    mixed('--bb\n\n--b\n\none\n--b2\n--b-\n--b---\n -- b\n--b--\n'),
    { '1': 'one\n--b2\n--b-\n--b---\n -- b', '2': null },
  ],
  [
    'an embedded message',
    mixed(`--b\n\nsee\n--b\nContent-Type: message/rfc822\n\n${embedded}\n--b--\n`),
    {
      '2': embedded,
      '2.MIME': 'Content-Type: message/rfc822\n\n',
      '2.HEADER': embedded.slice(0, 61),
      '2.TEXT': embedded.slice(61),
      '2.1': 'x',
      '2.2': 'y',
      '2.2.MIME': '\n',
      '2.3': null,
      '1.HEADER': null,
    },
  ],
  [
    'embedded messages in each other',
    'Content-Type: message/rfc822\n\nContent-Type: message/global\n\nA: b\n\none\n',
    {
      '1.HEADER': 'Content-Type: message/global\n\n',
      '1.1': 'A: b\n\none\n',
      '1.1.HEADER': 'A: b\n\n',
      '1.1.1': 'one\n',
      '1.1.TEXT': 'one\n',
      '1.1.1.1': null,
      '1.2': null,
    },
  ],
  [
    'embedded messages that are empty',
    mixed(
      '--b\nContent-Type: message/rfc822\n\n--b\nContent-Type: message/rfc822\n\nA: b\n--b\nContent-Type: message/rfc822\n--b--\n',
    ),
    {
      '1': '',
      '1.HEADER': '',
      '1.1': '',
      '2': 'A: b\n',
      '2.HEADER': 'A: b\n',
      '2.TEXT': '',
      '3.HEADER': '',
      '3.1': '',
    },
  ],
  [
    'a part that lacks its last boundary',
    mixed('--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nx\n--b\n\nz\n--b--\n'),
    { '1': '--c\n\nx', '1.1': 'x', '1.2': null, '2': 'z', '3': null },
  ],
  [
    'an embedded message that lacks its last boundary',
    mixed(
      '--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--b\n\nz\n--b--\n',
    ),
    { '1.1': 'x', '1.TEXT': '--c\n\nx', '2': 'z' },
  ],
  [
    'the same boundary twice',
    mixed('--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n--b\n\ny\n--b--\n'),
    { '1': '--b\n\nx\n--b--', '1.1': 'x', '2': 'y', '3': null },
  ],
  [
    'a digest',
    mixed('--b\n\nSubject: one\n\n1\n--b\nContent-Type: text/plain\n\n2\n--b--\n', 'digest'),
    { '1': 'Subject: one\n\n1', '1.HEADER': 'Subject: one\n\n', '1.1': '1', '2': '2', '2.HEADER': null },
  ],
  [
    'a boundary with blanks and signs',
    'Content-Type: multipart/mixed;\n\tboundary="=_a b:(c)?" (comment)\n\n--=_a b:(c)?\n\none\n--=_a b:(c)?--\n',
    { '1': 'one', '2': null },
  ],
  [
    'a boundary in two sections',
    'Content-Type: multipart/mixed; boundary*0=a; boundary*1=b\n\n--ab\n\none\n--ab--\n',
    { '1': 'one' },
  ],
  [
    'a repeated Content-Type',
    `Content-Type: multipart/mixed; boundary=b\nContent-Type: text/plain\n\n--b\n\none\n--b--\n`,
    { '1': 'one' },
  ],
];

describe('offsets', () => {
  it.each(cases)('cut %s into its sections', (_name, text, sections) => {
    const raw = crlf(text);
    for (const step of [raw.length || 1, 1, 2, 7]) {
      const root = scan(raw, step);
      const found = Object.fromEntries(
        Object.keys(sections).map((section) => [section, sectionOf(raw, root, section)]),
      );
      expect(found, `in pieces of ${step}`).toEqual(sections);
    }
  });

  it('count bytes when lines end with LF alone', () => {
    const raw = Buffer.from(mixed('--b\n\none\n--b--\n'));
    expect(sectionOf(raw, scan(raw), '1')).toBe('one');
  });

  it('are the same in pieces of any length, and parts lie in each other', () => {
    const pieces = ['--b', '--c', '--b--', '', '', 'text', 'Content-Type: message/rfc822', 'A: b', ' folded', '--'];
    const types = ['mixed; boundary=b', 'digest; boundary="c"', 'mixed', 'related; boundary=b--'];
    pieces.push(...types.map((type) => `Content-Type: multipart/${type}`));
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const lines = Array.from({ length: random(40) }, () => pieces[random(pieces.length)] ?? '');
      const raw = Buffer.from(lines.join(random(4) === 0 ? '\n' : '\r\n'));
      const root = scan(raw);
      expect(scan(raw, 1 + random(9))).toEqual(root);
      for (const part of everyPart(root)) {
        const inner = everyPart(part).slice(1);
        expect(part.header <= part.body && part.body <= part.end && part.end <= raw.length).toBe(true);
        expect(inner.every((one) => one.header >= part.body && one.end <= part.end)).toBe(true);
      }
    }
  });
});

const partOf = (header: string) => findPart({ root: scan(crlf(mixed(`--b\n${header}\n\nx\n--b--\n`))) }, '1');

describe('fields of a part', () => {
  it('are read in full', () => {
    const header = [
      'Content-Type: Text/HTML; charset="utf-8";\n\tformat=flowed',
      'Content-Transfer-Encoding: Quoted-Printable (as ever)',
      'Content-ID: <a@b>',
      'Content-Description: =?utf-8?Q?=C3=A9?= file',
      'Content-Disposition: Attachment; filename="a \\"b\\" (1).txt"; size=3',
      'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==',
      'Content-Language: en, de-AT',
      'Content-Location: http://a.test/\n b',
    ].join('\n');
    expect(partOf(header)).toMatchObject({
      type: 'text/html',
      parameters: [
        ['charset', 'utf-8'],
        ['format', 'flowed'],
      ],
      encoding: 'quoted-printable',
      id: '<a@b>',
      description: '=?utf-8?Q?=C3=A9?= file',
      disposition: {
        type: 'attachment',
        parameters: [
          ['filename', 'a "b" (1).txt'],
          ['size', '3'],
        ],
      },
      md5: 'Q2hlY2sgSW50ZWdyaXR5IQ==',
      language: ['en', 'de-at'],
      location: 'http://a.test/b',
      lines: 0,
    });
  });

  it.each([
    ["name*=utf-8''%e2%82%ac.txt", '€.txt'],
    ["name*0*=utf-8''%e2%82; name*1*=%ac; name*2=%41.txt", '€%41.txt'],
    ['name*1=b; name*0=a; name*3=d', 'ab'],
    ["name*=windows-1251''%cf%f0; name=fallback", 'Пр'],
    ["name*=x-unknown''%e9", 'é'],
    ['name="é.txt"', 'é.txt'],
    ['name=Report (1) new.txt', 'Report (1) new.txt'],
    ['name=a.txt (a comment)', 'a.txt'],
    ['name="open', 'open'],
    ['name="a;b"', 'a;b'],
    ['name="=?utf-8?Q?=C3=A9?="', '=?utf-8?Q?=C3=A9?='],
  ])('have the parameter %s', (parameter, value) => {
    expect(partOf(`Content-Type: application/pdf; ${parameter}`)?.parameters).toEqual([['name', value]]);
  });

  it('read raw 8-bit parameters that are not UTF-8', () => {
    const raw = Buffer.from('Content-Type: text/plain; name="\xe9"\r\n\r\n', 'latin1');
    expect(scan(raw).parameters).toEqual([['name', 'é']]);
  });

  it.each(['', 'text', '; charset=utf-8', 'text/', 'a b/c'])('are those of plain text for the type %j', (type) => {
    const part = partOf(`Content-Type: ${type}`);
    expect(part).toMatchObject({ type: 'text/plain', parameters: [['charset', 'us-ascii']] });
  });

  it('say nothing of what is inside an encoded message', () => {
    const part = partOf('Content-Type: message/rfc822\nContent-Transfer-Encoding: base64');
    expect(part).toMatchObject({ type: 'application/octet-stream', encoding: 'base64', opaque: true });
    expect(part?.message).toBeUndefined();
  });
});

describe('lines', () => {
  it('are counted of text and of embedded messages', () => {
    const raw = crlf(
      mixed('--b\n\none\ntwo\n\n--b\nContent-Type: message/rfc822\n\nA: b\n\n1\n2\n--b\nContent-Type: a/b\n\n1\n--b--'),
    );
    const parts = scan(raw).parts ?? [];
    expect(parts.map(({ lines }) => lines)).toEqual([2, 3, undefined]);
    expect(parts[1]?.message?.lines).toBe(1);
  });
});

describe('the envelope', () => {
  it('has the fields as they are written', () => {
    const raw = crlf(
      'Date: Mon, 2 Nov 2026 10:00:00 +0000 (UTC)\nSubject: =?utf-8?Q?=C3=A9?=\n folded\nSubject: other\n' +
        'From: "Doe, Ann" <ann@a.test>\nSender: s@a.test\nReply-To: r@a.test\nTo: b@b.test\nTo: group: c@c.test, D <d@d.test>;\n' +
        'Cc: nobody:;\nBcc: broken\nIn-Reply-To: <1@a.test>\nMessage-ID: <2@a.test>\n\n',
    );
    expect(scan(raw).envelope).toEqual({
      date: 'Mon, 2 Nov 2026 10:00:00 +0000 (UTC)',
      subject: '=?utf-8?Q?=C3=A9?= folded',
      from: [{ name: 'Doe, Ann', mailbox: 'ann', host: 'a.test' }],
      sender: [{ mailbox: 's', host: 'a.test' }],
      replyTo: [{ mailbox: 'r', host: 'a.test' }],
      to: [
        { mailbox: 'b', host: 'b.test' },
        {
          group: 'group',
          members: [
            { mailbox: 'c', host: 'c.test' },
            { name: 'D', mailbox: 'd', host: 'd.test' },
          ],
        },
      ],
      cc: [{ group: 'nobody', members: [] }],
      bcc: [{ name: 'broken', mailbox: '', host: '' }],
      inReplyTo: '<1@a.test>',
      messageId: '<2@a.test>',
    });
  });

  it('is the same for names with and without quotes', () => {
    const quoted = scan(crlf('To: "Ann B" <ann@b.test>, c@c.test, "=?utf-8?Q?=C3=A9?=" <e@e.test>\n\n'));
    const plain = scan(crlf('To: Ann B <ann@b.test>, c@c.test,\n =?utf-8?Q?=C3=A9?= <e@e.test>\n\n'));
    expect(plain.envelope.to).toHaveLength(3);
    expect(plain.envelope).toEqual(quoted.envelope);
  });

  it('is that of each embedded message', () => {
    const root = scan(crlf(mixed('--b\nContent-Type: message/rfc822\n\nSubject: in\n\n--b--')));
    expect([root.envelope, root.parts?.[0]?.message?.envelope]).toEqual([{ subject: 'x' }, { subject: 'in' }]);
  });

  it('says that addresses were left out', () => {
    const to = Array.from({ length: 2000 }, (_, index) => `person${index}@b.test`).join(',\n ');
    const { envelope } = scan(crlf(`To: ${to}\nCc: c@c.test\n\n`));
    expect(envelope.isCut).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(envelope.to))).toBeGreaterThan(structureLimits.addressBytes / 2);
    expect(Buffer.byteLength(JSON.stringify(envelope))).toBeLessThan(structureLimits.addressBytes + 1000);
  });
});

function jsonOf(raw: Buffer): string {
  const reader = new StructureReader();
  for (let at = 0; at < raw.length; at += 65_536) reader.add(raw.subarray(at, at + 65_536));
  return reader.finish();
}

const repeated = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));
const wide = (name: string, signs: string) => `${name}: text/plain; ${repeated(`${signs}="${signs}"; `, 30_000)}\n`;
const deep = (levels: number, of: (level: number) => string) =>
  Array.from({ length: levels }, (_, level) => of(level)).join('');

describe('bounds', () => {
  it('make parts opaque from the deepest level upwards', () => {
    const name = 'n'.repeat(900);
    const inner = deep(100, () => `--c\nContent-Type: a/b; name=${name}\n\n\n`);
    const raw = crlf(mixed(`--b\nContent-Type: multipart/mixed; boundary=c\n\n${inner}--c--\n--b\n\nlast\n--b--\n`));
    const structure = parseStructure(jsonOf(raw));
    expect(structure?.root.parts).toMatchObject([{ type: 'application/octet-stream', opaque: true }, { lines: 0 }]);
    expect(structure?.root.parts?.[0]).not.toHaveProperty('parts');
    expect(sectionOf(raw, scan(raw), '2')).toBe('last');
    expect(everyPart(parseStructure(writeStructure(scan(raw), 1e9))?.root ?? scan(raw))).toHaveLength(103);
  });

  it('make what lies too deep opaque', () => {
    const levels = 200;
    const raw = crlf(deep(levels, (level) => `Content-Type: multipart/mixed; boundary=x${level}x\n\n--x${level}x\n`));
    const parts = everyPart(scan(raw));
    expect(parts).toHaveLength(structureLimits.depth + 1);
    expect(parts.at(-1)).toMatchObject({ opaque: true, end: raw.length });
  });

  it('make a message of too many parts one opaque part', () => {
    const raw = crlf(mixed('--b\n\n'.repeat(5000)));
    expect(scan(raw)).toMatchObject({ type: 'application/octet-stream', opaque: true, end: raw.length });
    expect(scan(raw)).not.toHaveProperty('parts');
  });

  const mega = 1_048_576;
  it.each([
    ['boundaries of empty parts', mixed(repeated('--b\n', mega))],
    [
      '999 parts with long names',
      mixed(deep(999, () => `--b\nContent-Type: a/b; name="${'"'.padStart(400, 'é')}\n\n`)),
    ],
    [
      '999 messages of a digest',
      mixed(
        deep(400, () => '--b\n\nFrom: a@b.test\n\n'),
        'digest',
      ),
    ],
    ['lines without text', `\n${repeated('\n', 5 * mega)}`],
    ['lines of two dashes', mixed(repeated('--\n', 5 * mega))],
    ['one line', mixed('-'.repeat(5 * mega))],
    [
      'boundaries that are almost the same',
      `${deep(45, (level) => `Content-Type: multipart/mixed; boundary=${'x'.repeat(60)}${level + 10}\n\n--${'x'.repeat(60)}${level + 10}\n`)}\n${repeated(`--${'x'.repeat(62)}\n`, 5 * mega)}`,
    ],
    ['a header of addresses', `To: ${repeated('a@b.test,\n ', mega)}\n\n`],
    ['a header of open comments', `To: ${repeated('((\n ', mega)}\n\n`],
    [
      'a header of quotes',
      `From: ${repeated('"\\', 60_000)}\nTo: ${repeated('"a" <', 60_000)}\nCc: ${repeated('a:b;', 60_000)}\n\n`,
    ],
    ['a header of white space', `Content-Type: ${repeated(' \t', 250_000)}(${repeated(' ', 250_000)})\n\n`],
    ['a header without colons', `${repeated('a\n', mega)}\n`],
    [
      'long fields in every place',
      `${wide('Content-Type', '字')}${wide('Content-Disposition', '"')}${['ID', 'Description', 'MD5', 'Location'].map((name) => `Content-${name}: ${'字'.repeat(5000)}\n`).join('')}${['Date', 'Subject', 'In-Reply-To', 'Message-ID', 'To', 'Cc', 'From'].map((name) => `${name}: ${repeated('"字字" <字字@字字>, ', 20_000)}\n`).join('')}\n`,
    ],
    [
      'embedded messages with many addresses',
      mixed(deep(60, () => `--b\nContent-Type: message/rfc822\n\nTo: ${repeated('a@b.test, ', 16_000)}\n\n`)),
    ],
  ])('keep %s small and quick', (_name, text) => {
    const raw = crlf(text);
    const before = cpuTimeMs();
    const json = jsonOf(raw);
    expect(cpuTimeMs() - before).toBeLessThan(2000);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(structureLimits.jsonBytes);
    expect(parseStructure(json)?.root.end).toBe(raw.length);
  });
});
