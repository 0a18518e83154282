import { describe, expect, it } from 'vitest';
import { entriesOf, isNameTaken } from './entries.ts';

const saved = [
  { _id: '1', signature_name: 'Office', signature_body: '<p>x</p>', version: 1, createdAt: '', updatedAt: '' },
  { _id: '2', signature_name: 'Private', signature_body: '<p>y</p>', version: 1, createdAt: '', updatedAt: '' },
];
const unsaved = new Map([
  ['2', { isNew: false, name: 'At home', body: null }],
  ['new-1', { isNew: true, name: 'Holiday', body: null }],
]);

describe('entriesOf', () => {
  it('shows changed names and puts drafts last', () => {
    expect(entriesOf(saved, unsaved).map(({ key, name }) => [key, name])).toEqual([
      ['1', 'Office'],
      ['2', 'At home'],
      ['new-1', 'Holiday'],
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
