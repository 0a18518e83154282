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

it('gives a WAV file of its samples, each letter in its turn', async () => {
  const [one, five] = await Promise.all([speakLetters('a'), speakLetters('aGk7X')]);
  for (const wav of [one, five]) {
    expect(wav.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  }
  expect(five.length).toBeGreaterThan(3 * one.length);
});

it('never speaks a letter in the same bytes twice', async () => {
  const [one, other] = await Promise.all([speakLetters('b'), speakLetters('b')]);
  const middle = one.subarray(one.length / 2, one.length / 2 + 400);
  expect(other.includes(middle)).toBe(false);
});

it('has no click at the end of a letter', async () => {
  for (const letter of ['b', 'e', '4']) {
    const wav = await speakLetters(letter);
    // A byte of nought would be the loudest value that there is
    expect(Math.abs((wav.at(-1) ?? 0) - 128)).toBeLessThan(60);
  }
});
