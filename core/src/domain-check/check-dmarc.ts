import { parse } from 'tldts';
import type { DnsCheck } from '../contracts/domain-check.ts';
import { type Found, firstError, noAnswer, problemsOf } from './found.ts';
import { type Questions, recordsOf, type Said } from './questions.ts';
import { tagsOf } from './record-tags.ts';

type Dmarc = DnsCheck['dmarc'];

const problem = problemsOf('dmarc');

const isDmarc = (text: string): boolean => /^v=DMARC1\s*(?:;|$)/i.test(text);
const policies = new Set(['none', 'quarantine', 'reject']);

/**
 * Judges the DMARC record of a domain (RFC 7489): of its own, or of the registered domain that it
 * is below.
 */
export async function checkDmarc(questions: Questions, domain: string): Promise<Found<Dmarc>> {
  const own = await questions.ask('TXT', `_dmarc.${domain}`);
  const organisation = parse(domain, { allowPrivateDomains: false }).domain ?? domain;
  const isBelow = organisation !== domain && recordsOf(own).every(({ value }) => !isDmarc(value));
  const said = isBelow ? await questions.ask('TXT', `_dmarc.${organisation}`) : own;
  return judge(said, { domain, at: isBelow ? organisation : domain });
}

function judge(said: Said<string>, { domain, at }: { domain: string; at: string }): Found<Dmarc> {
  const records = recordsOf(said).filter(({ value }) => isDmarc(value));
  const fix = {
    type: 'TXT',
    name: `_dmarc.${domain}`,
    content: `v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`,
  };
  const [first] = records;
  const tags = tagsOf(first?.value ?? '');
  const shown = {
    v: tags.get('v') ?? null,
    p: tags.get('p') ?? null,
    rua: tags.get('rua') ?? null,
    ruf: tags.get('ruf') ?? null,
  };
  if (!first) {
    const isUnanswered = said.kind === 'unanswered';
    const details = isUnanswered ? noAnswer : 'There is no DMARC record.';
    const part = {
      found: false,
      valid: false,
      ttl: null,
      details,
      multipleRecords: false,
      record: null,
      tags: shown,
      alignment: alignmentOf(tags),
    };
    const text = `${details} Receivers don’t know what to do with forged mail of ${domain}.`;
    return {
      part,
      problems: [problem(isUnanswered ? details : text, isUnanswered ? null : fix)],
      isUnanswered,
      isUnsure: isUnanswered,
    };
  }
  // RFC 7489 6.3: a domain below has a policy of its own
  const inherited = at === domain ? undefined : tags.get('sp');
  const policy = (inherited ?? tags.get('p') ?? '').toLowerCase();
  const problems = [
    ...(records.length > 1
      ? [problem(severalText(records.length), { ...fix, content: strictestOf(records.map(({ value }) => value)) })]
      : []),
    ...(policies.has(policy)
      ? []
      : [problem('The DMARC record has no policy: “p” must be none, quarantine or reject.', fix)]),
    ...(policy === 'none'
      ? [problem('The DMARC policy is none, so forged mail is delivered all the same.', fix, 'warning')]
      : []),
  ];
  const errors = problems.filter(({ level }) => level === 'error');
  const details =
    firstError(problems) ?? `Forged mail is dealt with by the policy ${policy}${at === domain ? '' : ` of ${at}`}.`;
  const part = {
    found: true,
    valid: errors.length === 0,
    ttl: first.ttl,
    details,
    multipleRecords: records.length > 1,
    record: first.value,
    tags: shown,
    alignment: alignmentOf(tags),
  };
  return { part, problems, isUnanswered: false, isUnsure: false };
}

const severalText = (count: number): string =>
  `There are ${count} DMARC records, and receivers then use none. Delete the others.`;

const strictness = ['reject', 'quarantine', 'none'];

/** Of several records, the one that does the most against forged mail. */
function strictestOf(records: readonly string[]): string {
  const rank = (record: string): number => {
    const place = strictness.indexOf((tagsOf(record).get('p') ?? '').toLowerCase());
    return place < 0 ? strictness.length : place;
  };
  return records.toSorted((one, two) => rank(one) - rank(two))[0] ?? '';
}

/** RFC 7489 6.3: relaxed unless the record says strict. */
function alignmentOf(tags: ReadonlyMap<string, string>): Dmarc['alignment'] {
  const of = (name: string) => (tags.get(name)?.toLowerCase() === 's' ? ('strict' as const) : ('relaxed' as const));
  return { dkim: of('adkim'), spf: of('aspf') };
}
