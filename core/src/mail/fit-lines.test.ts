import { describe, expect, it } from 'vitest';
import { isAscii } from 'node:buffer';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { fitLines, hasLongLine, toSevenBit } from './fit-lines.ts';
import { parseMessage } from './parse-message.ts';

const head = 'From: a@a.test\r\nSubject: s\r\n';
const long = 'word '.repeat(400).trim();

function fitted(message: string): Buffer {
  const outcome = fitLines(Buffer.from(message));
  if (outcome.kind !== 'fits') throw new Error(outcome.text);
  expect(hasLongLine(outcome.raw)).toBe(false);
  return outcome.raw;
}

/** What a reader sees of a message. */
async function seen(raw: Buffer) {
  const { subject, to, text, html, attachments } = await parseMessage(raw);
  return { subject, to, text, html, files: attachments.map(({ filename, sha256 }) => [filename, sha256]) };
}

function multipart(parts: string[], type = 'mixed'): string {
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join('');
  return `${head}MIME-Version: 1.0\r\nContent-Type: multipart/${type}; boundary="b"\r\n\r\n${body}--b--\r\n`;
}

describe('fitLines', () => {
  it.each([0, 1, 2])('tears no escape of quoted-printable apart, wherever a line ends (%i)', (shift) => {
    const encoded = `${'a'.repeat(shift)}${'=C3=A9'.repeat(200)}==41${'b'.repeat(74)}=41`;
    const raw = fitted(`${head}Content-Transfer-Encoding: quoted-printable\r\n\r\n${encoded}\r\n`).toString();
    const lines = raw.slice(raw.indexOf('\r\n\r\n') + 4, -2).split('\r\n');
    expect(lines.filter((line) => line.length > 76 || /=[0-9A-F]?=$/.test(line))).toEqual([]);
    expect(lines.map((line) => line.replace(/=$/, '')).join('')).toBe(encoded);
  });

  it('leaves a message alone whose lines fit, to the last byte allowed', () => {
    const raw = Buffer.from(`${head}\r\n${'x'.repeat(998)}\r\n`);
    expect(fitLines(raw)).toEqual({ kind: 'fits', raw });
    expect(fitted(`${head}\r\n${'x'.repeat(999)}\r\n`).toString()).toContain('quoted-printable');
  });

  it.each([
    ['plain text', `${head}\r\n${long}\r\n\r\nend = of it \t\r\n`],
    [
      'text with letters of other alphabets',
      `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${'ä'.repeat(600)}\r\nß\r\n`,
    ],
    ['HTML in one line', `${head}MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>${long}</p><p>=3D</p>\r\n`],
    ['an 8bit label', `${head}Content-Transfer-Encoding: 8bit\r\n\r\n${long}\r\n`],
    [
      'quoted-printable in long lines',
      `${head}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=C3=A4b '.repeat(300)}\r\n`,
    ],
    [
      'a file in base64 without line breaks',
      multipart([
        'Content-Type: text/plain\r\n\r\nhello',
        `Content-Type: image/png; name=a.png\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.alloc(3000, 7).toString('base64')}`,
      ]),
    ],
    [
      'a file without an encoding',
      multipart([
        'Content-Type: text/plain\r\n\r\nhello',
        `Content-Type: application/json; name=a.json\r\nContent-Disposition: attachment\r\n\r\n{"a":"${'b'.repeat(2000)}"}`,
      ]),
    ],
    [
      'both forms of a text',
      multipart(
        [`Content-Type: text/plain\r\n\r\n${long}`, `Content-Type: text/html\r\n\r\n<b>${long}</b>`],
        'alternative',
      ),
    ],
  ])('keeps what the reader sees of %s', async (_what, message) => {
    expect(await seen(fitted(message))).toEqual(await seen(Buffer.from(message)));
  });

  it('keeps the other parts byte for byte', () => {
    const plain = 'Content-Type: text/plain\r\nX-Odd:no space\r\n\r\n odd \t spacing ';
    expect(fitted(multipart([plain, `Content-Type: text/plain\r\n\r\n${long}`])).toString()).toContain(
      `--b\r\n${plain}\r\n--b`,
    );
  });

  it('folds long header fields without changing what they say', async () => {
    const references = Array.from({ length: 60 }, (_, number) => `<message-${number}@some.host.test>`).join(' ');
    const to = Array.from({ length: 60 }, (_, number) => `"Doe, ${number}"<person${number}@host.test>`).join(',');
    const message = `${head.replace('Subject: s', `Subject: ${long}`)}To: ${to}\r\nReferences: ${references}\r\n\r\nx\r\n`;
    const raw = fitted(message);
    expect(await seen(raw)).toEqual(await seen(Buffer.from(message)));
    expect((await parseMessage(raw)).references).toHaveLength(60);
  });

  it('encodes the text of a forwarded message inside it', async () => {
    const forwarded = `From: b@b.test\r\nSubject: inner\r\n\r\n${long}`;
    const raw = fitted(
      multipart(['Content-Type: text/plain\r\n\r\nsee', `Content-Type: message/rfc822\r\n\r\n${forwarded}`]),
    );
    expect(raw.toString()).toMatch(
      /Subject: inner\r\nMIME-Version: 1\.0\r\nContent-Transfer-Encoding: quoted-printable/,
    );
  });

  it.each([
    [
      'a signed part',
      multipart(
        [`Content-Type: text/plain\r\n\r\n${long}`, 'Content-Type: application/pgp-signature\r\n\r\nx'],
        'signed',
      ),
      /signature/,
    ],
    ['a header without white space', `${head}X-Key: ${'x'.repeat(1200)}\r\n\r\nx\r\n`, /"x-key"/],
    ['a multipart body without a boundary', `${head}Content-Type: multipart/mixed\r\n\r\n${long}\r\n`, /boundary/],
  ])('refuses %s', (_what, message, text) => {
    expect(fitLines(Buffer.from(message))).toEqual({ kind: 'refused', text: expect.stringMatching(text) });
  });

  it('takes linear time', () => {
    const start = cpuTimeMs();
    fitted(`${head}\r\n${`${'x'.repeat(1500)}\r\n`.repeat(3000)}`);
    fitted(`${head}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=C3'.repeat(1_000_000)}\r\n`);
    fitLines(Buffer.from(`${head}X: ${'x '.repeat(200_000)}\r\n\r\n`));
    expect(cpuTimeMs() - start).toBeLessThan(5000);
  });

  const many = (piece: string) => piece.repeat(300_000 / piece.length);
  const long998 = `${'a'.repeat(998)}\r\n`;

  it.each([
    ['a quotation of escaped marks that nothing closes', multipart([`To: "${many('\\"')}\r\n\r\nx`])],
    ['commas between quotations', multipart([`To: ${many('"a\\"",')}\r\n\r\nx`])],
    ['white space in a field', multipart([`X: ${many(' ')}x\r\n\r\nx`])],
    ['lines of a field that just fit', multipart([`X: ${many(` ${long998.slice(1)}`)} ${'b'.repeat(999)}\r\n\r\nx`])],
    ['lines before the first part that just fit', multipart([]).replace('--b--', `${many(long998)}${'b'.repeat(999)}`)],
    ['a boundary of any length', multipart([many('-')]).replace('boundary="b"', `boundary="${'-'.repeat(100_000)}"`)],
  ])('takes no time over %s', (_what, message) => {
    const start = cpuTimeMs();
    fitLines(Buffer.from(message));
    expect(cpuTimeMs() - start).toBeLessThan(400);
  });

  it('makes no line of white space alone, which a server may take for the end of the header', () => {
    const wide = ' '.repeat(400);
    const raw = fitted(`${head}X: ${wide}a${wide}b${wide}\r\n\r\nx`).toString();
    expect(raw.replaceAll('\r\n ', ' ')).toContain(`X: ${wide}a${wide}b${wide}`);
    expect(raw).not.toMatch(/^[ \t]+\r$/m);
  });

  it('puts a space behind commas outside of quoted names alone', () => {
    const to = `"a,b \\", c" <a@b.test>,${'<x@y.test>,'.repeat(100)}"d,e`;
    const raw = fitted(`${head}To: ${to}\r\n\r\nx`).toString();
    expect(raw).toContain('"a,b \\", c" <a@b.test>, <x@y.test>, <x@y.test>');
    expect(raw).toContain('"d, e');
  });
});

