import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { type Found, firstError, noAnswer, problemsOf } from './found.ts';
import { type LookOptions, lookAtServer, type MailServer } from './look-at-server.ts';
import { type Questions, recordsOf } from './questions.ts';

type Mx = DnsCheck['mx'];

const problem = problemsOf('mx');

/** A domain with more mail servers is judged by the first of them. */
const mostHosts = 10;

/** Judges where the mail of a domain goes: to this host first, at names that have addresses. */
export async function checkMx(questions: Questions, options: LookOptions): Promise<Found<Mx>> {
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
  const looked = records.filter(({ value }, index) => index < mostHosts || value.exchange === host);
  const servers = await Promise.all(looked.map((record) => lookAtServer(questions, record, { ...options, probed })));
  const judged = judgeServers(servers, options);
  const isOurs = servers.some((server) => placeOf(server, host) === 'here');
  const elsewhere = `No MX record names ${host}, so mail for ${domain} does not come here. Set this one and delete the others.`;
  const problems = [...(isOurs ? [] : [problem(elsewhere, fix)]), ...judged.flatMap(({ problems: own }) => own)];
  const part = {
    found: true,
    valid: problems.every(({ level }) => level === 'warning'),
    ttl: first.ttl,
    details: firstError(problems) ?? `Mail for ${domain} is delivered to ${host}.`,
    records: servers.map(({ record }) => record),
  };
  const isUnsure = isOurs && judged.some((one) => one.isUnsure) && !judged.some(isCertainlyBad);
  return { part, problems, isUnanswered: false, isUnsure };
}

/** Where mail goes that is given to a mail server. */
type Place = 'here' | 'elsewhere' | 'nowhere';

function placeOf({ record: { exchange, ip } }: MailServer, host: string): Place {
  if (exchange === host) return 'here';
  return ip === null ? 'nowhere' : 'elsewhere';
}

/** What is said of one mail server. */
interface Judged {
  problems: DnsProblem[];
  /** What is wrong may be wrong with a name server, or with the name of this host. */
  isUnsure: boolean;
}

const isCertainlyBad = ({ problems, isUnsure }: Judged): boolean =>
  !isUnsure && problems.some(({ level }) => level === 'error');

/** Servers behind this host get mail only while it is down, so they harm none. */
function judgeServers(servers: readonly MailServer[], options: LookOptions): Judged[] {
  const ours = servers.filter((server) => placeOf(server, options.host) === 'here');
  const first = Math.min(...ours.map(({ record }) => record.priority));
  return servers.map((server) => {
    const { exchange, ip } = server.record;
    const problems = [...wayProblems(server, { ...options, first }), ...stateProblems(server)];
    return { problems, isUnsure: ip === null && (server.isSilent || exchange === options.host) };
  });
}

/** What is wrong with where the mail goes. Lower priorities come first (RFC 5321 5.1). */
function wayProblems(server: MailServer, { domain, host, first }: LookOptions & { first: number }): DnsProblem[] {
  const { exchange, priority, smtp, ip } = server.record;
  const isBehind = priority > first;
  if (ip === null) return [problem(smtp.details, null, isBehind ? 'warning' : 'error')];
  if (placeOf(server, host) === 'here' || first === Infinity) return [];
  if (isBehind) {
    const text = `While ${host} is down, mail for ${domain} goes to ${exchange}. Delete its MX record, unless that server hands the mail on to ${host}.`;
    return [problem(text, null, 'warning')];
  }
  const text =
    priority === first
      ? `Mail for ${domain} goes to ${exchange} as often as here. Delete the MX record of ${exchange}.`
      : `Mail for ${domain} goes to ${exchange} first, and here only when that is down. Delete its MX record.`;
  return [problem(text, null)];
}

/** Mail flows all the same, but for some senders. */
function stateProblems({ record: { exchange, ip, smtp, blacklist }, isAlias }: MailServer): DnsProblem[] {
  if (ip === null) return [];
  return [
    ...(isAlias
      ? [problem(`The MX record names ${exchange}, which is an alias. Many servers don’t follow it.`, null, 'warning')]
      : []),
    ...(smtp.success === false ? [problem(`${exchange}: ${smtp.details}`, null, 'warning')] : []),
    ...blacklist.map((zone) => problem(`${exchange} (${ip}) is on the blocklist ${zone}.`, null, 'warning')),
  ];
}
