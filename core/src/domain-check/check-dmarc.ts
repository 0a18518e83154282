import { parse } from 'tldts';
import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { type Found, firstError, markedText, noAnswer, problemsOf, unmarked } from './found.ts';
import { failureOf, type Questions, recordsOf, type Said } from './questions.ts';
import { tagsOf } from './record-tags.ts';

type Dmarc = DnsCheck['dmarc'];

const problem = problemsOf('dmarc');

/** RFC 7489 6.3: receivers ignore a record whose version is written in another way. */
const isDmarc = (text: string): boolean => /^[vV]\s*=\s*DMARC1\s*(?:;|$)/.test(text);
const isMiswritten = (text: string): boolean => !isDmarc(text) && /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text);

/**
 * Checks the DMARC record of a domain (RFC 7489): its own or, where its name servers say that it
 * has none, that of the registered domain above it.
 */
export async function checkDmarc(questions: Questions, domain: string): Promise<Found<Dmarc>> {
  const own = await questions.ask('TXT', nameOf(domain));
  if (own.kind === 'unanswered') return judgeMissing(own, domain);
  const organisation = parse(domain, { allowPrivateDomains: false }).domain ?? domain;
  const isBelow = organisation !== domain && recordsOf(own).every(({ value }) => !isDmarc(value));
  const said = isBelow ? await questions.ask('TXT', nameOf(organisation)) : own;
  return judge(said, { domain, at: isBelow ? organisation : domain });
}

const nameOf = (domain: string): string => `_dmarc.${domain}`;

/**
 * A domain, and the domain that has its DMARC record: the same one, or the registered one above.
 */
interface Place {
  domain: string;
  at: string;
}

function judge(said: Said<string>, place: Place): Found<Dmarc> {
  const values = recordsOf(said).filter(({ value }) => isDmarc(value));
  const [first] = values.length > 0 ? values : recordsOf(said).filter(({ value }) => isMiswritten(value));
  if (!first) return judgeMissing(said, place.domain);
  const records = values.map(({ value }) => value);
  const problems = problemsOfRecords(records.length > 0 ? records : [first.value], place);
  const tags = tagsOf(first.value);
  const part = {
    found: true,
    valid: problems.every(({ level }) => level === 'warning'),
    ttl: first.ttl,
    details: firstError(problems) ?? treatmentText(tags, place),
    multipleRecords: records.length > 1,
    record: first.value,
    recordName: nameOf(place.at),
    tags: shownTags(tags),
    alignment: alignmentOf(tags),
  };
  return { part, problems, isUnanswered: false, isUnsure: false };
}

function judgeMissing(said: Said<string>, domain: string): Found<Dmarc> {
  const isUnanswered = said.kind === 'unanswered';
  const marked = recordsOf(said).find(({ value }) => isDmarc(unmarked(value)));
  const details = isUnanswered ? noAnswer(failureOf(said)) : marked ? markedText('DMARC') : 'There is no DMARC record.';
  const none: ReadonlyMap<string, string> = new Map();
  const part = {
    found: false,
    valid: false,
    ttl: null,
    details,
    multipleRecords: false,
    record: null,
    recordName: null,
    tags: shownTags(none),
    alignment: alignmentOf(none),
  };
  const text = `${details} Receivers don’t know what to do with forged mail of ${domain}.`;
  const content = marked ? unmarked(marked.value) : `v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`;
  return {
    part,
    problems: [isUnanswered ? problem(details, null) : problem(marked ? details : text, recordAt(domain, content))],
    isUnanswered,
    isUnsure: isUnanswered,
  };
}

/** RFC 7489 6.3: `sp` is the policy for the domains below the one that has the record. */
function policyOf(tags: ReadonlyMap<string, string>, { domain, at }: Place): string {
  const inherited = at === domain ? undefined : tags.get('sp');
  return (inherited ?? tags.get('p') ?? '').toLowerCase();
}

function problemsOfRecords(records: readonly string[], place: Place): DnsProblem[] {
  const [first = '', second] = records;
  const tags = tagsOf(first);
  const policy = policyOf(tags, place);
  const best = second === undefined ? first : strictestOf(records);
  const fix = recordAt(place.domain, advisedFor(best, place));
  const isMilder = policies.indexOf(policy) > 0 && (shareOf(tags) === 0 || isTest(tags));
  const invalid = ['sp', 'np'].filter((name) => isInvalidPolicy(tags.get(name)));
  const doubled = doubledTagsOf(first);
  return [
    ...(second === undefined ? [] : [problem(severalText(records.length), recordAt(place.domain, best))]),
    ...(isDmarc(first) ? [] : [problem(miswrittenText(tags.get('v') ?? ''), fix)]),
    ...(policies.includes(policy) || invalid.length > 0
      ? []
      : [problem('The DMARC record has no policy: “p” must be none, quarantine or reject.', fix)]),
    ...(invalid.length > 0 ? [problem(invalidText(invalid), fix)] : []),
    ...(doubled.length > 0 ? [problem(doubledText(doubled), fix)] : []),
    ...(policy === 'none'
      ? [problem('The DMARC policy is none, so forged mail is delivered all the same.', fix, 'warning')]
      : []),
    ...(isMilder ? [problem(treatmentText(tags, place), fix, 'warning')] : []),
  ];
}

