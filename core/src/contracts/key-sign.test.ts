import { expect, it } from 'vitest';
import { signOf } from './key-sign.ts';
import { namedKeys } from './test-keys.ts';

it.each(namedKeys)('%s', (_which, key, sign) => {
  expect(signOf(key)).toBe(sign);
});
