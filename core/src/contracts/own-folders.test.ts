import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { ownFolderForm } from './own-folders.ts';

it('the form of a folder takes no longer for a name of 60,000 accents', () => {
  const started = cpuTimeMs();
  expect(ownFolderForm.safeParse({ name: '\u0315\u0300\u05ae\u0327'.repeat(15_000) }).success).toBe(false);
  expect(cpuTimeMs() - started).toBeLessThan(100);
  expect(ownFolderForm.safeParse({ name: 'Re\u0301sume\u0301s' }).success).toBe(true);
  expect(ownFolderForm.safeParse({ name: 'ＩＮＢＯＸ' }).success).toBe(false);
});
