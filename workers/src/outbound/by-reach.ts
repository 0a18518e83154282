import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

const lookEveryMs = 60_000;
let seen: { at: number; hasIpv6: boolean } | null = null;

/**
 * Returns addresses in the order in which to try them. They keep their order while this machine has
 * a global IPv6 address. Otherwise IPv4 comes first, since every connection to an IPv6 address
 * would fail (RFC 6724 6, rule 1).
 */
export function byReach(addresses: readonly string[], hasIpv6 = isIpv6Here()): string[] {
  if (hasIpv6) return [...addresses];
  return addresses.toSorted((one, two) => Number(isIPv6(one)) - Number(isIPv6(two)));
}

/** Looks at the machine's addresses, at most once a minute: they change rarely. */
function isIpv6Here(now = performance.now()): boolean {
  if (seen === null || now - seen.at > lookEveryMs) seen = { at: now, hasIpv6: hasGlobalIpv6() };
  return seen.hasIpv6;
}

function hasGlobalIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.some(({ address, internal }) => isIPv6(address) && !internal && !/^fe[89ab]/i.test(address));
}
