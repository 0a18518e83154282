import { expect, it } from 'vitest';
import { asValue, folderIn, hasToggle, isPlain, spanIn, withFolder, withSpan, withToggle } from './search-text.ts';

const today = new Date(2026, 10, 23);

it('turns a condition on and off, and leaves the words as they are', () => {
  expect(withToggle('from:"Ana Test" mill', 'unread', true)).toBe('from:"Ana Test" mill is:unread');
  expect(withToggle('IS:UNREAD from:"Ana Test" mill', 'unread', false)).toBe('from:"Ana Test" mill');
  expect(hasToggle('mill Is:Unread', 'unread')).toBe(true);
  expect(hasToggle('"is:unread"', 'unread')).toBe(false);
  expect([hasToggle('mill is: unread', 'unread'), hasToggle('-is:unread', 'unread')]).toEqual([true, false]);
  expect(withToggle('Re: mill is: unread', 'unread', false)).toBe('Re: mill');
});

it('ends an open quote, so that a condition does not become part of the phrase', () => {
  expect(withToggle('"annual report', 'unread', true)).toBe('"annual report" is:unread');
  expect(withToggle('mill -subject: "annual report', 'files', true)).toBe(
    'mill -subject:"annual report" has:attachment',
  );
  expect(withFolder('“annual report', 'inbox')).toBe('"annual report" in:inbox');
  expect(withSpan('"annual report', 'week', today)).toBe('"annual report" after:2026-11-16');
  expect(withToggle('15" loom "annual report"', 'unread', true)).toBe('15" loom "annual report" is:unread');
});

it('narrows to one folder', () => {
  expect(withFolder('mill in:inbox IN:sent', 'trash')).toBe('mill in:trash');
  expect(withFolder('mill in:trash', '')).toBe('mill');
  expect(withFolder('in: inbox mill', '')).toBe('mill');
  expect(withFolder('mill -in:trash', 'trash')).toBe('mill in:trash');
  expect(withFolder('mill -in:trash', '')).toBe('mill -in:trash');
  expect([folderIn('in:Sent'), folderIn('mill'), folderIn('in:nowhere')]).toEqual(['sent', '', '']);
});

it('narrows to a folder that the person made', () => {
  expect(withFolder('mill in:sent', 'Yarn / Wool')).toBe('mill in:"Yarn / Wool"');
  expect(withFolder('in:"Yarn / Wool" mill', 'Garn')).toBe('mill in:Garn');
  expect(withFolder('in:"Yarn / Wool" mill', '')).toBe('mill');
  const own = ['Garn', 'Yarn / Wool'];
  expect([folderIn('in:"yarn / wool" mill', own), folderIn('IN:GARN', own)]).toEqual(['Yarn / Wool', 'Garn']);
  expect([folderIn('in:"Yarn"', own), folderIn('in:', own), folderIn('in:"sent"', own)]).toEqual(['', '', 'sent']);
});

it('narrows to a span of time', () => {
  expect(withSpan('mill before:2026', 'week', today)).toBe('mill after:2026-11-16');
  expect(withSpan('mill after:2026-11-16', '', today)).toBe('mill');
  expect(spanIn('mill after:2026-11-16', today)).toBe('week');
  expect(spanIn('after:2026-10-23', today)).toBe('month');
  expect(spanIn('-after:2026-11-16', today)).toBe('own');
  expect(withSpan('-after:2025 mill', 'week', today)).toBe('mill after:2026-11-16');
  expect(spanIn('before:2026-10-23', today)).toBe('own');
  expect(spanIn('older_than: 1y', today)).toBe('own');
  expect(withSpan('mill older_than: 1y', 'week', today)).toBe('mill after:2026-11-16');
  expect(spanIn('after:2026-11-16 before:2026-11-20', today)).toBe('own');
  expect(spanIn('mill', today)).toBe('');
});

it('puts words behind an operator', () => {
  expect(asValue('from', ' ana ')).toBe('from:ana');
  expect(asValue('subject', 'two "words"')).toBe('subject:"two words"');
  expect([isPlain('two words'), isPlain('from:ana'), isPlain('"two words"'), isPlain(' ')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
