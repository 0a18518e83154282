import { createRequire } from 'node:module';
import { authenticate, dkimVerify } from 'mailauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { type DkimKeyPair, dkimRecord, generateDkimKeyPair } from './dkim-key-pair.ts';
import { type DkimSigner, openSigner, relaxBody } from './dkim-signer.ts';
import { signMessage } from './sign-message.ts';

const header =
  'From: a@example.com\r\nTo: b@example.org\r\nSubject: x\r\nDate: Mon, 01 Jan 2024 00:00:00 +0000\r\nMessage-ID: <1@x>\r\n';
let key: DkimKeyPair;

beforeAll(async () => {
  key = await generateDkimKeyPair();
});

const sign = (raw: Buffer) =>
  signMessage(raw, { domain: 'example.com', selector: 's1', privateKey: key.privateKeyPem });
const resolver = async (name: string) => {
  if (name !== 's1._domainkey.example.com') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  return [[dkimRecord(key.publicKeyBase64)]];
};
const verify = async (raw: Buffer) => (await dkimVerify(raw, { resolver })).results[0]?.status.result;
const signed = (raw: Buffer) => Buffer.concat([Buffer.from(sign(raw)), raw]);

describe('signMessage', () => {
  it.each<[string, Buffer]>([
    ['a plain body', Buffer.from(`${header}\r\nhello\r\n`)],
    ['an empty body', Buffer.from(`${header}\r\n`)],
    ['only blank lines', Buffer.from(`${header}\r\n\r\n\r\n`)],
    ['no line end at the end', Buffer.from(`${header}\r\nhello`)],
    ['NBSP and other wide spaces', Buffer.from(`${header}\r\na\u00a0 b\u3000\r\n\f \v\r\n`)],
    ['Latin-1 bytes', Buffer.from(`${header}\r\nOl\u00e9\r\n`, 'latin1')],
    [
      'a UTF-8 header with U+2028 before a word',
      Buffer.from(`${header.replace('x\r', 'a\u2028From: me\r')}\r\nhello\r\n`),
    ],
    ['a UTF-8 header with NBSP', Buffer.from(`X: y\r\n${header.replace('x\r', 'Olé\u00a0 du\r')}\r\nhello\r\n`)],
    [
      'folded and spaced fields',
      Buffer.from(`${header}Cc:  a@b.c,\r\n\t d@e.f  \r\nREFERENCES :  <a@b>\r\n <c@d>\r\n\r\nx  y \r\n`),
    ],
    [
      'many recipients',
      Buffer.from(`${header}Cc: ${'someone@example.net,\r\n '.repeat(80)}z@example.net\r\n\r\nx\r\n`),
    ],
    ['a bare CR in the body', Buffer.from(`${header}\r\na\rb\r\n`)],
    ['repeated fields', Buffer.from(`${header}To: c@d.e\r\nSubject: second\r\n\r\nx\r\n`)],
  ])('verifies with %s', async (_case, raw) => {
    expect(await verify(signed(raw))).toBe('pass');
  });

  it.each([
    ['From is added on top', (text: string) => `From: boss@example.com\r\n${text}`],
    ['Subject is added at the end', (text: string) => text.replace('\r\n\r\n', '\r\nSubject: other\r\n\r\n')],
    ['Reply-To is added', (text: string) => `Reply-To: x@evil.example\r\n${text}`],
    ['Date is changed', (text: string) => text.replace('2024', '2025')],
    ['the body is changed', (text: string) => text.replace('hello', 'bye')],
  ])('fails when %s', async (_case, change) => {
    const raw = signed(Buffer.from(`${header}\r\nhello\r\n`)).toString();
    expect(await verify(Buffer.from(change(raw)))).not.toBe('pass');
  });

  it.each([
    ['two From fields', `From: x@y.z\r\n${header}\r\n`],
    ['no From field', 'To: a@b.c\r\n\r\n'],
    ['bare line ends', `${header}X: a\nb: c\r\n\r\n`],
  ])('refuses %s', (_case, text) => {
    expect(() => sign(Buffer.from(text))).toThrow('cannot sign');
  });

  it.each([
    ['spaces', `${' '.repeat(1_000_000)}x\r\n`],
    ['blank lines', `${'\r\n'.repeat(500_000)}x\r\n`],
  ])('stays fast on a megabyte of %s', (_case, body) => {
    const raw = Buffer.from(`${header}\r\n${body}`);
    const started = cpuTimeMs();
    sign(raw);
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });

  it('stays fast on a megabyte of header', () => {
    const raw = Buffer.from(`${header}X: ${' '.repeat(500_000)}x\r\n${'To: a@b.c\r\n'.repeat(50_000)}\r\n`);
    const started = cpuTimeMs();
    sign(raw);
    expect(cpuTimeMs() - started).toBeLessThan(2000);
  });

  it('makes a field of short lines that DMARC can align', async () => {
    const raw = Buffer.from(`${header}\r\nhello\r\n`);
    expect(
      Math.max(
        ...sign(raw)
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(78);
    const results = await authenticate(signed(raw), {
      resolver,
      ip: '127.0.0.1',
      sender: 'a@example.com',
      disableBimi: true,
    });
    expect(results.dkim.results[0]?.status.aligned).toBe('example.com');
  });
});

describe('relaxBody', () => {
  it.each([
    ['', ''],
    ['\r\n\r\n', ''],
    [' \r\n', ''],
    ['a', 'a\r\n'],
    ['a \t b  \r\n\r\n', 'a b\r\n'],
    ['  a\r\n \r\nb', ' a\r\n\r\nb\r\n'],
  ])('turns %j into %j', (body, relaxed) => {
    expect(relaxBody(Buffer.from(body)).toString()).toBe(relaxed);
  });
});

describe('the package that signs', () => {
  const members = { relaxedBody: () => Buffer.alloc(0), relaxedHeaders: () => ({ headers: '', fieldNames: '' }) };

  it('is refused with a sentence when it lacks what is replaced', () => {
    const odd = { DKIMSign: () => '', DKIMCanonicalizer: members } as unknown as DkimSigner;
    expect(() => openSigner(odd)).toThrow(
      'dkim-signer.ts uses what dkim-signer 0.2.2 does not have: DKIMCanonicalizer.relaxedHeaderLine',
    );
  });

  it('is refused with a sentence when it does not ask the replaced functions', () => {
    const { DKIMSign }: DkimSigner = createRequire(import.meta.url)('dkim-signer');
    const odd = { DKIMSign, DKIMCanonicalizer: { ...members, relaxedHeaderLine: () => ({ key: '', value: '' }) } };
    expect(() => openSigner(odd)).toThrow(/what dkim-signer signs cannot be verified/);
  });
});
