import { isIPv4 } from 'node:net';

/**
 * The network by which guesses and unknown recipients are counted: /24 of IPv4, /64 of IPv6. The
 * limits on connections per network count by `blockOf`, and so do the shares of memory and the
 * turns of peers that send mail here.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`;
}

/**
 * The key by which a limit for one address counts: the address itself for IPv4, and the /64 for
 * IPv6, since one customer has every address of it.
 */
export function subscriberOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv4(plain) ? plain : networkOf(plain);
}

/** What a provider gives out as one block: /24 of IPv4, /48 of IPv6. */
export function blockOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv4(plain) ? networkOf(plain) : `${groupsOf(plain).slice(0, 3).join(':')}::/48`;
}

/** The same address without the IPv4-mapped prefix of a dual-stack listener and without a zone. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(plain: string): string[] {
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
