import { expect, it } from 'vitest';
import { cleanPhone } from './clean.ts';

it.each([
  ['98765 43210', '9876543210'],
  ['9876543210 99', '9876543210'],
  ['+91 98765 43210', '9876543210'],
  [' +91-98765-43210', '9876543210'],
  ['+1', '1'],
])('keeps ten digits of the phone number %s', (typed, kept) => {
  expect(cleanPhone(typed)).toBe(kept);
});
