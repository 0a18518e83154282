import { setImmediate } from 'node:timers/promises';
import { parseAddressList } from '@selvage/core/mail/addresses';

/** What the bytes of a message show before it is parsed. */
export interface Inspection {
  hasBareCr: boolean;
  hasNul: boolean;
  fromFields: number;
  /** Different addresses in the first From field. */
  fromAddresses: number;
  isFromTooLong: boolean;
  receivedFields: number;
}

/** Only this much of the header is inspected. The parser refuses longer headers. */
const inspectedHeaderBytes = 1_048_576;
/** No author has a name and address of this length; the field is searched for addresses. */
const longestFrom = 16_384;

/** Looks at the line ends and counts the header fields that the door decides by. */
export async function inspectMessage(raw: Buffer): Promise<Inspection> {
  const end = raw.subarray(0, inspectedHeaderBytes).indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? Math.min(raw.length, inspectedHeaderBytes) : end);
  const from = (/^from[ \t]*:((?:.|\r\n[ \t])*)/im.exec(header)?.[1] ?? '').replaceAll('\r\n', '');
  return {
    hasBareCr: await hasBareCr(raw),
    hasNul: raw.includes(0),
    fromFields: header.match(/^from[ \t]*:/gim)?.length ?? 0,
    fromAddresses: from.length > longestFrom ? 0 : countAddresses(from),
    isFromTooLong: from.length > longestFrom,
    receivedFields: header.match(/^received[ \t]*:/gim)?.length ?? 0,
  };
}

/**
 * The number of different addresses in a From field. A comma in an unquoted name leaves a name
 * without an address (`Doe, Ann <a@a.test>`), which does not count. A second address in angle
 * brackets does, also without a comma before it: readers differ in which one they show.
 */
function countAddresses(from: string): number {
  const listed = parseAddressList(from).map(({ address }) => address);
  const found = [...listed, ...bracketed(from)].filter((address) => address.includes('@'));
  return new Set(found.map((address) => address.toLowerCase())).size;
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

const windowBytes = 1_048_576;

/**
 * Uses the search of the JavaScript engine: neither long lines nor many empty lines slow it down.
 */
async function hasBareCr(raw: Buffer): Promise<boolean> {
  for (let start = 0; start < raw.length; start += windowBytes) {
    // Between the windows of a large message, others have their turn
    if (start > 0) await setImmediate();
    // One byte more, so that a CR at the end of a window is seen together with what follows it
    const found = raw.toString('latin1', start, start + windowBytes + 1).search(/\r(?!\n)/);
    if (found >= 0 && found < windowBytes) return true;
  }
  return false;
}
