import { describe, expect, it } from 'vitest';
import { detailsInWords } from './details.ts';

describe('the facts of an event', () => {
  it('are one line, whatever they are', () => {
    expect(detailsInWords(null)).toBe('');
    expect(detailsInWords({ fields: ['city', 'pin_code'], version: 3 })).toBe('fields: city, pin_code');
    expect(detailsInWords({ before: { role: 'User' }, after: { role: 'Admin', active_status: true }, name: '' })).toBe(
      'before: role User; after: role Admin, active status true',
    );
  });
});
