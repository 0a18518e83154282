import { expect, it } from 'vitest';
import { nextStepOf } from './next-step.ts';

const verified = { verified: true, deletedAt: null, active_status: true, health: 'unknown', broken_parts: [] } as const;

it.each([
  ['unknown', [], 'mail'],
  ['error', ['mx', 'dmarc'], 'mail'],
  ['error', ['dmarc'], 'mend'],
  // No name server answers
  ['error', [], 'mend'],
  ['warning', [], 'better'],
  ['good', [], null],
] as const)('a verified domain whose DNS is %s, with %j broken, is led to %s', (health, broken, step) => {
  expect(nextStepOf({ ...verified, health, broken_parts: [...broken] })).toBe(step);
});

it.each([{ verified: false }, { active_status: false }, { deletedAt: '2026-11-01T00:00:00.000Z' }])(
  'nothing comes next for a domain with %j',
  (change) => {
    expect(nextStepOf({ ...verified, broken_parts: [], ...change })).toBeNull();
  },
);
