import type { DnsCheck } from '../contracts/domain-check.ts';
import { isPublicAddress } from '../dns/public-address.ts';
import { silenceOf } from './found.ts';
import { probeSmtp } from './probe-smtp.ts';
import { failureOf, type Questions, recordsOf } from './questions.ts';

type MxRecord = DnsCheck['mx']['records'][number];

/** What a look at the mail servers of a domain needs to know. */
export interface LookOptions {
  domain: string;
  /** Name of this host, which should be the domain's mail server. */
  host: string;
  /** The port of other mail servers; 25, except in tests. */
  smtpPort: number;
  /**
   * Whether the domain is proved. For an unproved domain only this host is probed, since the domain
   * could be any company's.
   */
  isProved: boolean;
  /** Whether the probe also connects to addresses of private networks; only tests want that. */
  mayProbePrivate: boolean;
  /** Zones of blocklists that are asked (RFC 5782); none unless the operator names some. */
  blocklists: readonly string[];
  servers: KnownServers;
}

/** What is known of mail servers by their addresses, so that each is looked at once. */
export class KnownServers {
  readonly probes = new Map<string, Promise<MxRecord['smtp']>>();
  readonly lists = new Map<string, Promise<string[]>>();
}

const mostProbes = 3;

/** A mail server that the DNS names for a domain. */
export interface MailServer {
  record: MxRecord;
  isAlias: boolean;
  /** All that the DNS has for its name. */
  addresses: readonly string[];
  /** Name servers were silent about it, so it may have other addresses. */
  isSilent: boolean;
}

interface Named {
  value: { exchange: string; priority: number };
  ttl: number;
}

/**
 * Looks up a mail server that an MX record names, and probes it.
 * @param options.probed addresses that this check has probed
 */
export async function lookAtServer(
  questions: Questions,
  { value: { exchange, priority }, ttl }: Named,
  options: LookOptions & Pick<Probing, 'probed'>,
): Promise<MailServer> {
  const record = { exchange, priority, ttl, ip: null, blacklist: [] };
  if (exchange === '') {
    const smtp = { success: false, details: `The MX record says that ${options.domain} takes no mail.` };
    return { record: { ...record, exchange: '.', smtp }, isAlias: false, addresses: [], isSilent: false };
  }
  const [alias, six, four] = await Promise.all([
    questions.ask('CNAME', exchange),
    questions.ask('AAAA', exchange),
    questions.ask('A', exchange),
  ]);
  const addresses = [four, six].flatMap((said) => recordsOf(said).map(({ value }) => value));
  const isSilent = [four, six].some(({ kind }) => kind === 'unanswered');
  const found = { isAlias: recordsOf(alias).length > 0, addresses, isSilent };
  const [ip] = addresses;
  if (ip === undefined) {
    const details = isSilent
      ? `The name servers of ${exchange} ${silenceOf(failureOf(four, six))}.`
      : `The mail server ${exchange} has no address.`;
    return { record: { ...record, smtp: { success: false, details } }, ...found };
  }
  const [smtp, blacklist] = await Promise.all([
    probeOnce(ip, { ...options, exchange, timeoutMs: questions.left }),
    listedOnce(questions, ip, options),
  ]);
  return { record: { ...record, ip, smtp, blacklist }, ...found };
}

interface Probing extends LookOptions {
  /** Addresses that this check has probed. */
  probed: Set<string>;
  exchange: string;
  timeoutMs: number;
}

/** The longest time that a probe waits. */
const enoughMs = 3000;

/**
 * Probes an address once, and few addresses in one check: a stranger's records must not make this
 * host connect to one address again and again.
 */
function probeOnce(ip: string, options: Probing): Promise<MxRecord['smtp']> {
  const { servers, probed, exchange, host, isProved } = options;
  const known = servers.probes.get(ip);
  if (known) return known;
  if (probed.size >= mostProbes || (!isProved && exchange !== host)) {
    const why = isProved ? `at most ${mostProbes} are tried` : 'others are tried once the domain is verified';
    return Promise.resolve({ success: null, details: `Not tried: ${why}.` });
  }
  const asked = probe(ip, options);
  probed.add(ip);
  // Other checks must not reuse a probe that had too little time
  if (options.timeoutMs >= enoughMs) servers.probes.set(ip, asked);
  return asked;
}

/**
 * A stranger's record must not make this host talk to machines that only its own network reaches.
 */
async function probe(ip: string, { smtpPort, mayProbePrivate, host, timeoutMs }: Probing): Promise<MxRecord['smtp']> {
  if (!mayProbePrivate && !isPublicAddress(ip)) {
    return { success: false, details: `The address ${ip} is private, so other servers can’t reach it.` };
  }
  return await probeSmtp({ address: ip, port: smtpPort, clientName: host, timeoutMs });
}

function listedOnce(questions: Questions, ip: string, { servers, blocklists }: LookOptions): Promise<string[]> {
  const known = servers.lists.get(ip);
  if (known) return known;
  const asked = listedIn(questions, ip, blocklists);
  if (questions.left >= enoughMs) servers.lists.set(ip, asked);
  return asked;
}

/**
 * What a blocklist answers in place of a verdict. Spamhaus answers 127.255.255.0/24 to public
 * resolvers, for mistyped zones and after too many questions. Others answer 127.0.0.1 to resolvers
 * that they refuse.
 */
const noVerdict = /^127\.(?:255\.255\.\d+|0\.0\.1)$/;

/** RFC 5782 2.1: the address backwards, below the zone; an answer in 127.0.0.0/8 means listed. */
async function listedIn(questions: Questions, ip: string, zones: readonly string[]): Promise<string[]> {
  if (ip.includes(':')) return [];
  const name = ip.split('.').toReversed().join('.');
  const answers = await Promise.all(zones.map((zone) => questions.ask('A', `${name}.${zone}`)));
  return zones.filter((_zone, index) => {
    const said = answers[index];
    return (
      said !== undefined && recordsOf(said).some(({ value }) => value.startsWith('127.') && !noVerdict.test(value))
    );
  });
}
