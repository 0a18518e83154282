import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { DnsResolver } from './resolver.ts';

/** How addresses are looked up, and which ones are allowed. */
export interface Reach {
  resolver: Pick<DnsResolver, 'a' | 'aaaa'>;
  /** Whether addresses are allowed that only this network can reach. */
  mayBePrivate: boolean;
}

const mostAddresses = 4;

/**
 * The public addresses of a host that a stranger has named: a stranger's name server must not make
 * this host talk to machines of its own network.
 * @param host a name, or an address without brackets
 * @throws Error when there are none
 */
export async function findReachableAddresses(host: string, { resolver, mayBePrivate }: Reach): Promise<string[]> {
  const found = isIP(host) ? [host] : await lookUp(host, resolver);
  const usable = found.filter((address) => mayBePrivate || isPublicAddress(address)).slice(0, mostAddresses);
  if (usable.length > 0) return usable;
  throw new Error(found.length > 0 ? `${host} has a private address` : `${host} has no address`);
}

async function lookUp(host: string, resolver: Reach['resolver']): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.a(host), resolver.aaaa(host)]);
  const [a = [], aaaa = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // In turns: many addresses of one family must not hide the other one
  return Array.from({ length: Math.max(a.length, aaaa.length) }, (_, at) => [a[at], aaaa[at]])
    .flat()
    .filter((address) => address !== undefined);
}

/** A `lookup` that answers the checked addresses, so that no second look-up can name others. */
export function lookUpAs(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, callback) => {
    const [first] = found;
    if (all || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
