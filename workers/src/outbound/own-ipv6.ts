import { isIPv6 } from 'node:net';
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
 * AAAA records of SELVAGE_HOSTNAME name an address of this machine. Many machines have an IPv6
 * address that their operator never thought of. It has no PTR record and is in no SPF record, and
 * large receivers refuse what comes from it.
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
 * Returns the addresses of a mail host in the order in which to try them: as the resolver gave
 * them, or those of IPv4 first.
 */
export function inOrder(addresses: readonly string[], isIpv6First: boolean): string[] {
  if (isIpv6First) return [...addresses];
  return addresses.toSorted((one, two) => Number(isIPv6(one)) - Number(isIPv6(two)));
}

function globalIpv6Addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const global = all.filter(({ address, internal }) => isIPv6(address) && !internal && !/^fe[89ab]/i.test(address));
  return global.map(({ address }) => address);
}
