import { describe, expect, it } from 'vitest';
import { envelopedData, signatureAround } from '../../../tests/support/signed-file.ts';
import { attribute, fileOf, tnefOf } from '../../../tests/support/tnef.ts';
import { extractAttachment, parseMessage } from './parse-message.ts';
import { showMessage } from './show-message.ts';
import { signedContent } from './signed-content.ts';

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

/** A message with some signed files. */
function messageOfSigned(entities: (Buffer | string)[]): Buffer {
  const parts = entities.map((signed) => `--s\r\n${String(messageWith(signatureAround(signed)))}`);
  return Buffer.from(`Content-Type: multipart/mixed; boundary=s\r\n\r\n${parts.join('')}--s--`);
}

describe('several signed files of a message', () => {
  const ofParts = (count: number) =>
    `Content-Type: multipart/mixed; boundary=c\n\n${'--c\nContent-Type: text/csv\n\nx\n'.repeat(count)}--c--`;
  const winmail = (files: number) => {
    const list = Array.from({ length: files }, (_, index) => fileOf(`${index}.txt`, Buffer.from('x')));
    const stream = tnefOf([attribute(1, 0x0002800c, Buffer.from('winmail words\0')), ...list.flat()]);
    return Buffer.concat([Buffer.from('Content-Type: application/ms-tnef; name=winmail.dat\n\n'), stream]);
  };

  it('share the limit on the parts of the message', async () => {
    // The message, two signed files, two multiparts and their parts
    expect((await parseMessage(messageOfSigned([ofParts(500), ofParts(495)]))).attachments).toHaveLength(997);
    const many = messageOfSigned([ofParts(500), ofParts(496)]);
    await expect(parseMessage(many)).rejects.toMatchObject({ reason: 'too_many_parts' });
  });

  it('share the limit on what winmail.dat files have', async () => {
    const { attachments } = await parseMessage(messageOfSigned([winmail(150), winmail(150)]));
    expect(attachments.filter(({ filename }) => filename.endsWith('.txt'))).toHaveLength(200);
  });

  it('are read whole where each has a text and some files', async () => {
    const { text, attachments } = await parseMessage(messageOfSigned([winmail(12), ofParts(12)]));
    expect(text).toBe('winmail words');
    expect(attachments.filter(({ related }) => !related).map(({ filename }) => filename)).toEqual([
      'smime.p7m',
      'smime.p7m',
      ...Array.from({ length: 12 }, (_, index) => `${index}.txt`),
      ...Array.from({ length: 12 }, (_, index) => `attachment-${index + 1}.csv`),
    ]);
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
