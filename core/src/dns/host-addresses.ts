import { type DnsProblem, type DnsResolver, dnsProblem, type Provable, type ProvableLookUps } from './resolver.ts';

/** The addresses of a host. */
export interface HostAddresses {
  /** IPv6 and IPv4 in turn. */
  addresses: string[];
  /** DNSSEC proves them. False wherever the name servers don't validate. */
  isProved: boolean;
  /** The name that has the addresses: the host itself or, if that is an alias, its target. */
  addressName: string;
  /** Why there are none, or not all of them. */
  problem: DnsProblem | null;
}

/** `cname` is absent where nothing is proved. */
export type LookUps = Pick<ProvableLookUps, 'mx' | 'a' | 'aaaa'> & Partial<Pick<ProvableLookUps, 'cname'>>;

const maxAddresses = 8;

/** The plain look-ups of a resolver, in the form of those that DNSSEC proves. */
export function withoutProof(resolver: Pick<DnsResolver, 'mx' | 'a' | 'aaaa'>): LookUps {
  const plain = async <T>(name: string, records: Promise<T[]>): Promise<Provable<T>> => {
    return { records: await records, isProved: false, name };
  };
  return {
    mx: (name) => plain(name, resolver.mx(name)),
    a: (name) => plain(name, resolver.a(name)),
    aaaa: (name) => plain(name, resolver.aaaa(name)),
  };
}

/** Looks up the addresses of a host, eight at most. Never throws for a DNS answer or failure. */
export async function findHostAddresses(lookUps: Pick<LookUps, 'a' | 'aaaa'>, host: string): Promise<HostAddresses> {
  const answers = await Promise.allSettled([lookUps.aaaa(host), lookUps.a(host)]);
  const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [six = [], four = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.records : []));
  // In turn, so that many addresses of one family never crowd out the other
  const addresses = Array.from({ length: Math.max(six.length, four.length) }, (_, at) => [six[at], four[at]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, maxAddresses);
  const found = {
    addresses,
    isProved: given.length > 0 && given.every(({ isProved }) => isProved),
    addressName: given[0]?.name ?? host,
  };
  const problems = answers.flatMap((answer) => (answer.status === 'rejected' ? [dnsProblem(answer.reason)] : []));
  if (problems.includes('temporary')) return { ...found, problem: 'temporary' };
  return { ...found, problem: problems.includes('nodata') ? 'nodata' : (problems[0] ?? null) };
}
