import { domainToASCII } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import { addressProblem, isDomainName, isLocalPart, maxAddressBytes } from './address-rules.ts';
import { cutToLength } from './cut-text.ts';

/** One mailbox of a header: the name that people see, and the address. */
export interface Addr {
  name: string;
  address: string;
}

/** The parts of an address; `domain` is the lower-case ASCII form, `local` is as written. */
export interface ParsedAddress {
  local: string;
  domain: string;
  address: string;
}

const maxListEntries = 10_000;
const maxListLength = 1_048_576;
// Control characters, and characters that change the direction of text: they make one name look
// like another
const unprintable = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb]+/gu;

/**
 * Splits a bare address (no name, no angle brackets) into its parts; null for any other text. Host
 * names without a dot are accepted, and local parts of any length: servers that forward write the
 * former address into the local part.
 */
export function parseAddress(text: string): ParsedAddress | null {
  if (text.length > maxAddressBytes) return null;
  const at = text.indexOf('@');
  if (at < 1 || at !== text.lastIndexOf('@')) return null;
  const local = unquoteLocalPart(text.slice(0, at).normalize('NFC'));
  const domain = asciiDomain(text.slice(at + 1));
  if (domain === null || !isLocalPart(local)) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > maxAddressBytes ? null : { local, domain, address };
}

/**
 * Matches domains that are in ASCII form already, as most are. A last label such as `0x7f` would
 * make it an IP address.
 */
const asciiForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The lower-case ASCII (A-label) form of a domain; null for any other text, address literals
 * included.
 */
export function asciiDomain(text: string): string | null {
  if (text.length <= 253 && asciiForm.test(text) && !text.includes('xn--')) return text;
  if (!isDomainName(text)) return null;
  const ascii = domainToASCII(text);
  // The result must be a name again: full-width dots and digits could have made an IP address of it
  return /^[a-z0-9_.-]{1,253}$/.test(ascii) && isDomainName(ascii) ? ascii : null;
}

/**
 * The form in which an address is looked up and compared: lower case, ASCII domain. Null for any
 * other text.
 */
export function normaliseAddress(text: string): string | null {
  const parsed = parseAddress(text.trim());
  return parsed && `${parsed.local.toLowerCase()}@${parsed.domain}`;
}

/** Whether a person may enter this as an email address. */
export function isValidAddress(text: string): boolean {
  return addressProblem(text) === null && parseAddress(text) !== null;
}

/**
 * Reads an address list as headers and people write it. Groups are flattened. A broken entry is
 * kept as written, without characters that could deceive a reader.
 * @param decode turns the encoded words of names into text (headers only)
 */
export function parseAddressList(text: string, decode: (name: string) => string = (name) => name): Addr[] {
  const entries = addressparser(text.slice(0, maxListLength), { flatten: true });
  const list: Addr[] = [];
  for (const entry of entries.slice(0, maxListEntries)) {
    // RFC 2047 5: a name is decoded after the structure is known, so it can never become an address
    const name = cleanName(decode(entry.name));
    const address = cleanAddress(entry.address);
    if (address || name) list.push({ name, address });
  }
  return list;
}

/** What a person sees for a mailbox: its name, else its address. */
export function displayName(mailbox: Addr): string {
  return mailbox.name || mailbox.address;
}

/** A name without control and direction characters, at most 255 characters. */
export function cleanName(text: string): string {
  return cutToLength(cutToLength(text, 1000).replace(unprintable, ' ').replace(/ {2,}/g, ' ').trim(), 255);
}

function cleanAddress(text: string): string {
  return parseAddress(text)?.address ?? cutToLength(cutToLength(text, 1000).replace(unprintable, '').trim(), 320);
}

function unquoteLocalPart(local: string): string {
  const inner = local.length > 2 && local.startsWith('"') && local.endsWith('"') ? local.slice(1, -1) : local;
  // RFC 5321 4.1.2: the quotes are not part of the name, so "ann"@host and ann@host are one mailbox
  return inner !== local && isLocalPart(inner) ? inner : local;
}
