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
});
