import { expect, it } from 'vitest';
import { hourNames } from './hour-names.ts';

it('tells the two hours apart that have one name when the clocks go back', () => {
  const hours = ['2026-10-24T23:00:00.000Z', '2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'];
  const shown = { locale: 'en-GB', timeZone: 'Europe/Berlin' };
  expect(hourNames(hours, shown)).toEqual(['Sun 01:00', 'Sun, 02:00 CEST', 'Sun, 02:00 CET']);
});
