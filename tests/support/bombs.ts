import { ArcChain } from './arc-chain.ts';
import type { Zone } from './dns-server.ts';
import { signatureAround } from './signed-file.ts';
import { attribute, tnefOf } from './tnef.ts';

/**
 * A message that costs the host far more to read than it costs an attacker to send. An attacker
 * without an account could send each of these.
 */
export interface Bomb {
  name: string;
  /** The whole message. `subject` identifies it in the mailbox if the host accepts it. */
  build(subject: string): Buffer;
  /** Records that the attacker publishes for it. */
  records?: Zone;
}

const kilo = 1024;
const mega = 1024 * kilo;

interface Parts {
  /** Header fields that replace the usual ones. */
  from?: string;
  to?: string;
  headers?: string[];
  /** The body. Its MIME fields are in `headers`. */
  body?: string;
}

function message(subject: string, { from, to, headers = [], body = 'x\r\n' }: Parts): Buffer {
  const fields = [
    `From: ${from ?? 'Bomb <bomb@remote.test>'}`,
    `To: ${to ?? 'ana@host.test'}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject.replace(/\W/g, '.')}@remote.test>`,
    ...headers,
  ];
  return Buffer.from(`${fields.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

const html = (body: string): Parts => ({
  headers: ['MIME-Version: 1.0', 'Content-Type: text/html'],
  body: lines(body),
});
const text = (body: string): Parts => ({ headers: ['MIME-Version: 1.0', 'Content-Type: text/plain'], body });

const mixed = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
const parts = (list: string[]): Parts => ({
  headers: mixed,
  body: `${list.map((part) => `--b\r\n${part}\r\n`).join('')}--b--`,
});

/**
 * Cuts a text into lines of the greatest length that a mail program may write. A longer line would
 * be refused only for its length.
 */
function lines(content: string, length = 990): string {
  return content.replace(new RegExp(`.{${length}}`, 'gs'), '$&\r\n');
}

function repeat(piece: string, bytes: number): string {
  return piece.repeat(Math.ceil(bytes / piece.length));
}

const signature = (extra = '') =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=remote.test; s=s; c=relaxed/simple;${extra} h=from:to; bh=YWFh; b=YWFh`;

const nested = (depth: number, open: (level: number) => string): string =>
  Array.from({ length: depth }, (_, level) => open(level)).join('');

const digest = 'Content-Type: multipart/digest; boundary=c\n\n';
const winmail = Buffer.from('Content-Type: application/ms-tnef\n\n');

const chain = new ArcChain();

/** The bombs, grouped by the part of the message that they attack. */
export const bombs: Bomb[] = [
  // The header
  bomb('a field folded 200,000 times', { headers: [`X-A: a${'\r\n b'.repeat(200_000)}`] }),
  bomb('a From field folded 60,000 times', { from: `a@remote.test${'\r\n '.repeat(60_000)}\r\n (x)` }),
  bomb('30,000 fields', { headers: Array.from({ length: 30_000 }, (_, index) => `X-${index}: y`) }),
  bomb('300,000 empty fields', { headers: [repeat('a:\r\n', 1.2 * mega).slice(0, -2)] }),
  bomb('960 KB of addresses', { to: folded('a@b.test, ', 960 * kilo, 1) }),
  bomb('960 KB of open comments in To', { to: folded('((', 960 * kilo) }),
  bomb('800 KB of encoded words in To', { to: folded('=?utf-8?q?a?= ', 800 * kilo, 1) }),
  bomb('800 KB of encoded words in X-Subject and Comments', {
    headers: [`Comments: ${folded('=?utf-8?b?YQ==?= ', 400 * kilo)}`, `Keywords: ${folded('=?x?q?a?= ', 400 * kilo)}`],
  }),
  bomb('90 KB of addresses in each of To, Cc and Reply-To', {
    to: folded('"a" <a@b.test>, ', 90 * kilo, 900),
    headers: ['Cc', 'Reply-To'].map((name) => `${name}: ${folded('(c) a@b.test, ', 80 * kilo, 900)}`),
  }),
  bomb('90 KB of encoded words in From', { from: `${folded('=?utf-8?q?a?= ', 90 * kilo, 900)} <a@remote.test>` }),
  bomb('90 KB of white space in each of two fields', {
    headers: [`X-A: ${folded('\t ', 90 * kilo, 900)}x`, `References: ${folded(' ', 90 * kilo, 900)}x`],
  }),
  bomb('200 signatures', {
    headers: Array.from({ length: 200 }, (_, index) => signature(` l=${index};`)),
    body: repeat('a b\r\n', 8 * mega),
  }),
  bomb('signatures of 30,000 fields each', {
    headers: Array.from({ length: 8 }, () =>
      signature(` z=${folded('from:', 10 * kilo, 900)}; `).replace(
        'h=from:to',
        `h=${folded('from:to:', 20 * kilo, 900)}from`,
      ),
    ),
  }),
  {
    ...bomb('50 ARC seals with a valid key', {
      headers: ['MIME-Version: 1.0', 'Content-Type: text/plain', ...chain.fields(4 * kilo)],
      body: repeat('a b\r\n', 8 * mega),
    }),
    records: chain.records,
  },
  bomb('45 Received fields of 5 KB', {
    headers: Array.from({ length: 45 }, () => `Received: ${folded('(from (by ', 5 * kilo, 900)}x; today`),
  }),
  // The structure
  bomb('a Content-Type of 10,000 parameters', {
    headers: [
      'MIME-Version: 1.0',
      `Content-Type: text/plain${Array.from({ length: 10_000 }, (_, index) => `;a*${index}=b`)
        .join('')
        .replace(/.{900}/g, '$&\r\n ')}`,
    ],
  }),
  bomb('a part with a field folded 200,000 times', parts([`X-A: a${'\r\n b'.repeat(200_000)}\r\n\r\nx`])),
  bomb(
    '990 parts with 30 KB of header each',
    parts(Array.from({ length: 990 }, () => `X-A: ${folded('y', 30 * kilo, 900)}\r\n\r\nx`)),
  ),
  bomb(
    '990 files with a long encoded name each',
    parts(
      Array.from(
        { length: 990 },
        () => `Content-Disposition: attachment; filename="${folded('=?utf-8?q?a?= ', 9 * kilo, 900)}"\r\n\r\nx`,
      ),
    ),
  ),
  bomb(
    'a file whose name comes in 20,000 pieces',
    parts([
      `Content-Disposition: attachment${Array.from({ length: 20_000 }, (_, index) => `;\r\n filename*${index}*=%41`).join('')}\r\n\r\nx`,
    ]),
  ),
  bomb('49 levels of parts with long boundaries', {
    ...nestedParts(49),
  }),
  bomb('11 signed files with 990 parts each', signedFiles(11, `${digest}${'--c\n\n'.repeat(990)}--c--`)),
  bomb('400 signed files with 200 empty files each', signedFiles(400, Buffer.concat([winmail, emptyFiles(200)]))),
  bomb('25 MB of lines that look like boundaries', {
    headers: mixed,
    body: `--b\r\n\r\n${repeat('--bb\r\n', 25 * mega)}--b--`,
  }),
  bomb('30 MB of soft line breaks', {
    headers: ['MIME-Version: 1.0', 'Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable'],
    body: repeat('=\r\n', 30 * mega),
  }),
  bomb('30 MB of blank lines under a signature', { headers: [signature()], body: repeat('\r\n', 30 * mega) }),
  bomb('30 MB of white space under two signatures', {
    headers: [signature(), signature(' l=9;')],
    body: repeat(`${' \t'.repeat(480)}\r\n`, 30 * mega),
  }),
  // The text
  bomb('30 MB of blank lines', text(repeat('\r\n', 30 * mega))),
  bomb('10 MB of quotation marks', text(repeat('> > > > > > >\r\n\r\n', 10 * mega))),
  bomb('18 MB of <', html(repeat('<', 18 * mega))),
  bomb('10 MB of open elements', html(repeat('<div>', 10 * mega))),
  bomb('10 MB of lists in lists', html(repeat('<ul><li>', 10 * mega))),
  bomb('10 MB of open and closed elements', html(repeat('<b><i></b></i>', 10 * mega))),
  bomb('an element with a million attributes', html(`<p ${repeat('a=b c=d ', 8 * mega)}>`)),
  bomb('10 MB of &', html(repeat('&', 10 * mega))),
  bomb('10 MB of comments that never end', html(repeat('<!-', 10 * mega))),
  bomb('10 MB of remote pictures', html(repeat('<img src=//a.test>', 10 * mega))),
  bomb('10 MB of quotations', html(repeat(`<blockquote>${'a '.repeat(101)}</blockquote>x`, 10 * mega))),
  bomb('10 MB of closing elements', html(repeat('</p></br>', 10 * mega))),
];

function bomb(name: string, content: Parts): Bomb {
  return { name, build: (subject) => message(subject, content) };
}

/** A header value of this many bytes, folded into lines. */
function folded(piece: string, bytes: number, length = 4000): string {
  const line = piece.repeat(Math.max(1, Math.floor(length / piece.length)));
  return Array.from({ length: Math.ceil(bytes / line.length) }, () => line).join('\r\n ');
}

/** A message of signed files, each around the same content. */
function signedFiles(count: number, entity: Buffer | string): Parts {
  const file = lines(signatureAround(entity).toString('base64'));
  const fields = 'Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64';
  return parts(Array.from({ length: count }, () => `${fields}\r\n\r\n${file}`));
}

/** A winmail.dat with files that have neither a name nor a byte. */
function emptyFiles(count: number): Buffer {
  const file = [attribute(2, 0x00069002, Buffer.alloc(0)), attribute(2, 0x0006800f, Buffer.alloc(0))];
  return tnefOf(Array.from({ length: count }, () => file).flat());
}

function nestedParts(depth: number): { headers: string[]; body: string } {
  const boundary = (level: number) => `${'b'.repeat(60)}${level}`;
  const open = (level: number) =>
    `--${boundary(level)}\r\nContent-Type: multipart/mixed; boundary=${boundary(level + 1)}\r\n\r\n`;
  const body = `${nested(depth - 1, open)}--${boundary(depth - 1)}\r\n\r\n${repeat(`--${'b'.repeat(60)}\r\n`, 20 * mega)}`;
  return { headers: ['MIME-Version: 1.0', `Content-Type: multipart/mixed; boundary=${boundary(0)}`], body };
}
