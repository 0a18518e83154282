import { parse } from 'tldts';
import { asciiDomain } from './addresses.ts';

/**
 * The stored form of a mail domain that a person typed: lower-case A-labels, without the final dot.
 * Null for a text that can't be a company's domain: a public suffix such as `co.uk`, a single
 * label, an IP address, a name with an underscore, which many mail servers reject, or no name at
 * all.
 */
export function companyDomain(typed: string): string | null {
  const domain = asciiDomain(typed.trim().replace(/\.$/, ''));
  if (domain === null || domain.includes('_') || !/\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(domain)) return null;
  // Addresses of the domain must fit as well: 64 bytes, the @, and this (RFC 5321 4.5.3.1)
  if (domain.length > 189) return null;
  return parse(domain, { allowPrivateDomains: false }).domain === null ? null : domain;
}

/** Whether two hosts have the same registered domain, as `mail.a.test` and `a.test` do. */
export function isSameSite(one: string, other: string): boolean {
  return registeredDomain(one) === registeredDomain(other);
}

/**
 * The domain that was registered, in lower case: `a.test` for `mail.a.test`. A name without one,
 * such as an address or a public suffix, is its own.
 */
export function registeredDomain(name: string): string {
  const host = name.toLowerCase();
  return parse(host, { allowPrivateDomains: true }).domain ?? host;
}