const recordAt = (domain: string, content: string): DnsProblem['record'] => {
  return { type: 'TXT', name: nameOf(domain), content };
};

const severalText = (count: number): string =>
  `There are ${count} DMARC records, and receivers then use none. Delete the others.`;

const miswrittenText = (version: string): string =>
  `The DMARC record begins with v=${version}, so receivers ignore it. Write it as v=DMARC1, in capitals.`;

/** From the mildest to the strictest. */
const policies = ['none', 'quarantine', 'reject'];

/** RFC 7489 6.6.3: a receiver that finds one uses no policy, or none of the record. */
const isInvalidPolicy = (value: string | undefined): boolean =>
  value !== undefined && !policies.includes(value.toLowerCase());

const invalidText = (names: readonly string[]): string =>
  `The DMARC record has “${names.join('” and “')}” with another value than none, quarantine or reject. ` +
  'Receivers then use no policy at all.';

/** The names that a record has more than once, which makes all of it invalid (RFC 6376 3.2). */
function doubledTagsOf(record: string): string[] {
  const names = piecesOf(record).map(nameOfPiece);
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}

const doubledText = (names: readonly string[]): string =>
  `The DMARC record has “${names.join('” and “')}” more than once. Receivers may ignore all of it.`;

/** RFC 9989 4.7: with `t=y`, a policy is used as the next milder one. */
const isTest = (tags: ReadonlyMap<string, string>): boolean => tags.get('t')?.toLowerCase() === 'y';

/** The percentage of mail that the policy is used for (RFC 7489 6.3). */
function shareOf(tags: ReadonlyMap<string, string>): number {
  const share = /^\d{1,3}$/.test(tags.get('pct') ?? '') ? Number(tags.get('pct')) : 100;
  return share > 100 ? 100 : share;
}

/** What receivers do with forged mail. RFC 7489 6.6.4: the rest is treated one step milder. */
function treatmentText(tags: ReadonlyMap<string, string>, place: Place): string {
  const policy = policyOf(tags, place);
  const share = shareOf(tags);
  const of = place.at === place.domain ? '' : ` of ${place.at}`;
  if (isTest(tags) && policy !== 'none') {
    return `The DMARC record has t=y, so its policy ${policy}${of} is only tested: forged mail is ${milder(policy)}.`;
  }
  if (share === 100 || policy === 'none') return `Forged mail is dealt with by the policy ${policy}${of}.`;
  const newer = 'Newer receivers do not know pct.';
  if (share > 0)
    return `Of forged mail, ${share} % is dealt with by the policy ${policy}${of}, and the rest is ${milder(policy)}. ${newer}`;
  return `The DMARC record has pct=0, so its policy ${policy}${of} is never used: forged mail is ${milder(policy)}. ${newer}`;
}

const milder = (policy: string): string =>
  policy === 'reject' ? 'dealt with by quarantine' : 'delivered all the same';

/**
 * The record with a policy that has an effect; all else that it says stays. RFC 7489 6.4: the
 * policy is the second tag.
 */
function advisedFor(record: string, place: Place): string {
  const tags = tagsOf(record);
  // A record above this domain has the policy in sp, and the domain's own record needs no sp
  const changed = new Set([
    'v',
    'p',
    ...(place.at === place.domain ? [] : ['sp']),
    ...(shareOf(tags) > 0 ? [] : ['pct']),
    ...(isTest(tags) ? ['t'] : []),
    ...['sp', 'np'].filter((name) => isInvalidPolicy(tags.get(name))),
  ]);
  const names = piecesOf(record).map(nameOfPiece);
  const kept = piecesOf(record).filter((_, index) => {
    const name = names[index] ?? '';
    return !changed.has(name) && names.indexOf(name) === index;
  });
  return ['v=DMARC1', `p=${policyOf(tags, place) === 'reject' ? 'reject' : 'quarantine'}`, ...kept].join('; ');
}

const nameOfPiece = (piece: string): string => (piece.split('=')[0] ?? '').trim().toLowerCase();

const piecesOf = (record: string): string[] =>
  record
    .split(';')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/**
 * Of several records the one with the strictest policy. It also gets the report addresses of the
 * others if it has none.
 */
function strictestOf(records: readonly string[]): string {
  const rank = (record: string): number => policies.indexOf((tagsOf(record).get('p') ?? '').toLowerCase());
  const [best = '', ...others] = records.toSorted((one, two) => rank(two) - rank(one));
  const reports = ['rua', 'ruf'].flatMap((name) => {
    const address = others.map((record) => tagsOf(record).get(name)).find((found) => found !== undefined);
    return address === undefined || tagsOf(best).has(name) ? [] : [`${name}=${address}`];
  });
  return reports.length === 0 ? best : [...piecesOf(best), ...reports].join('; ');
}

function shownTags(tags: ReadonlyMap<string, string>): Dmarc['tags'] {
  const shown = (name: string) => tags.get(name) ?? null;
  return { v: shown('v'), p: shown('p'), rua: shown('rua'), ruf: shown('ruf') };
}

/** RFC 7489 6.3: relaxed unless the record says strict. */
function alignmentOf(tags: ReadonlyMap<string, string>): Dmarc['alignment'] {
  const of = (name: string) => (tags.get(name)?.toLowerCase() === 's' ? ('strict' as const) : ('relaxed' as const));
  return { dkim: of('adkim'), spf: of('aspf') };
}
