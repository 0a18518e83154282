import { isIPv4 } from 'node:net';

/**
 * The network of an address, by which limits count: what one customer of a provider usually has,
 * /24 of IPv4 and /64 of IPv6.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
