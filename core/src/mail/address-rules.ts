/**
 * The longest address in bytes that fits into a path of RFC 5321 4.5.3.1.3 with its angle brackets.
 */
export const maxAddressBytes = 254;

const atomText = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]";
const dotAtom = new RegExp(`^${atomText}+(?:\\.${atomText}+)*$`, 'u');
// Only characters that no address list can mistake for a separator, and no escapes
const quotedLocalPart = /^"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~.-]+"$/;
// DNS allows underscores, and the bounce addresses of some bulk senders have them
const label = /^[A-Za-z0-9_\u0080-\u{10ffff}](?:[A-Za-z0-9_\u0080-\u{10ffff}-]{0,61}[A-Za-z0-9_\u0080-\u{10ffff}])?$/u;
// Invisible, direction-changing and line-breaking characters have no place in an address
const deceptive =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\ufffd]/u;

/** These characters occur within words of some scripts (RFC 5892 A.3 and A.5 to A.7). */
const wordSigns = '\\u00b7\\u05f3\\u05f4\\u30fb';
/**
 * Characters that are neither a letter nor a number of any script: quotes, dashes, bullets. Such
 * addresses may exist (RFC 6531), but mostly a person has copied the character together with an
 * address.
 */
const straySign = new RegExp(
  `[^\\p{ASCII}\\p{L}\\p{M}\\p{N}${wordSigns}]|(?<![\\p{L}\\p{M}])[${wordSigns}]|[${wordSigns}](?!\\p{L})`,
  'u',
);

/** Whether a text is a local part that this host handles. */
export function isLocalPart(text: string): boolean {
  return (dotAtom.test(text) || quotedLocalPart.test(text)) && !deceptive.test(text);
}

/** Whether a text has the form of a domain name, in Unicode or in ASCII spelling. */
export function isDomainName(text: string): boolean {
  if (text.length > 253 || deceptive.test(text)) return false;
  const labels = text.split('.');
  return labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** The message for a text that is no address at all. */
export const badFormat = 'Invalid email address format';
/** The message for a text with a local part that is longer than RFC 5321 4.5.3.1.1 allows. */
export const longLocalPart = 'Local part (before @) must be 64 characters or less';

/**
 * The first problem of an address that a person typed, in words for that person; null when it is
 * valid.
 */
export function addressProblem(text: string): string | null {
  const bytes = (part: string) => new TextEncoder().encode(part).length;
  if (text.length > maxAddressBytes || bytes(text) > maxAddressBytes) return 'Email must be 254 characters or less';
  const parts = text.split('@');
  if (parts.length !== 2) return 'Email must contain a single @';
  const [local = '', domain = ''] = parts;
  // A person's address has a public domain; only envelopes have bare host names
  if (!isLocalPart(local) || !isDomainName(domain) || !domain.includes('.')) return badFormat;
  return straySign.test(text) ? badFormat : null;
}

/** The domain part of an address: the text after its last @, as written. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
