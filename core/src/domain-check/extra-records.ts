import { type SetupExtra, setupExtraNames } from '../contracts/setup-guide.ts';
import type { Config } from '../process/config.ts';
import { noAnswer } from './found.ts';
import { failureOf, type Questions, recordsOf, type Said, type Service } from './questions.ts';
import { tagsOf } from './record-tags.ts';
import { stsPolicyId } from './sts-policy.ts';

type Extra = Omit<SetupExtra, 'name'>;
type Name = SetupExtra['name'];
type Host = Pick<Config, 'hostname' | 'url' | 'stsMode' | 'publicSubmissionPort' | 'publicSubmissionsPort'>;

/** What the DNS says of one recommended record, in the words of the guide. */
type Finding = Pick<Extra, 'state' | 'details'>;

const found: Finding = { state: 'done', details: 'The record is in the DNS.' };
const missing: Finding = { state: 'waiting', details: 'The record is not in the DNS yet.' };
const silent = (said: Said<unknown>): Finding => ({ state: 'unknown', details: noAnswer(failureOf(said)) });
const several = (what: string): Finding => ({
  state: 'waiting',
  details: `There are several ${what} records, and other servers then use none. Keep one of them.`,
});

/**
 * The recommended records beyond the seven steps. Mail arrives without them. They let mail programs
 * find the servers, and other servers deliver with TLS and report on it.
 */
export async function readExtras(questions: Questions, domain: string, host: Host): Promise<SetupExtra[]> {
  const kinds: Record<Name, () => Promise<Extra>> = {
    sts_host: () => aliasExtra(questions, `mta-sts.${domain}`, host.hostname),
    sts: () => stsExtra(questions, domain, host),
    tls_reports: () => reportsExtra(questions, domain),
    autoconfig: () => aliasExtra(questions, `autoconfig.${domain}`, host.hostname),
    autodiscover: () => serviceExtra(questions, `_autodiscover._tcp.${domain}`, httpsOf(host)),
    submissions: () => serviceExtra(questions, `_submissions._tcp.${domain}`, serverOf(host, 'publicSubmissionsPort')),
    submission: () => serviceExtra(questions, `_submission._tcp.${domain}`, serverOf(host, 'publicSubmissionPort')),
    imaps: () => serviceExtra(questions, `_imaps._tcp.${domain}`, noService),
    pop3s: () => serviceExtra(questions, `_pop3s._tcp.${domain}`, noService),
  };
  const hasSts = host.stsMode !== 'none' || (await isAnnounced(questions, domain));
  const names = setupExtraNames.filter((name) => hasSts || !['sts_host', 'sts'].includes(name));
  return await Promise.all(names.map(async (name) => ({ name, ...(await kinds[name]()) })));
}

/**
 * Whether a domain announces a policy. Other servers keep a policy until its time is over. So a
 * host that withdraws its policy goes on serving one, of mode none and with another id (RFC 8461
 * 8.3).
 */
async function isAnnounced(questions: Questions, domain: string): Promise<boolean> {
  const said = await questions.ask('TXT', `_mta-sts.${domain}`);
  return recordsOf(said).some(({ value }) => /^v=STSv1\b/i.test(value));
}

/** The record of a service that the domain does not offer (RFC 6186 3.4). */
const noService: Service = { priority: 0, weight: 0, port: 0, target: '' };

function serverOf(host: Host, port: 'publicSubmissionPort' | 'publicSubmissionsPort'): Service {
  return { priority: 0, weight: 1, port: host[port], target: host.hostname };
}

function httpsOf({ hostname, url }: Host): Service {
  const { protocol, port } = new URL(url);
  return { priority: 0, weight: 1, port: (protocol === 'https:' && Number(port)) || 443, target: hostname };
}

/** A name that leads to this host: as an alias, or by the addresses of the host. */
async function aliasExtra(questions: Questions, name: string, host: string): Promise<Extra> {
  const record = { type: 'CNAME', name, content: `${host}.` };
  const said = await questions.ask('CNAME', name);
  if (said.kind === 'unanswered') return { record, ...silent(said) };
  const [alias] = recordsOf(said);
  if (alias) {
    const other = `The name leads to ${alias.value || 'nowhere'}. Change the record.`;
    return { record, ...(alias.value === host ? found : { state: 'waiting', details: other }) };
  }
  if (said.kind === 'none' && !said.exists) return { record, ...missing };
  const [own, wanted] = await Promise.all([questions.addressesOf(name), questions.addressesOf(host)]);
  if (own.some((address) => wanted.includes(address))) return { record, ...found };
  const [first] = own;
  const details = first === undefined ? missing.details : `The name leads to ${first}. Put this record in its place.`;
  return { record, state: 'waiting', details };
}

async function stsExtra(questions: Questions, domain: string, host: Host): Promise<Extra> {
  const id = stsPolicyId(host);
  const record = { type: 'TXT', name: `_mta-sts.${domain}`, content: `v=STSv1; id=${id}` };
  const said = await questions.ask('TXT', record.name);
  return { record, ...judgeText(said, { version: 'STSv1', what: 'MTA-STS', judge }) };

  function judge(tags: ReadonlyMap<string, string>): Finding {
    if (tags.get('id') === id) return found;
    return { state: 'waiting', details: 'The record has an older id. Other servers would not see the new policy.' };
  }
}

async function reportsExtra(questions: Questions, domain: string): Promise<Extra> {
  const content = `v=TLSRPTv1; rua=mailto:postmaster@${domain}`;
  const record = { type: 'TXT', name: `_smtp._tls.${domain}`, content };
  const said = await questions.ask('TXT', record.name);
  return { record, ...judgeText(said, { version: 'TLSRPTv1', what: 'TLS report', judge }) };

  /** The domain may choose any address for the reports. */
  function judge(tags: ReadonlyMap<string, string>): Finding {
    if (/^(?:mailto|https):/i.test(tags.get('rua') ?? '')) return found;
    return { state: 'waiting', details: 'The record names no address for the reports.' };
  }
}

interface TextRule {
  version: string;
  /** The name of such records in a sentence. */
  what: string;
  judge: (tags: ReadonlyMap<string, string>) => Finding;
}

function judgeText(said: Said<string>, { version, what, judge }: TextRule): Finding {
  if (said.kind === 'unanswered') return silent(said);
  const records = recordsOf(said).filter(({ value }) => value.split(';')[0]?.trim() === `v=${version}`);
  const [first] = records;
  if (!first) return missing;
  return records.length > 1 ? several(what) : judge(tagsOf(first.value));
}

async function serviceExtra(questions: Questions, name: string, wanted: Service): Promise<Extra> {
  const { priority, weight, port, target } = wanted;
  const record = { type: 'SRV', name, content: `${priority} ${weight} ${port} ${target}.` };
  const said = await questions.ask('SRV', name);
  if (said.kind === 'unanswered') return { record, ...silent(said) };
  const [first, ...others] = recordsOf(said).map(({ value }) => value);
  if (!first) return { record, ...missing };
  const isWanted = (one: Service): boolean => one.target === target && (target === '' || one.port === port);
  const wrong = [first, ...others].find((one) => !isWanted(one));
  if (!wrong) return { record, ...found };
  const details = `The DNS has ${wrong.target || 'no server'}${wrong.target ? ` at port ${wrong.port}` : ''}. Change the record.`;
  return { record, state: 'waiting', details };
}
