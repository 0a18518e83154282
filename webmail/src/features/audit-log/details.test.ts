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

  it('are the permissions that were granted and removed, also where an older event has whole rows', () => {
    expect(inWords({ granted: ['inbox.edit', 'backup.view'], removed: [] })).toBe('granted: inbox.edit, backup.view');
    const none = { view: false, create: false, edit: false, delete: false };
    const before = [
      { model: 'inbox', ...none, view: true },
      { model: 'backup', ...none, delete: true },
    ];
    const after = [
      { model: 'inbox', ...none, view: true, edit: true },
      { model: 'backup', ...none },
    ];
    expect(inWords({ before, after })).toBe('granted: inbox.edit; removed: backup.delete');
  });

  it('leave out the name of the record, which has a column of its own', () => {
    const details = { email: 'ana@mill.test', sessions: 2 };
    const record = { name: 'Ana Test', email: 'ana@mill.test' };
    expect(detailsInWords({ details, record })).toBe('sessions: 2');
    expect(detailsInWords({ details, record: null })).toBe('email: ana@mill.test; sessions: 2');
  });
});