describe('toSevenBit', () => {
  const utf8 = 'Content-Type: text/plain; charset=utf-8\r\n';
  const cyrillic = 'Привет, мир. '.repeat(20);

  function converted(message: string | Buffer): Buffer {
    const outcome = toSevenBit(Buffer.from(message as string));
    if (outcome.kind !== 'fits') throw new Error(outcome.text);
    return outcome.raw;
  }

  it.each([
    ['ASCII', `${head}${utf8}\r\nplain\r\n`],
    ['8-bit text in the header alone', 'From: a@a.test\r\nSubject: Olé\r\n\r\nplain\r\n'],
    ['8-bit text in a header without a body', 'From: a@a.test\r\nSubject: Olé\r\n'],
    ['no 8-bit text, and lines of any length', `${head}\r\n${'x'.repeat(2000)}\r\n`],
  ])('leaves %s as it is', (_what, message) => {
    expect(converted(message).equals(Buffer.from(message))).toBe(true);
  });

  it.each([
    ['text', `${head}${utf8}Content-Transfer-Encoding: 8bit\r\n\r\nOlé = \t\r\nend\r\n`, /quoted-printable/],
    ['text of another alphabet', `${head}${utf8}\r\n${cyrillic}\r\n`, /base64/],
    [
      'text without any MIME field',
      `${head}\r\nOlé, said the reader\r\n`,
      /MIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted/,
    ],
    [
      'quoted-printable with raw bytes',
      `${head}${utf8}Content-Transfer-Encoding: quoted-printable\r\n\r\nOlé =C3=A9\r\n`,
      /=C3=A9 =C3=A9/,
    ],
    [
      'the parts of a message, each by itself',
      multipart([
        `${utf8}\r\nOlé`,
        'Content-Type: text/html; charset=utf-8\r\n\r\n<p>\u00e9</p>',
        'Content-Type: application/json; name="a.json"\r\nContent-Disposition: attachment\r\n\r\n{"a":"é"}',
      ]),
      /base64/,
    ],
    [
      'a forwarded message',
      multipart([
        'Content-Type: text/plain\r\n\r\nsee',
        `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${head}${utf8}\r\nOlé`,
      ]).replace('boundary="b"', 'boundary="b"\r\nContent-Transfer-Encoding: 8bit'),
      /mixed; boundary="b"\r\nContent-Transfer-Encoding: 7bit/,
    ],
  ])('encodes %s, and the reader sees the same', async (what, message, form) => {
    const raw = converted(message);
    expect(isAscii(raw)).toBe(true);
    expect(raw.toString()).toMatch(form);
    expect(raw.toString()).not.toMatch(/: 8bit/);
    const [before, after] = [await seen(Buffer.from(message)), await seen(raw)];
    // A forwarded message is a file with other bytes
    if (what === 'a forwarded message') expect({ ...after, files: [] }).toEqual({ ...before, files: [] });
    else expect(after).toEqual(before);
  });

  it('leaves header fields and the other parts byte for byte', () => {
    const plain = 'Content-Type: text/plain; name="é.txt"\r\nX-Odd:no space\r\n\r\n odd \t spacing ';
    const raw = converted(
      multipart([plain, `${utf8}\r\nOlé, said the reader`]).replace('Subject: s', 'Subject:  Olé \t '),
    ).toString();
    expect(raw).toContain('Subject:  Olé \t \r\n');
    expect(raw).toContain(`--b\r\n${plain}\r\n--b`);
    expect(raw).toContain('Ol=C3=A9');
  });

  it('drops what is 8-bit where no reader looks', () => {
    const raw = converted(multipart(['Content-Type: text/plain\r\n\r\nx']).replace('--b\r\n', 'é\r\n--b\r\n'));
    expect(isAscii(raw)).toBe(true);
  });

  it.each([
    [`DKIM-Signature: v=1; d=b.test\r\n${head}\r\nOlé\r\n`, /DKIM/],
    [multipart([`${utf8}\r\nOlé`, 'Content-Type: application/pgp-signature\r\n\r\nx'], 'signed'), /signature/],
    [`${head}Content-Type: message/partial; id=x\r\n\r\nOlé\r\n`, /message\/partial/],
    [`${head}Content-Transfer-Encoding: x-odd\r\n\r\nOlé\r\n`, /encoded anew/],
  ])('refuses what it must not change', (message, text) => {
    expect(toSevenBit(Buffer.from(message))).toEqual({ kind: 'refused', text: expect.stringMatching(text) });
  });
});
