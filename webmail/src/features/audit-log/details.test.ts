import { describe, expect, it } from 'vitest';
import { detailsInWords } from './details.ts';

const inWords = (details: Record<string, unknown> | null) => detailsInWords({ details, record: null });

describe('the facts of an event', () => {
  it('are one line, whatever they are', () => {
    expect(inWords(null)).toBe('');
    expect(inWords({ fields: ['city', 'pin_code'], version: 3 })).toBe('fields: city, pin_code');
    expect(inWords({ before: { role: 'User' }, after: { role: 'Admin', active_status: true }, name: '' })).toBe(
      'before: role User; after: role Admin, active status true',
    );
  });

  it('leave out the name of the record, which has a column of its own', () => {
    const details = { email: 'ana@mill.test', sessions: 2 };
    const record = { name: 'Ana Test', email: 'ana@mill.test' };
    expect(detailsInWords({ details, record })).toBe('sessions: 2');
    expect(detailsInWords({ details, record: null })).toBe('email: ana@mill.test; sessions: 2');
  });
});
