import { expect, it } from 'vitest';
import { configureZod } from './configure-zod.ts';

it('makes zod check values without code made from text', async () => {
  configureZod();
  const { z } = await import('zod');
  expect(z.config().jitless).toBe(true);
  const schema = z.object({ page: z.number() });
  expect([schema.safeParse({ page: 1 }).success, schema.safeParse({ page: '1' }).success]).toEqual([true, false]);
});
