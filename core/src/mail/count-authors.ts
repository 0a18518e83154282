import { isAscii } from 'node:buffer';
import { isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import { asciiDomain, normaliseAddress, parseAddressList } from './addresses.ts';
import { closingMark } from './closing-mark.ts';
import { escapeBareMarks } from './raw-text-in-words.ts';

/**
 * No author has a name and address of this length. A longer From field is refused without parsing.
 */
export const maxFromLength = 16_384;
/**
 * If more addresses than this are in brackets, they count as several authors without a comparison.
 */
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

/**
 * Whether a From field shows an address but leaves open whose domain it is: `a@bank .test`,
 * `a@b.test@c.test`, or an address within encoded words alone. Then DMARC has no domain to check,
 * while a reader believes that there is one. A field without any address is not unclear.
 * @param from the text of the field, with its UTF-8 decoded
 */
export function isAuthorUnclear(from: string): boolean {
  const entries = addressparser(from, { flatten: true });
  const addresses = entries.map(({ address }) => address).filter((address) => address.includes('@'));
  if (addresses.length === 0) return encodedText(from).includes('@');
  const plain = withoutQuotes(from);
  if (hasSplitDomain(plain) || isFollowedOddly(plain)) return true;
  return addresses.some((address) => {
    const local = address.slice(0, address.lastIndexOf('@'));
    // Old mail programs wrote domains with an underscore, and domains may end with the root's dot
    const domain = address
      .slice(local.length + 1)
      .replace(/\.$/, '')
      .replaceAll('_', 'x');
    // Printers and scanners write addresses without the brackets
    const isLiteral = (/^\[[\da-z.:]+\]$/i.test(domain) && /\d/.test(domain)) || isIPv4(domain);
    return (local.includes('@') && !/^".*"$/.test(local)) || (!isLiteral && !isOneDomain(domain));
  });
}

/**
 * Whether all programs read a domain as the same one. A reader's program may map characters such as
 * full-width letters to another name, which DMARC does not.
 */
function isOneDomain(domain: string): boolean {
  const ascii = asciiDomain(domain);
  if (ascii === null) return false;
  return isAscii(Buffer.from(domain)) || domainToUnicode(ascii) === domain.normalize('NFC').toLowerCase();
}

/**
 * White space or a comment within a domain: some programs continue after it, others stop before it.
 */
function hasSplitDomain(unquoted: string): boolean {
  const uncommented = unquoted.replaceAll(/\([^()]*\)/g, ' ').replaceAll(/\([^()]*\)/g, ' ');
  // White space is reduced to one space each, so that a search from each @ is short
  return /@ ?[^\s@<>,;:()"]*(?: \.|\. [^\s<>])/.test(uncommented.replaceAll(/\s+/g, ' '));
}

/**
 * White space other than space and tab: for some programs the domain ends before it, for others it
 * belongs to the domain.
 */
function isFollowedOddly(unquoted: string): boolean {
  return /@[^\s@<>,;:()"]*[^\S \t\r\n]/.test(unquoted);
}

/** A field without its quoted strings. An unclosed quotation mark stays. */
function withoutQuotes(from: string): string {
  const pieces: string[] = [];
  let start = 0;
  for (let at = from.indexOf('"'); at >= 0; at = from.indexOf('"', start)) {
    const end = closingMark(from, at);
    // Then no later quotation mark is closed either
    if (end < 0) break;
    pieces.push(from.slice(start, at), '""');
    start = end + 1;
  }
  return pieces.join('') + from.slice(start);
}

/** A field whose encoded words (RFC 2047) are decoded enough to find an @. */
function encodedText(text: string): string {
  return escapeBareMarks(text).replaceAll(/=\?[^?\s]*\?([bq])\?([^?]*)\?=/gi, (_word, way: string, coded: string) =>
    way.toLowerCase() === 'b' ? Buffer.from(coded, 'base64').toString('latin1') : coded.replaceAll('=40', '@'),
  );
}

/** The texts in angle brackets, outside of quotes and comments. */
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
