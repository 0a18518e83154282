import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { kindOfFile, textOfFile } from './file-text.ts';
import { officeFile } from './test-files.ts';

/** A PDF with one line of text on each page. */
function pdf(lines: string[]): Uint8Array {
  const kids = lines.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const pages = lines.map((line, index) => {
    const stream = `BT /F1 24 Tf 20 100 Td (${line}) Tj ET`;
    return [
      `${3 + index * 2} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]/Contents ${4 + index * 2} 0 R`,
      `/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj`,
      `${4 + index * 2} 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`,
    ].join('\n');
  });
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[${kids}]/Count ${lines.length}>>endobj`;
  return strToU8([head, ...pages, 'trailer<</Root 1 0 R>>', ''].join('\n'));
}

it.each([
  ['application/pdf', 'x', 'pdf'],
  ['application/octet-stream', 'Offer.PDF', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'x', 'office'],
  ['application/octet-stream', 'a.xlsx', 'office'],
  ['application/vnd.oasis.opendocument.text', 'x', 'office'],
  ['text/plain', 'notes', 'text'],
  ['text/html', 'page', 'html'],
  ['message/rfc822', 'x', 'message'],
  ['application/octet-stream', 'Forwarded.eml', 'message'],
  ['image/png', 'a.png', null],
  ['application/zip', 'a.zip', null],
])('knows a file of %s named %s', (contentType, filename, kind) => {
  expect(kindOfFile({ contentType, filename })).toBe(kind);
});

it('reads the words of each kind', async () => {
  expect(await textOfFile('pdf', pdf(['Hello bobbin', 'second page']))).toMatch(/^Hello bobbin\s+second page\s+$/);
  const docx = officeFile({
    'word/document.xml':
      '<w:document><w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo &amp; gr&#252;&#xDF;e</w:t></w:r></w:p><w:p>next</w:p></w:document>',
    'word/media/image1.png': 'not text',
  });
  expect((await textOfFile('office', docx)).split(/\s+/)).toEqual(['', 'Hello', '&', 'grüße', 'next', '']);
  const xlsx = officeFile({ 'xl/sharedStrings.xml': '<sst><si><t>Loom</t></si><si><t>Price</t></si></sst>' });
  expect(await textOfFile('office', xlsx)).toMatch(/Loom\s+Price/);
  const pptx = officeFile({ 'ppt/slides/slide1.xml': '<p:sld><a:p><a:r><a:t>Slide</a:t></a:r></a:p></p:sld>' });
  expect(await textOfFile('office', pptx)).toMatch(/Slide/);
  const odt = officeFile({ 'content.xml': '<office:body><text:h>Title</text:h><text:p>Body</text:p></office:body>' });
  expect(await textOfFile('office', odt)).toMatch(/Title\s+Body/);
  const letter = 'From: Bea <bea@sender.test>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nThe treadle\r\n';
  expect((await textOfFile('message', strToU8(letter))).split(/\s+/)).toEqual(
    expect.arrayContaining(['Grüße', 'Bea', 'bea@sender.test', 'treadle']),
  );
  expect(await textOfFile('text', strToU8('Grüße'))).toBe('Grüße');
  expect(await textOfFile('text', Uint8Array.of(0x47, 0x72, 0xfc))).toBe('Grü');
  expect(await textOfFile('text', Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42, 0))).toBe('AB');
  expect(await textOfFile('html', strToU8('<style>x</style><p>One</p><p>Two'))).toMatch(/^One\s+Two$/);
});

it.each(['pdf', 'office', 'html', 'text'] as const)('has no words for a broken file of kind %s', async (kind) => {
  const broken = [
    new Uint8Array(),
    new Uint8Array(5000),
    pdf(['x']).subarray(0, 90),
    officeFile({ a: 'b' }).subarray(0, 20),
  ];
  for (const content of broken) expect((await textOfFile(kind, content)).length).toBeLessThan(5001);
});

it('takes a bounded part of an archive that holds far more than its size', async () => {
  const zeros = 'a '.repeat(1_000_000);
  const bomb = officeFile(
    Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`ppt/slides/slide${number}.xml`, zeros])),
  );
  const begin = cpuTimeMs();
  expect((await textOfFile('office', bomb)).length).toBeLessThanOrEqual(200_000);
  expect(cpuTimeMs() - begin).toBeLessThan(2000);
});

/** An office file in which many parts are one uncompressed megabyte and claim to be empty. */
function overlapping(parts: number): Uint8Array {
  const xml = strToU8(`x<${'a'.repeat(1_048_000)}>`);
  const one = Buffer.from(zipSync({ 'word/header100.xml': [xml, { level: 0 }] }));
  const end = one.subarray(-22);
  const entries = Array.from({ length: parts }, (_, number) => {
    const entry = Buffer.from(one.subarray(end.readUInt32LE(16), -22));
    entry.writeUInt32LE(0, 24);
    entry.write(`word/header${100 + number}.xml`, 46);
    return entry;
  });
  end.writeUInt16LE(parts, 8);
  return Buffer.concat([one.subarray(0, end.readUInt32LE(16)), ...entries, end]);
}

it('does not copy the same bytes over and over', async () => {
  const text = await textOfFile('office', overlapping(500));
  expect(text.match(/x/g)?.length).toBe(24);
});

it('does not believe the size that an archive claims for a part', async () => {
  const size = 30_000_000;
  const bomb = Buffer.from(officeFile({ 'content.xml': 'b'.repeat(size) }));
  for (let at = bomb.indexOf(sizeBytes(size)); at >= 0; at = bomb.indexOf(sizeBytes(size))) bomb.writeUInt32LE(100, at);
  const before = process.memoryUsage().arrayBuffers;
  expect((await textOfFile('office', bomb)).length).toBeLessThanOrEqual(100);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(size);
});

function sizeBytes(size: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes;
}

it('is not held up by tags that never end', async () => {
  const begin = cpuTimeMs();
  for (const xml of ['<'.repeat(4_000_000), '<a'.repeat(2_000_000), '&#'.repeat(2_000_000), '<p>'.repeat(1_000_000)]) {
    await textOfFile('office', officeFile({ 'content.xml': xml }));
  }
  expect(cpuTimeMs() - begin).toBeLessThan(3000);
});

it('reads the beginning of a long text that is cut within a character', async () => {
  const text = await textOfFile('text', strToU8(`a${'é'.repeat(500_000)}`));
  expect([text.length, text.slice(0, 3)]).toEqual([200_000, 'aéé']);
});
