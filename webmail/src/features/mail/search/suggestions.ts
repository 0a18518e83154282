import { wordsOf } from '../../../lib/i18n.ts';
import { searchWords } from '../../../words/search.ts';
import type { PersonMeant } from './use-people-meant.ts';
import { recentSearches } from './recent-searches.ts';
import { asValue, isPlain } from './search-text.ts';

/** A line below the search box. */
export interface Suggestion {
  /** The search text that it stands for. */
  text: string;
  label: string;
  kind: 'search' | 'person' | 'recent' | 'hint';
  /** The person goes on typing after it. */
  isBeginning: boolean;
}

const MOST_RECENT = 5;

/** The suggestions of the search box for a typed text. */
export function suggestionsFor(typed: string, people: readonly PersonMeant[] = []): Suggestion[] {
  const text = typed.trim();
  if (text === '') return [...recentLike(''), ...hints()];
  const lines = [...readings(text), ...people.map(lineOf), ...recentLike(text)];
  // One text, one line
  return [...new Map(lines.toReversed().map((line) => [line.text, line])).values()].toReversed();
}

function recentLike(text: string): Suggestion[] {
  return recentSearches()
    .filter((recent) => recent !== text && recent.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST_RECENT)
    .map((recent) => ({ text: recent, label: recent, kind: 'recent', isBeginning: false }));
}

function lineOf({ name, address, operator, text }: PersonMeant): Suggestion {
  const t = wordsOf(searchWords);
  const who = name ? `${name} <${address}>` : address;
  const label = operator === 'to' ? t.toPerson({ text: who }) : t.fromPerson({ text: who });
  return { text, label, kind: 'person', isBeginning: false };
}

function readings(text: string): Suggestion[] {
  const t = wordsOf(searchWords);
  const search = (value: string, label: string): Suggestion => ({
    text: value,
    label,
    kind: 'search',
    isBeginning: false,
  });
  const plain = search(text, t.searchFor({ text }));
  if (!isPlain(text)) return [plain];
  return [
    plain,
    search(asValue('from', text), t.fromPerson({ text })),
    search(asValue('subject', text), t.inSubject({ text })),
    search(`${text} has:attachment`, t.withFiles({ text })),
  ];
}

function hints(): Suggestion[] {
  const t = wordsOf(searchWords);
  const hint = (text: string, label: string, isBeginning: boolean): Suggestion => ({
    text,
    label: `${label} — ${text}`,
    kind: 'hint',
    isBeginning,
  });
  return [
    hint('from:', t.hintFrom, true),
    hint('subject:', t.hintSubject, true),
    hint('has:attachment', t.hintFiles, false),
    hint('is:unread', t.hintUnread, false),
    hint('label:', t.hintLabel, true),
    hint('after:', t.hintAfter, true),
  ];
}
