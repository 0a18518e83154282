import { toUnicode } from 'punycode/punycode.es6.js';

/**
 * An address or a domain of the host as people write it: internationalised names in their own
 * letters and not as `xn--…` (RFC 5891). For addresses that strangers choose, the letters could
 * deceive, so mail shows those as they are.
 */
export function shownAddress(address: string): string {
  if (!address.includes('xn--')) return address;
  try {
    return toUnicode(address);
  } catch {
    return address;
  }
}
