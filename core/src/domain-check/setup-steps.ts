import type { WatchedPart } from '../contracts/domain-guard.ts';
import { type SetupExtra, type SetupStep, setupStepNames } from '../contracts/setup-guide.ts';
import type { Ctx } from '../context/context.ts';
import { isProof, proofOf, sayMissing } from '../directory/domain-proof.ts';
import { dkimRecord } from '../mail/dkim-key-pair.ts';
import type { Domain } from '../models/domain.ts';
import { checkDomain, type Examined } from './check-domain.ts';
import type { OwnKey } from './check-dkim.ts';
import { readExtras } from './extra-records.ts';
import { noAnswer } from './found.ts';
import { Questions, recordsOf } from './questions.ts';

type Step = Omit<SetupStep, 'number' | 'name'>;
type DnsRecord = NonNullable<SetupStep['record']>;

/** The steps from a domain to mail that arrives, and what is recommended beyond them. */
export interface Setup {
  steps: SetupStep[];
  extras: SetupExtra[];
  /** The check that the steps follow from. */
  examined: Examined;
}

/**
 * Reads what is to be done for a domain: each step with its record, and whether the DNS has that
 * already. All questions are asked at the same time, and none twice.
 */
export async function readSetup(ctx: Ctx, domain: Domain): Promise<Setup> {
  const { config } = ctx.app;
  const questions = new Questions(config.dnsServers);
  const [examined, extras, proof] = await Promise.all([
    checkDomain(ctx, domain, { questions }),
    readExtras(questions, domain.domainName, config),
    proofStep(ctx, domain, questions),
  ]);
  return { steps: stepsOf(ctx, domain, examined, proof), extras, examined };
}

function stepsOf(ctx: Ctx, domain: Domain, examined: Examined, proof: Step): SetupStep[] {
  const { check, keys, hostAddresses } = examined;
  const host = ctx.app.config.hostname;
  const name = domain.domainName;
  const steps: Record<SetupStep['name'], Step> = {
    add: { state: 'done', record: null, details: 'The domain is added.' },
    prove: proof,
    a: addressStep(host, hostAddresses),
    mx: partStep(examined, 'mx', { type: 'MX', name, content: `10 ${host}.` }),
    spf: partStep(examined, 'spf', textRecord(name, check.spf.record)),
    dkim: partStep(examined, 'dkim', signingRecord(name, keys)),
    dmarc: partStep(examined, 'dmarc', textRecord(check.dmarc.recordName, check.dmarc.record)),
  };
  return setupStepNames.map((step, index) => ({ number: index + 1, name: step, ...steps[step] }));
}

/**
 * The step that proves the domain. The caller has already checked for the proof. This only says
 * which other text the DNS has in its place.
 */
async function proofStep(ctx: Ctx, domain: Domain, questions: Questions): Promise<Step> {
  if (domain.verifiedAt) return { state: 'done', record: null, details: 'The domain is verified.' };
  const record = { type: 'TXT', ...proofOf(ctx.app, domain) };
  const said = await questions.ask('TXT', record.name);
  if (said.kind === 'unanswered') return { state: 'unknown', record, details: noAnswer(said.failure) };
  const others = recordsOf(said).map(({ value }) => value);
  const isThere = others.some((text) => isProof(text, record.content));
  const details = isThere || others.length === 0 ? 'The domain is not verified yet.' : sayMissing(record.name, others);
  return { state: 'waiting', record, details };
}

/** The name that MX records lead to is the provider's, and the same for all domains. */
function addressStep(host: string, addresses: readonly string[]): Step {
  const [address] = addresses;
  if (address === undefined) {
    return { state: 'waiting', record: null, details: `${host} has no address in the DNS. The provider adds it.` };
  }
  const type = address.includes(':') ? 'AAAA' : 'A';
  const record = { type, name: host, content: address };
  return { state: 'done', record, details: `${host} leads to ${addresses.join(', ')}.` };
}

/**
 * The step of one part. The record that the check proposes takes precedence, since it merges an SPF
 * record that is there already and never doubles it.
 */
function partStep({ check, unanswered }: Examined, part: WatchedPart, usual: DnsRecord | null): Step {
  const { valid, details } = check[part];
  const mends = check.problems.filter((problem) => problem.part === part && problem.record);
  // A warning may be of an old key, whose record is not needed
  const wanted = (mends.find(({ level }) => level === 'error') ?? mends[0])?.record;
  // A record that is there but broken must not be added a second time
  const record = wanted ?? (check[part].found ? null : usual);
  if (valid) return { state: 'done', record: usual, details };
  return { state: unanswered.has(part) ? 'unknown' : 'waiting', record, details };
}

function textRecord(name: string | null, content: string | null): DnsRecord | null {
  return name === null || content === null ? null : { type: 'TXT', name, content };
}

/** The record of the key that mail is signed with; null while it is being made. */
function signingRecord(domain: string, keys: readonly OwnKey[]): DnsRecord | null {
  const key = keys.findLast(({ isActive }) => isActive);
  return key ? { type: 'TXT', name: `${key.selector}._domainkey.${domain}`, content: dkimRecord(key.publicKey) } : null;
}

const mostOfString = 255;

/**
 * The records of the guide as a zone file (RFC 1035 5.1), for the people who keep the DNS: those
 * that are to be added or changed, and as comments those of what is done already.
 */
export function zoneFileOf(domain: string, { steps, extras, examined }: Setup): string {
  // The A record of the host is the provider's to set
  const lines = [...steps.filter(({ name }) => name !== 'a'), ...extras].flatMap(({ name, state, record }) => {
    if (record === null) return [];
    const line = zoneLineOf(record);
    if (state === 'done') return [`; done: ${line}`];
    return isReplacing(name, record, examined)
      ? [`; in place of the ${name.toUpperCase()} record that is there`, line]
      : [line];
  });
  return [`; Records for mail of ${domain}`, ...lines, ''].join('\n');
}

function zoneLineOf({ type, name, content }: DnsRecord): string {
  return `${name}.\t3600\tIN\t${type}\t${type === 'TXT' ? stringsOf(content) : content}`;
}

/** Whether the DNS has a record of the same kind, whose place the new one takes. */
function isReplacing(step: string, { name }: DnsRecord, { check: { mx, spf, dkim, dmarc } }: Examined): boolean {
  switch (step) {
    case 'mx':
      return mx.found;
    case 'spf':
      return spf.found;
    case 'dkim':
      return dkim.records.some(({ selector, txt }) => txt !== null && name.startsWith(`${selector}._domainkey.`));
    case 'dmarc':
      return dmarc.recordName === name;
    default:
      return false;
  }
}

/** RFC 1035 3.3.14: a TXT record has strings of at most 255 bytes. */
function stringsOf(text: string): string {
  const pieces = text.match(new RegExp(`.{1,${mostOfString}}`, 'g')) ?? [''];
  return pieces.map((piece) => `"${piece.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(' ');
}
