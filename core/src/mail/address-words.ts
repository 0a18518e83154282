import { domainToUnicode } from 'node:url';

const name = /[a-z0-9.-]+/gi;

/**
 * Addresses as they are searched: as they are, and once more with the letters that names of domains
 * are written with where they stand for some (`xn--…`, RFC 5891). People ask for either.
 */
export function addressWords(addresses: string): string {
  const written = addresses.replace(name, (one) => (one.includes('xn--') ? domainToUnicode(one) || one : one));
  return written === addresses ? addresses : `${addresses} ${written}`;
}
