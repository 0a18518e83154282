import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { type Found, firstError, noAnswer, problemsOf } from './found.ts';
import { type LookOptions, lookAtServer, type MailServer } from './look-at-server.ts';
import { failureOf, type Questions, recordsOf } from './questions.ts';

type Mx = DnsCheck['mx'];

const problem = problemsOf('mx');

/** Of a domain with more mail servers, only the first ones are checked, and this host itself. */
const mostHosts = 10;

/** Checks where the mail of a domain goes: to this host first, by names that have addresses. */
export async function checkMx(questions: Questions, options: LookOptions): Promise<Found<Mx>> {
  const { domain, host } = options;
  const said = await questions.ask('MX', domain);
  const records = recordsOf(said).toSorted((one, two) => one.value.priority - two.value.priority);
  const [first] = records;
  if (!first) {
    const isUnanswered = said.kind === 'unanswered';
    const details = isUnanswered ? noAnswer(failureOf(said)) : 'There is no MX record.';
    const text = `${details} Other servers don’t know where to deliver mail for ${domain}.`;
    return {
      part: { found: false, valid: false, ttl: null, details, records: [] },
      problems: [problem(isUnanswered ? details : text, isUnanswered ? null : wanted(options))],
      isUnanswered,
      isUnsure: isUnanswered,
    };
  }
  const probed = new Set<string>();
  const looked = records.filter(({ value }, index) => index < mostHosts || value.exchange === host);
  const [own, ...servers] = await Promise.all([
    ownAddresses(questions, host),
    ...looked.map((record) => lookAtServer(questions, record, { ...options, probed })),
  ]);
  const { problems, isUnsure } = judgeServers(servers, { domain, host, own });
  const part = {
    found: true,
    valid: problems.every(({ level }) => level === 'warning'),
    ttl: first.ttl,
    details: firstError(problems) ?? `Mail for ${domain} is delivered to ${host}.`,
    records: servers.map(({ record }) => record),
  };
  return { part, problems, isUnanswered: false, isUnsure };
}

/** The addresses of this host. A mail server with one of them is this host under another name. */
interface Own {
  addresses: ReadonlySet<string>;
  /** There are addresses, and no name server was silent about them. */
  isComplete: boolean;
}

async function ownAddresses(questions: Questions, host: string): Promise<Own> {
  const addresses = new Set(await questions.addressesOf(host));
  const isSilent = ['A', 'AAAA'].some((type) => questions.silent.has(`${type} ${host}`));
  return { addresses, isComplete: addresses.size > 0 && !isSilent };
}

/** The domain whose mail servers are judged, and this host. */
interface Judging {
  domain: string;
  host: string;
  own: Own;
}

interface Placed extends MailServer {
  /** Where mail goes that a sender gives to the server. */
  place: 'here' | 'elsewhere' | 'nowhere' | 'unknown';
}

function placeOf({ record: { exchange }, addresses, isSilent }: MailServer, { host, own }: Judging): Placed['place'] {
  if (exchange === host || addresses.some((address) => own.addresses.has(address))) return 'here';
  if (addresses.length === 0) return isSilent ? 'unknown' : 'nowhere';
  return own.isComplete ? 'elsewhere' : 'unknown';
}

/** @param servers the lowest priority first, since senders try it first (RFC 5321 5.1) */
function judgeServers(servers: readonly MailServer[], judging: Judging): { problems: DnsProblem[]; isUnsure: boolean } {
  const placed = servers.map((server) => ({ ...server, place: placeOf(server, judging) }));
  const first = placed.find(({ place }) => place === 'here' || place === 'unknown')?.record.priority ?? null;
  const isNamed = placed.some(({ record }) => record.exchange === judging.host);
  const way = { ...judging, first, isNamed, isAlone: placed.length === 1 };
  const judged = placed.map((server) => judgeServer(server, way));
  const isOurs = placed.some(({ place }) => place === 'here');
  return {
    problems: [...(isOurs ? [] : [notHere(way)]), ...judged.flatMap(({ problems }) => problems)],
    isUnsure: judged.some(({ isUnsure }) => isUnsure) && !judged.some(isCertainlyBad),
  };
}

