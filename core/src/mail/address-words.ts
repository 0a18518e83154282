import { domainToUnicode } from 'node:url';

const name = /[a-z0-9.-]+/gi;

/**
 * Addresses in their searched form: as they are, and if they contain A-labels (`xn--…`, RFC 5891),
 * once more with those in Unicode. People search for either.
 */
export function addressWords(addresses: string): string {
  const written = addresses.replace(name, (one) => (one.includes('xn--') ? domainToUnicode(one) || one : one));
  return written === addresses ? addresses : `${addresses} ${written}`;
}
