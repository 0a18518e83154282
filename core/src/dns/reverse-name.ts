import { isIP } from 'node:net';

/**
 * The name that carries the PTR records of an IP address (RFC 1035 3.5, RFC 3596 2.5); null for
 * what is no address.
 */
export function reverseName(address: string): string | null {
  const family = isIP(address);
  if (family === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  if (family !== 6 || address.includes('%')) return null;
  // The URL parser gives the canonical short form, with an embedded IPv4 address as two groups of
  // hex
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = short.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const digits = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('');
  return `${Array.from(digits).toReversed().join('.')}.ip6.arpa`;
}
