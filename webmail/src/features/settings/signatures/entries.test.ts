import { describe, expect, it } from 'vitest';
import { entriesOf, isNameTaken } from './entries.ts';

const saved = [
  { _id: '1', signature_name: 'Office', signature_body: '<p>x</p>', version: 1, createdAt: '', updatedAt: '' },
  { _id: '2', signature_name: 'Private', signature_body: '<p>y</p>', version: 1, createdAt: '', updatedAt: '' },
];
const unsaved = new Map([
  ['2', { name: 'At home', body: null }],
  ['new-1', { name: 'Holiday', body: null }],
]);

describe('entriesOf', () => {
  it('shows changed names and puts drafts last', () => {
    expect(entriesOf(saved, unsaved).map(({ key, name }) => [key, name])).toEqual([
      ['1', 'Office'],
      ['2', 'At home'],
      ['new-1', 'Holiday'],
    ]);
  });

  it('shows what was written in one that was deleted elsewhere as the draft of a new one', () => {
    const [office] = saved;
    const entries = entriesOf(office ? [office] : [], unsaved);
    expect(entries.map(({ key, saved: row }) => [key, row?._id])).toEqual([
      ['1', '1'],
      ['2', undefined],
      ['new-1', undefined],
    ]);
  });
});

describe('isNameTaken', () => {
  it('knows names by any capitals, drafts and names that are still saved', () => {
    const entries = entriesOf(saved, unsaved);
    expect(['office ', 'HOLIDAY', 'at home', 'private'].map((name) => isNameTaken(name, entries))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isNameTaken('Offices', entries)).toBe(false);
  });
});
