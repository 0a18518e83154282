import { expect, it } from 'vitest';
import { isLookedFor } from './proof-time.ts';

it('ends 30 days after the domain was added', () => {
  const createdAt = '2026-10-01T12:00:00.000Z';
  expect(isLookedFor({ createdAt }, new Date('2026-10-31T11:59:59Z'))).toBe(true);
  expect(isLookedFor({ createdAt }, new Date('2026-10-31T12:00:00Z'))).toBe(false);
});
