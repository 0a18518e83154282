import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { attribute, fileOf, propertiesOf, tnefOf } from '../../../tests/support/tnef.ts';
import { parseMessage } from './parse-message.ts';
import { decompressRtf, textOfRtf } from './rtf-text.ts';
import { unpackTnef } from './tnef.ts';

const unicode = 0x001f;
const binary = 0x0102;
const object = 0x000d;
const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
const messageInterface = Buffer.from('0703020000000000c000000000000046', 'hex');
const packed = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
  'hex',
);

/** A stream with a text as RTF that is not compressed (MS-OXRTFCP 2.1.3.1.5). */
function withRtf(rtf: string): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(rtf.length + 12);
  head.writeUInt32LE(rtf.length, 4);
  head.write('MELA', 8);
  return tnefOf([attribute(1, 0x00069003, propertiesOf([[binary, 0x1009, Buffer.concat([head, Buffer.from(rtf)])]]))]);
}

describe('the stream of winmail.dat', () => {
  it('has files by their long names and types', () => {
    const stream = tnefOf([
      ...fileOf('PREISL~1.PDF', Buffer.from('%PDF'), [[unicode, 0x3707, wide('Preisliste für März.pdf')]]),
      ...fileOf('notes.txt', Buffer.from('knit two')),
    ]);
    const { files, isWhole } = unpackTnef(stream);
    expect(isWhole).toBe(true);
    expect(files.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ['Preisliste für März.pdf', '%PDF'],
      ['notes.txt', 'knit two'],
    ]);
  });

  it('has a text, as plain text, HTML or RTF', () => {
    const text = (id: number, type: number, value: Buffer) =>
      unpackTnef(tnefOf([attribute(1, 0x00069003, propertiesOf([[type, id, value]]))]));
    expect(text(0x1000, unicode, wide('Grüße'))).toMatchObject({ text: 'Grüße', html: null });
    expect(text(0x1013, binary, Buffer.from('<p>hi</p>'))).toMatchObject({ text: null, html: '<p>hi</p>' });
    expect(text(0x1009, binary, packed)).toMatchObject({
      text: expect.stringMatching(/^\s*hello world\s*$/),
      isWhole: true,
    });
    expect(text(0x1009, binary, packed.subarray(0, -12)).isWhole).toBe(false);
    expect(unpackTnef(withRtf('{\\rtf1 hi}'))).toMatchObject({ text: 'hi', isWhole: true });
    const cyrillic = Buffer.concat([Buffer.from([0xe3, 0x04, 0, 0])]);
    const old = tnefOf([attribute(1, 0x00069007, cyrillic), attribute(1, 0x0002800c, Buffer.from([0xcf, 0xf0, 0]))]);
    expect(unpackTnef(old).text).toBe('Пр');
  });

  it('may have a message as a file, with files of its own', () => {
    const inner = tnefOf([
      attribute(1, 0x0002800c, Buffer.from('inner words\0')),
      ...fileOf('in.txt', Buffer.from('x')),
    ]);
    const data = Buffer.concat([messageInterface, inner]);
    const stream = tnefOf(
      fileOf('ignored', Buffer.from('y'), [
        [unicode, 0x3001, wide('Old/letter')],
        [object, 0x3701, data],
      ]),
    );
    const { files, text } = unpackTnef(stream);
    expect(text).toBeNull();
    expect(files.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ['Old-letter.txt', 'inner words'],
      ['in.txt', 'x'],
    ]);
  });

  it('keeps what stands before a damage, wherever it is cut off', () => {
    const stream = tnefOf([
      ...fileOf('a.txt', Buffer.from('one')),
      ...fileOf('b.txt', Buffer.from('two'), [[unicode, 0x3707, wide('b')]]),
    ]);
    for (let length = 0; length < stream.length; length += 1) {
      const { files } = unpackTnef(stream.subarray(0, length));
      expect(files.every(({ content }) => ['one', 'two'].includes(content.toString()))).toBe(true);
    }
    expect(unpackTnef(stream.subarray(0, stream.length - 5)).files[0]?.filename).toBe('a.txt');
    expect(unpackTnef(Buffer.alloc(0))).toEqual({ files: [], text: null, html: null, isWhole: false });
  });

  it.each([
    ['many words', `{\\rtf1 Dear Ann, ${'{\\b knit} two\\par '.repeat(12_000)}}`],
    ['a large picture before its end', `{\\rtf1 Dear Ann, {\\pict ${'89504e47'.repeat(140_000)}} Ben}`],
    ['groups within groups', `{\\rtf1 Dear Ann, ${'{'.repeat(600)}knit two`],
  ])('is not whole where its text is of %s, beyond what is read', (_what, rtf) => {
    expect(unpackTnef(withRtf(rtf))).toMatchObject({
      text: expect.stringContaining('Dear Ann'),
      isWhole: false,
    });
  });

  it('is not whole where those before it in the message have used up what is read', async () => {
    const stream = withRtf(`{\\rtf1 Dear Ann, ${'{\\b knit} two\\par '.repeat(8000)}}`).toString('base64');
    const part = `--b\r\nContent-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n${stream}\r\n`;
    const raw = `From: a@a.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part}${part}--b--`;
    const { text, attachments } = await parseMessage(Buffer.from(raw));
    expect(text).toContain('Dear Ann');
    expect(attachments.map(({ related }) => related)).toEqual([true, false]);
  });

  it('is not whole where its text is cut', () => {
    const body = (value: Buffer) => unpackTnef(tnefOf([attribute(1, 0x0002800c, value)]));
    expect(body(Buffer.alloc(2_000_001, 'x'))).toMatchObject({ text: 'x'.repeat(2_000_000), isWhole: false });
    expect(body(Buffer.alloc(2_000_000, 'x')).isWhole).toBe(true);
    const properties = propertiesOf([
      [binary, 0x1013, Buffer.alloc(2_000_001, '<p>')],
      [unicode, 0x1000, wide('as text')],
    ]);
    expect(unpackTnef(tnefOf([attribute(1, 0x00069003, properties)]))).toMatchObject({
      text: 'as text',
      isWhole: false,
    });
  });

  it('survives any byte that is another', () => {
    const stream = tnefOf([
      attribute(1, 0x00069003, propertiesOf([[binary, 0x1009, packed]])),
      ...fileOf('b.txt', Buffer.from('two'), [[unicode, 0x3707, wide('b')]]),
    ]);
    for (let at = 0; at < stream.length; at += 1) {
      for (const byte of [0x00, 0x7f, 0xff]) {
        const bent = Buffer.from(stream);
        bent[at] = byte;
        expect(unpackTnef(bent).files.length).toBeLessThanOrEqual(1);
      }
    }
  });

  it('believes no length and no count', () => {
    const lying = attribute(2, 0x0006800f, Buffer.from('x'));
    lying.writeUInt32LE(0xffff_ffff, 5);
    expect(unpackTnef(tnefOf([lying])).isWhole).toBe(false);
    const many = propertiesOf([[0x0003 | 0x1000, 0x1000, Buffer.alloc(8)]]);
    many.writeUInt32LE(0xffff_ffff, 0);
    many.writeUInt32LE(0xffff_ffff, 8);
    expect(unpackTnef(tnefOf([attribute(1, 0x00069003, many)])).isWhole).toBe(false);
    const page = propertiesOf([[binary, 0x3fde, Buffer.alloc(1)]]);
    expect(unpackTnef(tnefOf([attribute(1, 0x00069003, page)])).isWhole).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['tiny attributes', attribute(1, 0x0006_0001, Buffer.alloc(0))],
    ['tiny files', attribute(2, 0x0006_9002, Buffer.alloc(0))],
    ['empty texts', attribute(1, 0x0006_9003, propertiesOf([[unicode, 0x1000, Buffer.alloc(0)]]))],
  ])('takes no longer for a megabyte of %s', (_name, one) => {
    const stream = tnefOf([Buffer.alloc(1_048_576, one)]);
    const start = cpuTimeMs();
    expect(unpackTnef(stream).files.length).toBeLessThanOrEqual(200);
    expect(cpuTimeMs() - start).toBeLessThan(400);
  });

  it('nests no deeper than a few messages', () => {
    let stream = tnefOf(fileOf('core.txt', Buffer.from('x')));
    for (let depth = 0; depth < 12; depth += 1) {
      stream = tnefOf(fileOf('m', Buffer.from('y'), [[object, 0x3701, Buffer.concat([messageInterface, stream])]]));
    }
    expect(unpackTnef(stream)).toMatchObject({ files: [], isWhole: false });
  });
});

