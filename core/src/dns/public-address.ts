import { BlockList, isIP } from 'node:net';

/** Ranges that no host of the Internet has (RFC 6890 and its registries). */
const ranges: readonly [string, number][] = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private, RFC 1918
  ['100.64.0.0', 10], // shared by carriers, RFC 6598
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and where clouds answer with credentials
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // measurements
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved, broadcast
  ['::', 127], // unspecified and loopback
  ['64:ff9b:1::', 48], // translation within one network
  ['100::', 64], // discard
  ['2001:db8::', 32], // documentation
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, deprecated
  ['ff00::', 8], // multicast
];

/** IPv6 ranges that carry an IPv4 address, and the group of 16 bits at which it begins. */
const carriers: readonly [string, number, number][] = [
  ['::ffff:0:0', 96, 6], // mapped
  ['::', 96, 6], // compatible, deprecated
  ['64:ff9b::', 96, 6], // NAT64
  ['2002::', 16, 1], // 6to4
];

const refused = new BlockList();
for (const [address, bits] of ranges) refused.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');

/**
 * Says whether an address belongs to the Internet: not to a private network, this machine or a
 * single link. An IPv6 address that carries an IPv4 address is as public as that one.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !refused.check(address, 'ipv4');
  const carried = carriedAddress(address);
  return !refused.check(address, 'ipv6') && (carried === null || isPublicAddress(carried));
}

function carriedAddress(address: string): string | null {
  for (const [prefix, bits, at] of carriers) {
    const list = new BlockList();
    list.addSubnet(prefix, bits, 'ipv6');
    if (!list.check(address, 'ipv6')) continue;
    const [high = 0, low = 0] = groupsOf(address).slice(at);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  return null;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser gives the canonical form, an embedded IPv4 address as two groups
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = short.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
