import { createPublicKey } from 'node:crypto';
import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { dkimRecord } from '../mail/dkim-key-pair.ts';
import { type Found, firstError, markedText, noAnswer, problemsOf } from './found.ts';
import { failureOf, type Questions, recordsOf } from './questions.ts';
import { tagsOf } from './record-tags.ts';

type Dkim = DnsCheck['dkim'];
type DkimRecord = Dkim['records'][number];

const problem = problemsOf('dkim');

/** A key that this host has for the domain. */
export interface OwnKey {
  selector: string;
  /** Base64 of the SubjectPublicKeyInfo. */
  publicKey: string;
  /** Mail is signed with the newest key that is active. */
  isActive: boolean;
  /** Its record may be missing: no mail that it signed is on its way any more. */
  isRetired?: boolean;
}

const leastBits = 1024;

/**
 * Checks the DKIM records of a domain (RFC 6376): the DNS has the key that this host signs with,
 * and receivers can use every record that is there.
 */
export async function checkDkim(
  questions: Questions,
  { domain, selectors, keys }: { domain: string; selectors: readonly string[]; keys: readonly OwnKey[] },
): Promise<Found<Dkim>> {
  const signing = keys.findLast(({ isActive }) => isActive);
  const all = [...new Set([...keys.map(({ selector }) => selector), ...selectors])];
  const looked = await Promise.all(
    all.map((selector) => {
      const key = keys.find((one) => one.selector === selector);
      return lookAt(questions, { domain, selector, key, isSigning: key !== undefined && key === signing });
    }),
  );
  const records = looked.map(({ record }) => record);
  const problems = [
    ...looked.flatMap(({ problems: own }) => own),
    ...(signing
      ? []
      : [problem(`This host has no key for ${domain} yet, so its mail leaves without a signature.`, null)]),
  ];
  const found = records.filter(({ txt }) => txt !== null);
  const isOurs =
    signing !== undefined && records.some(({ selector, is_ours }) => selector === signing.selector && is_ours);
  const details = firstError(problems) ?? 'Receivers can check the signatures of this host.';
  const part = {
    found: found.length > 0,
    valid: isOurs && problems.every(({ level }) => level !== 'error'),
    ttl: found[0]?.ttl ?? null,
    details,
    selectors: all,
    records,
  };
  const isUnanswered = looked.some((one) => one.isUnanswered && one.record.selector === signing?.selector);
  return { part, problems, isUnanswered, isUnsure: isUnanswered };
}

async function lookAt(
  questions: Questions,
  {
    domain,
    selector,
    key,
    isSigning,
  }: { domain: string; selector: string; key: OwnKey | undefined; isSigning: boolean },
): Promise<{ record: DkimRecord; problems: DnsProblem[]; isUnanswered: boolean }> {
  const name = `${selector}._domainkey.${domain}`;
  const said = await questions.ask('TXT', name);
  const [first, second] = recordsOf(said).filter(({ value }) => /(?:^|;)\s*p\s*=/i.test(value));
  const fix = key ? { type: 'TXT', name, content: dkimRecord(key.publicKey) } : null;
  // A key that waits to be used, or was used before, may be missing
  const level = isSigning ? 'error' : 'warning';
  if (!first) {
    const isUnanswered = said.kind === 'unanswered';
    const details = isUnanswered ? noAnswer(failureOf(said)) : `There is no DKIM record at ${name}.`;
    const record = { selector, ttl: null, txt: null, details, is_ours: false, tags: shownTags('') };
    const isMissed = key?.isRetired !== true;
    const problems = isMissed ? [problem(details, isUnanswered ? null : fix, level)] : [];
    return { record, problems, isUnanswered };
  }
  const text = faultOf(first.value, key) ?? (second ? `There are several DKIM records at ${name}.` : null);
  const record = {
    selector,
    ttl: first.ttl,
    txt: first.value.slice(0, 4096),
    details: text ?? `The record is good: ${strengthOf(first.value)}.`,
    is_ours: key !== undefined && keyIn(first.value) === key.publicKey,
    tags: shownTags(first.value),
  };
  const problems = text === null ? [] : [problem(`${name}: ${text}`, fix, level)];
  return { record, problems, isUnanswered: false };
}

const keyIn = (record: string): string => (tagsOf(record).get('p') ?? '').replaceAll(/\s/g, '');

/** What is wrong with a record; null when it is good. */
function faultOf(record: string, key: OwnKey | undefined): string | null {
  // Within a record, a note (“n=”) may have quotation marks
  if (/^\s*"|\\;/.test(record)) return markedText('DKIM');
  const tags = tagsOf(record);
  const found = keyIn(record);
  if (found === '') return 'The key was taken back: “p” is empty.';
  if ((tags.get('v') ?? 'DKIM1').toUpperCase() !== 'DKIM1') return 'The record is of an unknown version.';
  if (key && found !== key.publicKey) return 'The record has another key than the one that this host signs with.';
  if ((tags.get('k') ?? 'rsa').toLowerCase() !== 'rsa') return null;
  const bits = bitsOf(found);
  if (bits === null) return 'The key can’t be read.';
  return bits < leastBits ? `The key has ${bits} bits, and receivers want ${leastBits} at least.` : null;
}

/** The kind of a key, and how long it is. */
function strengthOf(record: string): string {
  const kind = (tagsOf(record).get('k') ?? 'rsa').toLowerCase();
  return kind === 'rsa' ? `RSA, ${bitsOf(keyIn(record)) ?? 0} bits` : kind;
}

function bitsOf(base64: string): number | null {
  // No key is longer than this, but a record may be
  if (base64.length > 8192) return null;
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.modulusLength ?? null;
  } catch {
    return null;
  }
}

function shownTags(record: string): DkimRecord['tags'] {
  const tags = tagsOf(record);
  const shown = (name: string) => tags.get(name)?.slice(0, 4096) ?? null;
  return { v: shown('v'), h: shown('h'), k: shown('k'), p: shown('p') };
}
