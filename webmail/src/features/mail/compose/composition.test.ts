import type { AttachmentDto } from '@selvage/core/contracts/email';
import { describe, expect, it } from 'vitest';
import { changed, cleared, type Composition, isChanged, isDraftChanged, isWritten } from './composition.ts';
import { readRecipients } from './recipients.ts';

const lists = { to: readRecipients('ana@x.test'), cc: [], bcc: [] };
const answer: Composition = {
  id: '1',
  owner: '1',
  key: '1',
  origin: { kind: 'reply', emailId: '1' },
  from: null,
  lists,
  typed: { to: '', cc: '', bcc: '' },
  subject: 'Re: Lot',
  html: '<div><br></div>',
  isTextChanged: false,
  signature: null,
  files: [],
  dropped: [],
  start: { lists, subject: 'Re: Lot' },
  attempt: null,
};

const file = {
  _id: '1',
  original_name: 'a',
  contentType: '',
  file_type: '',
  file_path: '',
  size: 1,
  showData: true,
};
const forward: Composition = {
  ...answer,
  origin: { kind: 'forward', emailId: '1', files: [file] },
  start: { ...answer.start, files: [file] },
};

describe('isWritten', () => {
  it('is false for a message that merely began', () => {
    expect(isWritten(answer)).toBe(false);
    expect(isWritten({ ...answer, typed: { to: ' ', cc: '', bcc: '' } })).toBe(false);
    expect(isWritten(forward)).toBe(false);
  });

  it('tells what was changed of a message that an earlier version has kept', () => {
    const { files: _files, ...start } = forward.start;
    const kept = { ...forward, start };
    expect([kept, { ...kept, dropped: ['1'] }].map(isChanged)).toEqual([false, true]);
    const draft = { kind: 'draft', draftId: '1', files: [file], isRead: true } as const;
    expect(
      [
        { ...kept, origin: draft },
        { ...kept, origin: draft, dropped: ['1'] },
      ].map(isChanged),
    ).toEqual([false, true]);
    // These files were uploaded
    expect(isChanged({ ...kept, origin: { ...draft, begunAs: 'new' } })).toBe(true);
  });

  it.each<[string, Partial<Composition>]>([
    ['a recipient', { lists: { ...lists, cc: readRecipients('bo@x.test') } }],
    ['a recipient less', { lists: { ...lists, to: [] } }],
    ['something typed', { typed: { to: 'b', cc: '', bcc: '' } }],
    ['a subject', { subject: 'Re: Lots' }],
    ['text', { isTextChanged: true }],
    ['a file', { files: [{ id: '1', name: 'a', type: '', size: 1 }] }],
    ['a file less', { ...forward, dropped: ['1'] }],
    ['an open end', { attempt: { isChanged: false } }],
    ['a draft', { origin: { kind: 'draft', draftId: '1', files: [], isRead: false } }],
  ])('is true for %s', (_what, change) => {
    expect(isWritten({ ...answer, ...change })).toBe(true);
  });

  it('is true for a draft that was opened and emptied: the server has what it was', () => {
    const origin = { kind: 'draft' as const, draftId: '1', files: [], isRead: true };
    const emptied = cleared({ ...answer, origin }, '<div><br></div>');
    expect(isDraftChanged(emptied)).toBe(true);
    const begun = cleared({ ...answer, origin: { ...origin, begunAs: 'new' } }, '<div><br></div>');
    expect(isDraftChanged(begun)).toBe(false);
  });

  it('is false for one that was emptied', () => {
    expect(isWritten(cleared({ ...forward, subject: 'x' }, '<div><br></div>'))).toBe(false);
  });
});

describe('isChanged', () => {
  const copy = { ...file, _id: '7' };
  const draft = { kind: 'draft', draftId: '1', isRead: true, begunAs: 'forward' } as const;

  it('is false for a draft with the files of the original', () => {
    expect(isChanged({ ...forward, origin: { ...draft, files: [copy] } })).toBe(false);
  });

  it.each<[string, AttachmentDto[]]>([
    ['a file more', [copy, copy]],
    ['a file less', []],
    ['another file', [{ ...copy, original_name: 'b' }]],
    ['a file of another size', [{ ...copy, size: 2 }]],
  ])('is true for a draft with %s', (_what, files) => {
    expect(isChanged({ ...forward, origin: { ...draft, files } })).toBe(true);
  });
});

describe('isDraftChanged', () => {
  const origin = { kind: 'draft', draftId: '1', files: [], isRead: true } as const;
  const draft: Composition = { ...answer, origin, from: 'ana@x.test', start: { ...answer.start, from: 'ana@x.test' } };

  it('is false for a draft as it was read', () => {
    expect(isDraftChanged(draft)).toBe(false);
    const { from: _from, ...start } = draft.start;
    expect(isDraftChanged({ ...draft, start })).toBe(false);
  });

  it.each<[string, Partial<Composition>]>([
    ['another sender', { from: 'orders@x.test' }],
    ['the mailbox as sender', { from: null }],
    ['a signature', { signature: { _id: '1', signature_name: 'Office', signature_body: 'Ana' } }],
    ['what was written', { subject: 'Lots' }],
  ])('is true for %s', (_what, change) => {
    expect(isDraftChanged({ ...draft, ...change })).toBe(true);
  });
});

describe('changed', () => {
  it('notes that a message was written on after it was sent off', () => {
    expect(changed(answer, { subject: 'x' }).attempt).toBeNull();
    expect(changed({ ...answer, attempt: { isChanged: false } }, { subject: 'x' }).attempt).toEqual({
      isChanged: true,
    });
  });
});