/** The way that mail for a domain takes. */
interface Way extends Judging {
  /**
   * The lowest priority of a server that leads here, or may do so. Null when no mail comes here.
   */
  first: number | null;
  /** A record has the name of this host. */
  isNamed: boolean;
  isAlone: boolean;
}

function notHere(way: Way): DnsProblem {
  const { domain, host, first } = way;
  const text =
    first === null
      ? `No MX record names ${host}, so mail for ${domain} does not come here. Set this one and delete the others.`
      : `No MX record names ${host}. Whether another name leads mail for ${domain} here can’t be told now.`;
  return problem(text, wanted(way));
}

const wanted = ({ domain, host }: Pick<Way, 'domain' | 'host'>): DnsProblem['record'] => {
  return { type: 'MX', name: domain, content: `10 ${host}.` };
};

/** The verdict on one mail server. */
interface Judged {
  problems: DnsProblem[];
  /** The fault may be that of a silent name server, or of this host's own name. */
  isUnsure: boolean;
}

const isCertainlyBad = ({ problems, isUnsure }: Judged): boolean =>
  !isUnsure && problems.some(({ level }) => level === 'error');

function judgeServer(server: Placed, way: Way): Judged {
  const isUnsure = server.place === 'unknown' || (server.place === 'here' && server.addresses.length === 0);
  return { problems: [...wayProblems(server, way), ...stateProblems(server)], isUnsure };
}

/**
 * Problems with where a server leads mail. A server with a higher priority than this host gets mail
 * only while this host is down, so it only leads to a warning.
 */
function wayProblems(server: Placed, way: Way): DnsProblem[] {
  const { place, addresses, record } = server;
  const { exchange, priority, smtp } = record;
  const { domain, host, first, isAlone } = way;
  const isBehind = first !== null && priority > first;
  const level = isBehind ? 'warning' : 'error';
  if (exchange === '.' && !isAlone) {
    const text = `An MX record says that ${domain} takes no mail. It must not stand beside others (RFC 7505 3): some servers then deliver nothing. Delete it.`;
    return [problem(text, null)];
  }
  if (addresses.length === 0) return [problem(smtp.details, null, level)];
  if (place === 'here') return nameProblems(server, way, level);
  if (place === 'unknown' || first === null) return [];
  if (isBehind) {
    const text = `While ${host} is down, mail for ${domain} goes to ${exchange}. Delete its MX record, unless that server hands the mail on to ${host}.`;
    return [problem(text, null, level)];
  }
  const text =
    priority === first
      ? `Mail for ${domain} goes to ${exchange} as often as here. Delete the MX record of ${exchange}.`
      : `Mail for ${domain} goes to ${exchange} first, and here only when that is down. Delete its MX record.`;
  return [problem(text, null, level)];
}

const mostNamed = 4;

/** What is wrong with another name of this host. */
function nameProblems({ record: { exchange }, addresses }: Placed, way: Way, level: DnsProblem['level']): DnsProblem[] {
  const { domain, host, own, isNamed } = way;
  if (exchange === host) return [];
  const [record, advice] = isNamed ? [null, 'Delete its MX record.'] : [wanted(way), `Name ${host} instead.`];
  const others = own.isComplete ? addresses.filter((address) => !own.addresses.has(address)) : [];
  if (others.length > 0) {
    const named = others.slice(0, mostNamed).join(', ');
    const text = `${exchange} leads to this host and to others (${named}), so some mail for ${domain} goes there. ${advice}`;
    return [problem(text, record, level)];
  }
  const text = `The MX record names ${exchange}, another name of this host. Its certificate is for ${host}, so servers that check it don’t deliver. ${advice}`;
  return [problem(text, record, 'warning')];
}

/** Problems with which mail still arrives, but not from some senders. */
function stateProblems({ record: { exchange, ip, smtp, blacklist }, isAlias }: MailServer): DnsProblem[] {
  if (ip === null) return [];
  const aliasText = `The MX record names ${exchange}, which is an alias. That is forbidden (RFC 2181 10.3), and some servers don’t follow it.`;
  return [
    ...(isAlias ? [problem(aliasText, null, 'warning')] : []),
    ...(smtp.success === false ? [problem(`${exchange}: ${smtp.details}`, null, 'warning')] : []),
    ...blacklist.map((zone) => problem(`${exchange} (${ip}) is on the blocklist ${zone}.`, null, 'warning')),
  ];
}
