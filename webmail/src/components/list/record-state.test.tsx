import { describe, expect, it, vi } from 'vitest';
import { recordActionsOf } from './record-state.tsx';

const all = { edit: true, delete: true, restore: true, erase: true };
const nothing = () => undefined;
const run = { edit: nothing, delete: nothing, restore: nothing, erase: nothing };
const dye = { label: 'Dye', run: nothing };

const labels = (abilities: typeof all, further: Parameters<typeof recordActionsOf>[2] = []): string[] =>
  recordActionsOf({ abilities }, run, further).map(({ label }) => label);

describe('recordActionsOf', () => {
  it('has what the caller may do, what cannot be taken back at the end', () => {
    expect(labels(all)).toEqual(['Edit', 'Restore', 'Delete', 'Permanently Delete']);
    expect(labels({ ...all, edit: false, delete: false })).toEqual(['Restore', 'Permanently Delete']);
    const marked = recordActionsOf({ abilities: all }, run).filter(({ isDangerous }) => isDangerous);
    expect(marked.map(({ label }) => label)).toEqual(['Delete', 'Permanently Delete']);
  });

  it('has the entries of the list behind Edit, or first where the record cannot be edited', () => {
    expect(labels(all, [dye, false])).toEqual(['Edit', 'Dye', 'Restore', 'Delete', 'Permanently Delete']);
    expect(labels({ ...all, edit: false }, [dye])[0]).toBe('Dye');
  });

  it('has no entry for what the list does not do', () => {
    expect(recordActionsOf({ abilities: all }, { edit: nothing }).map(({ label }) => label)).toEqual(['Edit']);
  });

  it('tells for which record an entry was chosen', () => {
    const edit = vi.fn<(row: { abilities: typeof all; name: string }) => void>();
    const wool = { abilities: all, name: 'Wool' };
    recordActionsOf(wool, { edit })[0]?.run();
    expect(edit).toHaveBeenCalledExactlyOnceWith(wool);
  });
});
