import { normaliseAddress, parseAddressList } from './addresses.ts';

/** More addresses in brackets than this are several authors, the same or not. */
const mostCompared = 100;

/**
 * The number of different addresses in a From field. A comma in an unquoted name leaves a name
 * without an address (`Doe, Ann <a@a.test>`), which does not count. A second address in angle
 * brackets does, also without a comma before it: readers differ in which one they show.
 */
export function countAuthors(from: string): number {
  const inBrackets = bracketed(from);
  if (inBrackets.length > mostCompared) return inBrackets.length;
  const listed = parseAddressList(from).map(({ address }) => address);
  const found = [...listed, ...inBrackets].filter((address) => address.includes('@'));
  return new Set(found.map((address) => normaliseAddress(address) ?? address.toLowerCase())).size;
}

/** What stands in angle brackets outside of quotes and comments. */
function bracketed(from: string): string[] {
  const found: string[] = [];
  let isQuoted = false;
  let comments = 0;
  let start = -1;
  for (let at = 0; at < from.length; at++) {
    const sign = from[at];
    if (sign === '\\' && (isQuoted || comments > 0)) at++;
    else if (sign === '"' && comments === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '(') comments++;
    else if (sign === ')') comments = Math.max(0, comments - 1);
    else if (comments > 0) continue;
    else if (sign === '<') start = at + 1;
    else if (sign === '>' && start >= 0) {
      found.push(from.slice(start, at).trim());
      start = -1;
    }
  }
  return found;
}
