import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { isPublicAddress } from '../dns/public-address.ts';
import { type Found, firstError, noAnswer, problemsOf } from './found.ts';
import { probeSmtp } from './probe-smtp.ts';
import { type Questions, recordsOf } from './questions.ts';

type Mx = DnsCheck['mx'];
type MxRecord = Mx['records'][number];

const problem = problemsOf('mx');

/** What a check of the mail servers needs to know of this host. */
export interface MxOptions {
  domain: string;
  /** Name of this host, which should be the domain's mail server. */
  host: string;
  /** The port of other mail servers; 25 but in tests. */
  smtpPort: number;
  /**
   * Whether the domain is proved. Of one that is only typed, no server but this host is probed: it
   * could be any company's.
   */
  isProved: boolean;
  /** The probe speaks to addresses of private networks as well, which only tests want. */
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

/** A domain with more mail servers is judged by the first of them. */
const mostHosts = 10;
const mostProbes = 3;

/** Judges where the mail of a domain goes: to this host, at names that have addresses. */
export async function checkMx(questions: Questions, options: MxOptions): Promise<Found<Mx>> {
  const { domain, host } = options;
  const said = await questions.ask('MX', domain);
  const records = recordsOf(said).toSorted((one, two) => one.value.priority - two.value.priority);
  const fix = { type: 'MX', name: domain, content: `10 ${host}.` };
  const [first] = records;
  if (!first) {
    const isUnanswered = said.kind === 'unanswered';
    const details = isUnanswered ? noAnswer : 'There is no MX record.';
    const text = `${details} Other servers don’t know where to deliver mail for ${domain}.`;
    return {
      part: { found: false, valid: false, ttl: null, details, records: [] },
      problems: [problem(isUnanswered ? details : text, isUnanswered ? null : fix)],
      isUnanswered,
      isUnsure: isUnanswered,
    };
  }
  const probed = new Set<string>();
  const looked = await Promise.all(
    records.slice(0, mostHosts).map((record) => lookAt(questions, record, { ...options, probed })),
  );
  const isOurs = records.some(({ value }) => value.exchange === host);
  const problems = [
    ...(isOurs
      ? []
      : [
          problem(
            `No MX record names ${host}, so mail for ${domain} does not come here. Set this one and delete the others.`,
            fix,
          ),
        ]),
    ...(isOurs ? othersBefore(records, options) : []),
    ...looked.flatMap(({ problems: own }) => own),
  ];
  const errors = problems.filter(({ level }) => level === 'error');
  const details = firstError(problems) ?? `Mail for ${domain} is delivered to ${host}.`;
  const part = {
    found: true,
    valid: errors.length === 0,
    ttl: first.ttl,
    details,
    records: looked.map(({ record }) => record),
  };
  const isUnsure = isOurs && looked.some((one) => one.isUnsure) && !looked.some(isCertainlyBad);
  return { part, problems, isUnanswered: false, isUnsure };
}

interface Looked {
  record: MxRecord;
  problems: DnsProblem[];
  /** What is wrong may be wrong with a name server, or with the name of this host. */
  isUnsure: boolean;
}

const isCertainlyBad = ({ problems, isUnsure }: Looked): boolean =>
  !isUnsure && problems.some(({ level }) => level === 'error');

/** Other servers that mail is delivered to, before this host or in turn with it. */
function othersBefore(
  records: readonly { value: { exchange: string; priority: number } }[],
  { domain, host }: MxOptions,
): DnsProblem[] {
  const ours = records.find(({ value }) => value.exchange === host)?.value.priority ?? 0;
  const [other] = records.filter(({ value }) => value.exchange !== host && value.priority <= ours);
  if (!other) return [];
  const { exchange, priority } = other.value;
  const text =
    priority === ours
      ? `Mail for ${domain} goes to ${exchange} as often as here. Delete the MX record of ${exchange}.`
      : `Mail for ${domain} goes to ${exchange} first, and here only when that is down. Delete its MX record.`;
  return [problem(text, null, 'warning')];
}

async function lookAt(
  questions: Questions,
  { value: { exchange, priority }, ttl }: { value: { exchange: string; priority: number }; ttl: number },
  options: MxOptions & Pick<Probing, 'probed'>,
): Promise<Looked> {
  const record = { exchange, priority, ttl, ip: null, blacklist: [] };
  if (exchange === '') {
    const text = `The MX record says that ${options.domain} takes no mail.`;
    const smtp = { success: false, details: text };
    return { record: { ...record, exchange: '.', smtp }, problems: [problem(text, null)], isUnsure: false };
  }
  const [alias, six, four] = await Promise.all([
    questions.ask('CNAME', exchange),
    questions.ask('AAAA', exchange),
    questions.ask('A', exchange),
  ]);
  const ip = recordsOf(four)[0]?.value ?? recordsOf(six)[0]?.value ?? null;
  if (ip === null) {
    const isUnanswered = four.kind === 'unanswered';
    const text = isUnanswered
      ? `The name servers of ${exchange} did not answer.`
      : `The mail server ${exchange} has no address.`;
    const isUnsure = isUnanswered || exchange === options.host;
    return {
      record: { ...record, smtp: { success: false, details: text } },
      problems: [problem(text, null)],
      isUnsure,
    };
  }
  const [smtp, blacklist] = await Promise.all([
    probeOnce(ip, { ...options, exchange, timeoutMs: questions.left }),
    listedOnce(questions, ip, options),
  ]);
  const problems = [
    ...(recordsOf(alias).length > 0
      ? [problem(`The MX record names ${exchange}, which is an alias. Many servers don’t follow it.`, null, 'warning')]
      : []),
    ...(smtp.success === false ? [problem(`${exchange}: ${smtp.details}`, null, 'warning')] : []),
    ...blacklist.map((zone) => problem(`${exchange} (${ip}) is on the blocklist ${zone}.`, null, 'warning')),
  ];
  return { record: { ...record, ip, smtp, blacklist }, problems, isUnsure: false };
}

interface Probing extends MxOptions {
  /** Addresses that this check has asked for. */
  probed: Set<string>;
  exchange: string;
  timeoutMs: number;
}

/** The longest that a probe waits. */
const enoughMs = 3000;

/** A stranger's records must not make this host knock at one address again and again. */
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
  // One that had little time left says nothing to others
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

function listedOnce(questions: Questions, ip: string, { servers, blocklists }: MxOptions): Promise<string[]> {
  const known = servers.lists.get(ip);
  if (known) return known;
  const asked = listedIn(questions, ip, blocklists);
  if (questions.left >= enoughMs) servers.lists.set(ip, asked);
  return asked;
}

/** RFC 5782 2.1: the address backwards, below the zone; any answer in 127.0.0.0/8 means listed. */
async function listedIn(questions: Questions, ip: string, zones: readonly string[]): Promise<string[]> {
  if (ip.includes(':')) return [];
  const name = ip.split('.').toReversed().join('.');
  const answers = await Promise.all(zones.map((zone) => questions.ask('A', `${name}.${zone}`)));
  return zones.filter((_zone, index) => {
    const said = answers[index];
    return said !== undefined && recordsOf(said).some(({ value }) => value.startsWith('127.'));
  });
}
