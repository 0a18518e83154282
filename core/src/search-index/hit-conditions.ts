import type { SQLInputValue } from 'node:sqlite';
import type { HitsWanted } from './index-messages.ts';
import type { SearchTerm } from './search-query.ts';

/** How many rows fit into one second before they spill into the next one. */
export const rowsPerSecond = 256;

/** The parts of a statement that finds the hits of a search. */
interface Conditions {
  from: string;
  where: string;
  values: SQLInputValue[];
  /** The column by which hits are ordered. */
  place: string;
}

type Wanted = Pick<HitsWanted, 'query' | 'folderIds' | 'among' | 'notAmong'>;

/** The conditions under which an entry is a hit. */
export function hitConditions({ query, folderIds, among, notAmong }: Wanted): Conditions {
  const parts: [condition: string, ...SQLInputValue[]][] = [];
  const asked = query.terms.filter(({ isExcluded }) => !isExcluded);
  const excluded = query.terms.filter(({ isExcluded }) => isExcluded);
  const place = asked.length > 0 ? 'words.rowid' : 'e.place';
  if (asked.length > 0) parts.push(['words MATCH ?', matchOf(asked, excluded)]);
  else if (excluded.length > 0) {
    parts.push(['e.place NOT IN (SELECT rowid FROM words WHERE words MATCH ?)', excludedText(excluded)]);
  }
  parts.push([`+e.folder IN (${folderIds.map(() => '?').join(', ')})`, ...folderIds.map(Number)]);
  if (query.isUnread !== undefined) parts.push(['e.unread = ?', Number(query.isUnread)]);
  // Stars are rare, so the starred places are listed once, instead of checking each of perhaps a
  // hundred thousand hits
  if (query.isStarred) parts.push([`+${place} IN (SELECT place FROM entries WHERE starred = 1)`]);
  else if (query.isStarred === false) parts.push(['e.starred = 0']);
  const placesOf = 'SELECT place FROM entries WHERE id IN (SELECT value FROM json_each(?))';
  if (among !== undefined) parts.push([`+${place} IN (${placesOf})`, among]);
  for (const ids of notAmong ?? []) parts.push([`+${place} NOT IN (${placesOf})`, ids]);
  if (query.hasFiles !== undefined) parts.push([query.hasFiles ? 'e.files > 0' : 'e.files = 0']);
  if (query.from !== undefined) parts.push([`${place} >= ?`, placeOf(query.from)]);
  if (query.until !== undefined) parts.push([`${place} < ?`, placeOf(query.until)]);
  if (query.larger !== undefined) parts.push(['e.size > ?', query.larger]);
  if (query.smaller !== undefined) parts.push(['e.size < ?', query.smaller]);
  return {
    // CROSS JOIN forces the words to come first and in their order, whatever the query planner
    // estimates
    from: asked.length > 0 ? 'words CROSS JOIN entries e ON e.place = words.rowid' : 'entries e',
    where: parts.map(([condition]) => condition).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
    place,
  };
}

const placeOf = (moment: number): number => Math.ceil(moment / 1000) * rowsPerSecond;

function matchOf(asked: readonly SearchTerm[], excluded: readonly SearchTerm[]): string {
  const choices = inGroups(asked, ({ isAlternative }) => isAlternative);
  const wanted = choices.map((terms) => `(${terms.map(textOf).join(' OR ')})`).join(' AND ');
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excludedText(excluded)})`;
}

function excludedText(excluded: readonly SearchTerm[]): string {
  const groups = inGroups(excluded, ({ isJoined }) => isJoined === true);
  return groups.map((terms) => `(${terms.map(textOf).join(' AND ')})`).join(' OR ');
}

/** Groups terms: a term for which `isOfBefore` is true joins the group of the term before it. */
function inGroups(terms: readonly SearchTerm[], isOfBefore: (term: SearchTerm) => boolean): SearchTerm[][] {
  const groups: SearchTerm[][] = [];
  for (const term of terms) {
    const group = isOfBefore(term) ? groups.at(-1) : undefined;
    if (group) group.push(term);
    else groups.push([term]);
  }
  return groups;
}

/**
 * A term in the query language of FTS5. Words have only letters and digits, so they need no escapes
 * in the quotes.
 */
function textOf({ words, column, isPrefix }: SearchTerm): string {
  const phrase = words.map((word) => `"${word}"`).join(' + ');
  return `${column === null ? '' : `{${column}} : `}(${phrase}${isPrefix ? ' *' : ''})`;
}
