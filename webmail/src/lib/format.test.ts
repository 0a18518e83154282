import { describe, expect, it } from 'vitest';
import { cut, fileSize, rowDate } from './format.ts';

const now = Date.parse('2026-11-21T12:00:00');
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

describe('rowDate', () => {
  it('shows the time of day for a message of the last day', () => {
    expect(rowDate(ago(3), now, 'en-US')).toBe('9:00 AM');
  });
  it('shows a short weekday within seven days', () => {
    expect(rowDate(ago(49), now, 'en-US')).toBe('Thu');
  });
  it('shows month and day for anything older', () => {
    expect(rowDate(ago(24 * 20), now, 'en-US')).toBe('Nov 1');
  });
  it('shows nothing for a date that is none', () => {
    expect(rowDate('?', now)).toBe('');
  });
});

describe('cut', () => {
  it('leaves a text of just the length alone', () => {
    expect(cut('a'.repeat(50), 50)).toBe('a'.repeat(50));
  });
  it('cuts whole characters and adds an ellipsis', () => {
    expect(cut('😀😀😀', 2)).toBe('😀😀…');
  });
});

describe('fileSize', () => {
  it('uses the unit that reads best', () => {
    expect(fileSize(1_048_576, 'en-US')).toBe('1 MB');
    expect(fileSize(234_567, 'en-US')).toBe('229 kB');
    expect(fileSize(0, 'en-US')).toBe('0 bytes');
  });
});
