import { describe, expect, it } from 'vitest';
import { extractAttachment, parseMessage } from './parse-message.ts';
import { showMessage } from './show-message.ts';
import { signedContent } from './signed-content.ts';

/** An element of BER with its length, or with an open end. */
function element(tag: number, content: readonly Buffer[], isOpen = false): Buffer {
  const bytes = Buffer.concat(content);
  if (isOpen) return Buffer.concat([Buffer.from([tag, 0x80]), bytes, Buffer.alloc(2)]);
  return Buffer.concat([Buffer.from([tag, 0x82, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

const oid = (hex: string) => element(0x06, [Buffer.from(hex, 'hex')]);
const signedData = oid('2a864886f70d010702');
const envelopedData = oid('2a864886f70d010703');

interface Form {
  /** Lengths are left open, and the content comes in parts, as from a program that streams. */
  isStreamed?: boolean;
  type?: Buffer;
}

function signatureAround(entity: string, { isStreamed = false, type = signedData }: Form = {}): Buffer {
  const bytes = Buffer.from(entity);
  const parts = [bytes.subarray(0, 9), bytes.subarray(9)].map((part) => element(0x04, [part]));
  const octets = isStreamed ? element(0x24, parts, true) : element(0x04, [bytes]);
  const wrapped = element(0x30, [oid('2a864886f70d010701'), element(0xa0, [octets], isStreamed)], isStreamed);
  const signed = element(0x30, [element(0x02, [Buffer.from([1])]), element(0x31, []), wrapped], isStreamed);
  return element(0x30, [type, element(0xa0, [signed], isStreamed)], isStreamed);
}

function messageWith(file: Buffer, type = 'application/pkcs7-mime', name = 'smime.p7m'): Buffer {
  const header = [
    'Subject: sealed',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
  ];
  return Buffer.from([...header, '', file.toString('base64').replace(/.{76}/g, '$&\r\n'), ''].join('\r\n'));
}

const entity = [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Grüße</p>',
  '--b',
  'Content-Type: application/pdf; name=plan.pdf',
  '',
  '%PDF',
  '--b--',
].join('\r\n');

describe('a message that is wholly within its S/MIME signature', () => {
  it.each([false, true])('shows its text and its files, and keeps the signature (streamed: %s)', async (isStreamed) => {
    const message = messageWith(signatureAround(entity, { isStreamed }));
    const parsed = await parseMessage(message);
    expect(parsed).toMatchObject({ subject: 'sealed', preview: 'Grüße' });
    expect(parsed.attachments.filter(({ related }) => !related).map(({ filename }) => filename)).toEqual([
      'smime.p7m',
      'plan.pdf',
    ]);
    expect(showMessage(parsed, 'x').html).toContain('<p>Grüße</p>');
    expect((await extractAttachment(message, 1))?.content.toString()).toBe('%PDF');
  });

  it.each(['application/x-pkcs7-mime', 'application/octet-stream'])('is known by %s', async (type) => {
    expect((await parseMessage(messageWith(signatureAround(entity), type))).preview).toBe('Grüße');
  });

  it('leaves what is signed twice as a file', async () => {
    const inner = messageWith(signatureAround(entity)).toString();
    const { attachments, preview } = await parseMessage(messageWith(signatureAround(inner)));
    expect([preview, attachments.map(({ filename }) => filename)]).toEqual(['', ['smime.p7m', 'smime.p7m']]);
  });

  it('says so where it is encrypted or damaged', async () => {
    const words = /<strong>This message is encrypted with S\/MIME, or damaged\. It is in the file “smime\.p7m”/;
    const shownOf = async (file: Buffer) => showMessage(await parseMessage(messageWith(file)), 'x').html;
    const signature = signatureAround(entity);
    expect(await shownOf(signatureAround(entity, { type: envelopedData }))).toMatch(words);
    expect(await shownOf(signature.subarray(0, 200))).toMatch(words);
    expect(await shownOf(Buffer.from('30803080308030803080', 'hex'))).toMatch(words);
  });

  it('says nothing of a file of certificates', async () => {
    const message = messageWith(signatureAround(''), 'application/pkcs7-mime', 'smime.p7c');
    expect(showMessage(await parseMessage(message), 'x').html).not.toContain('encrypted');
  });
});

it('says of OpenPGP that a message is encrypted, and lists the one file that has it', async () => {
  const lines = [
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
    '',
    '--b',
    'Content-Type: application/pgp-encrypted',
    '',
    'Version: 1',
    '--b',
    'Content-Type: application/octet-stream; name="encrypted.asc"',
    'Content-Disposition: inline; filename="encrypted.asc"',
    '',
    '-----BEGIN PGP MESSAGE-----',
    '--b--',
  ];
  const parsed = await parseMessage(Buffer.from(lines.join('\r\n')));
  expect(parsed.attachments).toMatchObject([{ related: true }, { related: false, filename: 'encrypted.asc' }]);
  expect(showMessage(parsed, 'x').html).toContain('encrypted with OpenPGP. It is in the file “encrypted.asc”');
});

it.each(['30', '0680', '3082ffff', '30ff', '1f01', '3080'.repeat(40), ''])('gives nothing for %s', (hex) => {
  expect(signedContent(Buffer.from(hex, 'hex'))).toBeNull();
});
