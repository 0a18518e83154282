import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { ownFolderForm } from '../contracts/own-folders.ts';
import { nameKeyOf } from './name-key.ts';

// To put accents into order takes quadratic time
const accents = '\u0315\u0300\u05ae\u0327'.repeat(15_000);

it('a name of 60,000 accents is compared as fast as any other', () => {
  const started = cpuTimeMs();
  expect(nameKeyOf(accents).length).toBeLessThanOrEqual(255);
  expect(cpuTimeMs() - started).toBeLessThan(100);
});

it('the form of a folder refuses such a name as fast', () => {
  const started = cpuTimeMs();
  expect(ownFolderForm.safeParse({ name: accents }).success).toBe(false);
  expect(cpuTimeMs() - started).toBeLessThan(100);
  expect(ownFolderForm.safeParse({ name: 'Re\u0301sume\u0301s' }).success).toBe(true);
  expect(ownFolderForm.safeParse({ name: 'ＩＮＢＯＸ' }).success).toBe(false);
});