describe('compressed RTF', () => {
  it('is unpacked as the examples of its description', () => {
    expect(decompressRtf(packed).rtf.toString()).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
    const overlapping = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0';
    expect(decompressRtf(Buffer.from(overlapping, 'hex')).rtf.toString()).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
  });

  it('becomes no more than a megabyte', () => {
    const bomb = Buffer.alloc(1_048_576, 0xff);
    bomb.writeUInt32LE(0xffff_ffff, 4);
    bomb.writeUInt32LE(0x75465a4c, 8);
    expect(decompressRtf(bomb).rtf.length).toBeLessThanOrEqual(1_048_576);
  });

  it('is words without what is not shown', () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\*\htmltag <p>}\cf0 \'cf\u1088?\par a\{b\}\tab{\b c}}`;
    expect(textOfRtf(Buffer.from(rtf))).toEqual({ text: 'Пр\na{b}\tc', isWhole: true });
    for (const evil of [
      '{'.repeat(1_000_000),
      "\\'cf".repeat(250_000),
      '\\u1?'.repeat(200_000),
      '\\par'.repeat(250_000),
    ]) {
      const start = cpuTimeMs();
      textOfRtf(Buffer.from(evil));
      expect(cpuTimeMs() - start).toBeLessThan(1000);
    }
  });
});

const messageWith = (stream: Buffer, words = '') =>
  Buffer.from(
    [
      'Subject: From Outlook',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      ...(words ? ['--m', '', words] : []),
      '--m',
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Transfer-Encoding: base64',
      '',
      stream.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--m--',
      '',
    ].join('\r\n'),
  );

describe('a message with winmail.dat', () => {
  const body = attribute(1, 0x0002800c, Buffer.from('from within\0'));
  const stream = tnefOf([body, ...fileOf('../bill.pdf', Buffer.from('%PDF'))]);

  it('has the files and the text within as its own', async () => {
    const parsed = await parseMessage(messageWith(stream), { keepContent: (index) => index === 1 });
    expect(parsed).toMatchObject({ text: 'from within', preview: 'from within' });
    expect(parsed.attachments).toMatchObject([
      { index: 0, filename: 'winmail.dat', related: true },
      { index: 1, filename: 'bill.pdf', contentType: 'application/pdf', size: 4, related: false },
    ]);
    expect(parsed.attachments.map(({ content }) => content?.toString())).toEqual([undefined, '%PDF']);
  });

  it('keeps the text that it has besides', async () => {
    expect((await parseMessage(messageWith(stream, 'from outside'))).text?.trim()).toBe('from outside');
  });

  it('still lists the original when that is damaged', async () => {
    const { attachments } = await parseMessage(messageWith(stream.subarray(0, stream.length - 20)));
    expect(attachments[0]).toMatchObject({ filename: 'winmail.dat', related: false });
  });
});
