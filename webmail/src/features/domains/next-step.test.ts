import { expect, it } from 'vitest';
import { nextStepOf } from './next-step.ts';

const verified = { verified: true, deletedAt: null, active_status: true, health: 'unknown' } as const;

it.each([
  ['unknown', 'mail'],
  ['error', 'mail'],
  ['warning', 'better'],
  ['good', null],
] as const)('a verified domain whose DNS is %s is led to %s', (health, step) => {
  expect(nextStepOf({ ...verified, health })).toBe(step);
});

it.each([{ verified: false }, { active_status: false }, { deletedAt: '2026-11-01T00:00:00.000Z' }])(
  'nothing comes next for a domain with %j',
  (change) => {
    expect(nextStepOf({ ...verified, ...change })).toBeNull();
  },
);
