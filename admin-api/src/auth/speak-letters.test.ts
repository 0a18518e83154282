import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ignoredLetters } from './captcha.ts';
import { speakLetters } from './speak-letters.ts';

it('has a clip for each letter and digit that a captcha may have', async () => {
  const known = (await readdir(new URL('letters/', import.meta.url))).map((name) => name.replace('.wav', ''));
  const all = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const drawn = all.filter((letter) => !ignoredLetters.includes(letter)).map((letter) => letter.toLowerCase());
  expect(known.sort()).toEqual([...new Set(drawn)].sort());
});

it('gives one WAV file with all of them in their order', async () => {
  const [a, b, both] = await Promise.all(['a', 'B', 'ab'].map(speakLetters));
  expect(both?.subarray(0, 4).toString()).toBe('RIFF');
  expect(both?.readUInt32LE(4)).toBe((both?.length ?? 0) - 8);
  expect(both?.readUInt32LE(40)).toBe((both?.length ?? 0) - 44);
  expect(both?.subarray(44)).toEqual(Buffer.concat([a?.subarray(44) ?? [], b?.subarray(44) ?? []].map(Buffer.from)));
});
