import { describe, expect, it } from 'vitest';
import { previewOf, readText } from './previewable.ts';

const file = (contentType: string, size = 100) => ({
  _id: '1',
  file_path: '/upload/x',
  original_name: 'x',
  contentType,
  file_type: 'x',
  size,
  showData: true,
});

describe('previewOf', () => {
  it.each([
    ['image/png', 'picture'],
    ['IMAGE/JPEG; name=x', 'picture'],
    ['text/plain; charset=utf-8', 'text'],
    ['image/svg+xml', null],
    ['text/html', null],
    ['text/xml', null],
    ['application/pdf', 'pdf'],
    ['application/octet-stream', null],
    ['', null],
  ])('says how %j is looked at', (type, expected) => {
    expect(previewOf(file(type))).toBe(expected);
  });

  it('knows a PDF without a type of its own by its name', () => {
    expect(previewOf({ ...file('application/octet-stream'), original_name: 'Bill.PDF' })).toBe('pdf');
  });

  it.each([
    ['image/jpg', 'x', 'picture'],
    ['image/pjpeg', 'x', 'picture'],
    ['application/x-pdf', 'x', 'pdf'],
    ['application/octet-stream', 'IMG_0001.JPG', 'picture'],
    ['binary/octet-stream', 'scan.png', 'picture'],
    ['application/force-download', 'bill.pdf', 'pdf'],
    ['application/octet-stream', 'list.csv', 'text'],
    ['application/octet-stream', 'page.html', null],
    ['application/octet-stream', 'drawing.svg', null],
    ['application/octet-stream', 'png', null],
    ['text/html', 'picture.png', null],
  ])('knows what %s of the name %s means', (type, name, expected) => {
    expect(previewOf({ ...file(type), original_name: name })).toBe(expected);
  });

  it('leaves large and empty files to be saved', () => {
    expect([previewOf(file('image/png', 11_000_000)), previewOf(file('text/plain', 0))]).toEqual([null, null]);
    expect(previewOf(file('application/pdf', 27_000_000))).toBeNull();
  });
});

describe('readText', () => {
  it('reads UTF-8 and older text, and says when it is cut', async () => {
    expect(await readText(new Blob(['naïve']))).toEqual({ text: 'naïve', isCut: false });
    expect((await readText(new Blob([new Uint8Array([0x63, 0x61, 0x66, 0xe9])]))).text).toBe('café');
    const long = await readText(new Blob(['a'.repeat(262_143), 'ü', 'b']));
    expect([long.text.length, long.isCut]).toEqual([262_143, true]);
  });

  const read = async (bytes: number[], type = '') => (await readText(new Blob([new Uint8Array(bytes)], { type }))).text;
  const shiftJis = [0x93, 0xfa, 0x96, 0x7b];
  const iso2022 = [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42];

  it('believes the charset that the sender names', async () => {
    expect(await read(shiftJis, 'application/octet-stream; charset=Shift_JIS')).toBe('日本');
    expect(await read([0xcf, 0xf0, 0xe8], 'text/plain; charset="windows-1251"; name=x')).toBe('При');
    expect(await read(iso2022, 'text/plain; charset=iso-2022-jp')).toBe('日本');
    expect(await read([0xc3, 0xa9], 'text/plain; charset=iso-8859-1')).toBe('Ã©');
  });

  it('looks at the bytes where the charset is unknown or can’t be', async () => {
    expect(await read([0xc3, 0xa9], 'text/plain; charset=us-ascii')).toBe('é');
    expect(await read([0xc3, 0xa9], 'text/plain; charset=x-unheard-of')).toBe('é');
    expect(await read([0xe9], 'text/plain; charset=utf-8')).toBe('é');
  });

  it('knows a byte order mark, whatever is named, and does not show it', async () => {
    expect(await read([0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'text/plain; charset=iso-8859-1')).toBe('é');
    expect(await read([0xff, 0xfe, 0xe9, 0x00])).toBe('é');
    expect(await read([0xfe, 0xff, 0x00, 0xe9], 'text/plain; charset=utf-16')).toBe('é');
  });

  it('knows ISO-2022-JP by its escape sequences', async () => {
    expect(await read(iso2022)).toBe('日本');
    expect(await read(iso2022, 'text/plain; charset=us-ascii')).toBe('日本');
    // Colours of a terminal are none
    expect(await read([0x1b, 0x28, 0x42, 0x1b, 0x5b, 0x6d, 0x61])).toBe('\u001b(B\u001b[ma');
  });
});
