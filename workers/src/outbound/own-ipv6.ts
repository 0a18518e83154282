import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type DnsResolver, dnsProblem } from '@selvage/core/dns/resolver';
import type { Config } from '@selvage/core/process/config';

/** What the look at this host's own name needs of the process. */
interface Means {
  config: Pick<Config, 'hostname'>;
  resolver: Pick<DnsResolver, 'aaaa'>;
}

/** Addresses and AAAA records of a host change rarely. */
const lookEveryMs = 300_000;

/**
 * Knows whether mail leaves by IPv6 first. It does if the operator has set up IPv6 for mail: the
 * AAAA records of SELVAGE_HOSTNAME name an address of this machine. Otherwise mail leaves by IPv6
 * only to domains without IPv4. Many machines have an IPv6 address that their operator never
 * thought of. It has no PTR record and is in no SPF record, and large receivers refuse what comes
 * from it.
 */
export class OwnIpv6 {
  #isFirst: Promise<boolean> = Promise.resolve(false);
  #lookAt = -Infinity;
  readonly #ownAddresses: () => string[];

  constructor(ownAddresses = globalIpv6Addresses) {
    this.#ownAddresses = ownAddresses;
  }

  /** Never throws. While the name servers are silent, the answer is the last one that was known. */
  isFirst(means: Means): Promise<boolean> {
    const now = performance.now();
    if (now >= this.#lookAt) {
      this.#lookAt = now + lookEveryMs;
      this.#isFirst = this.#look(means, this.#isFirst);
    }
    return this.#isFirst;
  }

  async #look({ config, resolver }: Means, last: Promise<boolean>): Promise<boolean> {
    const own = this.#ownAddresses();
    if (own.length === 0) return false;
    try {
      const published = await resolver.aaaa(config.hostname);
      return published.some((address) => own.includes(address));
    } catch (error) {
      return dnsProblem(error) === 'temporary' ? await last : false;
    }
  }
}

/**
 * The mail hosts of a domain with the addresses to try. Unless IPv6 comes first, these are the IPv4
 * addresses if any host has one: after a server has put a message off by IPv4, it may refuse the
 * same message for good by IPv6. A domain that has IPv6 alone is tried by IPv6.
 */
export function toAsk<Host extends { addresses: string[] }>(hosts: readonly Host[], isIpv6First: boolean): Host[] {
  const byIpv4 = hosts
    .map((host) => ({ ...host, addresses: host.addresses.filter((address) => isIPv4(address)) }))
    .filter(({ addresses }) => addresses.length > 0);
  return isIpv6First || byIpv4.length === 0 ? [...hosts] : byIpv4;
}

function globalIpv6Addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const global = all.filter(({ address, internal }) => isIPv6(address) && !internal && !/^fe[89ab]/i.test(address));
  return global.map(({ address }) => address);
}
