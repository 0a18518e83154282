import { isIPv4 } from 'node:net';
import { asciiDomain } from '../mail/addresses.ts';
import { findHostAddresses, type HostAddresses, type LookUps, withoutProof } from './host-addresses.ts';
import { type DnsResolver, dnsProblem } from './resolver.ts';

/** A server that takes mail for a domain, with its addresses. */
export interface MailHost {
  host: string;
  preference: number;
  /** IPv6 and IPv4 in turn; never empty. */
  addresses: string[];
  /**
   * DNSSEC proves that the domain names this host, and that the host has these addresses or is an
   * alias. False wherever the name servers don't validate.
   */
  isProved: boolean;
  /**
   * The name that has the addresses: the host itself or, if that is an alias, its target. Also the
   * host itself where DNSSEC proves the alias and not its target.
   */
  addressName: string;
}

/** Where the mail of a domain goes. */
export type MailHosts =
  | {
      kind: 'hosts';
      hosts: MailHost[];
      implicit: boolean;
      /** True when the addresses of another host of the domain could not be looked up now. */
      isPartial: boolean;
      /** True when a host without an IPv4 address may have one that could not be looked up now. */
      mayLackIpv4: boolean;
    }
  /** The domain says that it takes no mail (RFC 7505). */
  | { kind: 'null_mx' }
  | { kind: 'no_such_domain' }
  /** The domain exists, but nothing in DNS says where its mail goes. */
  | { kind: 'no_host' }
  /** DNS gives no answer at the moment. */
  | { kind: 'temporary' };

type Resolver = Pick<DnsResolver, 'mx' | 'a' | 'aaaa' | 'provable'>;

const maxHosts = 10;

/**
 * Finds the mail hosts of a domain (RFC 5321 5.1), best first, equal ones in random order. Never
 * throws for a DNS answer or failure.
 */
export async function resolveMailHosts(
  resolver: Resolver,
  domain: string,
  random: () => number = Math.random,
): Promise<MailHosts> {
  const name = asciiDomain(domain.replace(/\.$/, ''));
  if (name === null) return { kind: 'no_such_domain' };
  const lookUps = resolver.provable ?? withoutProof(resolver);
  try {
    const found = await lookUps.mx(name);
    if (found.records.length > 0) return await explicitHosts(lookUps, found, random);
  } catch (error) {
    const problem = dnsProblem(error);
    if (problem === 'nxdomain') return { kind: 'no_such_domain' };
    if (problem === 'temporary') return { kind: 'temporary' };
  }
  return implicitHost(lookUps, name);
}

async function explicitHosts(
  lookUps: LookUps,
  { records, isProved }: Awaited<ReturnType<LookUps['mx']>>,
  random: () => number,
): Promise<MailHosts> {
  const named = records
    .map((record) => ({ host: record.exchange.replace(/\.$/, '').toLowerCase(), preference: record.priority }))
    .filter((record) => record.host !== '');
  // RFC 7505 3: the root as its only exchange
  if (named.length === 0) return { kind: 'null_mx' };
  const sorted = named
    .map((record) => ({ ...record, tie: random() }))
    .toSorted((one, two) => one.preference - two.preference || one.tie - two.tie)
    .slice(0, maxHosts);
  const findAddresses = (host: string): Promise<HostAddresses> =>
    isProved ? findProvedAddresses(lookUps, host) : findHostAddresses(lookUps, host);
  const found = await Promise.all(
    sorted.map(async ({ host, preference }) => ({ host, preference, ...(await findAddresses(host)) })),
  );
  const hosts = found.flatMap(({ problem: _problem, ...host }) =>
    host.addresses.length > 0 ? [{ ...host, isProved: host.isProved && isProved }] : [],
  );
  const isPartial = found.some((host) => host.addresses.length === 0 && host.problem === 'temporary');
  const mayLackIpv4 = found.some(mayHaveIpv4);
  if (hosts.length > 0) return { kind: 'hosts', hosts, implicit: false, isPartial, mayLackIpv4 };
  return { kind: isPartial ? 'temporary' : 'no_host' };
}

function mayHaveIpv4({ addresses, problem }: Pick<HostAddresses, 'addresses' | 'problem'>): boolean {
  return problem === 'temporary' && !addresses.some((address) => isIPv4(address));
}

/**
 * Looks up the addresses of a host that DNSSEC proves to be the one. RFC 7672 2.2.2: where it also
 * proves that the host is an alias, but not what the target has, the host's own name may have TLSA
 * records.
 */
async function findProvedAddresses(lookUps: LookUps, host: string): Promise<HostAddresses> {
  const found = await findHostAddresses(lookUps, host);
  if (!lookUps.cname || found.isProved || found.addressName === host) return found;
  try {
    const { isProved } = await lookUps.cname(host);
    return isProved ? { ...found, isProved, addressName: host } : found;
  } catch (error) {
    // RFC 7672 2.1.1: an attacker could have made the name server silent
    return dnsProblem(error) === 'temporary' ? { ...found, addresses: [], problem: 'temporary' } : found;
  }
}

/** RFC 5321 5.1: a domain without MX records takes its mail at its own address. */
async function implicitHost(lookUps: LookUps, name: string): Promise<MailHosts> {
  const { problem, ...found } = await findProvedAddresses(lookUps, name);
  const hosts = [{ host: name, preference: 0, ...found }];
  const mayLackIpv4 = mayHaveIpv4({ ...found, problem });
  if (found.addresses.length > 0) return { kind: 'hosts', hosts, implicit: true, isPartial: false, mayLackIpv4 };
  if (problem === 'temporary') return { kind: 'temporary' };
  return { kind: problem === 'nxdomain' ? 'no_such_domain' : 'no_host' };
}
