import { authenticate } from 'mailauth';
import { spf, type SPFResult } from 'mailauth/lib/spf/index.js';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import { domainOf } from './address-rules.ts';
import { type AuthenticationResolver, withBearableKeys } from './bearable-keys.ts';
import { searchForHeaderEnd } from './find-header-end.ts';
import { foldPart } from './fold-part.ts';

/** The result for one DKIM signature. */
export interface DkimResult {
  result: string;
  domain: string;
  selector: string;
  /**
   * Whether it signs the two fields of a one-click unsubscription (RFC 8058 4). Missing in old
   * rows.
   */
  coversOneClick?: boolean;
}

/** The results of SPF, DKIM, DMARC and ARC for a message, in the result words of RFC 8601. */
export interface AuthenticationResults {
  spf: { result: string; domain: string | null };
  /** One entry for each signature. */
  dkim: DkimResult[];
  dmarc: { result: string; policy: 'none' | 'quarantine' | 'reject' | null; domain: string | null };
  arc: { result: string } | null;
  /** The Authentication-Results field, folded, with its final CRLF. */
  header: string;
  /**
   * Whether a later try may have another result, since DNS gave no answer for a check that may let
   * DMARC pass. Failures of domains other than the author's do not count, since a forger chooses
   * those.
   */
  temporaryFailure: boolean;
}

/** The connection that brought the message, and the host that received it. */
export interface AuthenticationInput {
  ip: string;
  helo: string;
  /** Envelope sender, '' for the null sender. */
  mailFrom: string;
  /** Name of this host: the authserv-id of the header. */
  mta: string;
  resolver: AuthenticationResolver;
  /** The most time for all checks together; `mostTimeMs` unless given. */
  timeoutMs?: number;
}

export const mostTimeMs = 20_000;

searchForHeaderEnd();

type MailauthResults = Awaited<ReturnType<typeof authenticate>>;
type Signature = MailauthResults['dkim']['results'][number];

/**
 * Checks SPF, DKIM, DMARC and ARC. Never throws because of a message or of DNS; such problems give
 * the result `temperror`.
 */
export async function authenticateMessage(raw: Buffer, input: AuthenticationInput): Promise<AuthenticationResults> {
  try {
    return presentResults(await withDeadline(runChecks(raw, input), input.timeoutMs ?? mostTimeMs), input);
  } catch (error) {
    // mailauth returns a result for every expected case; an error says nothing about the sender
    log.warn('a message could not be authenticated', { error });
    return { ...unknownResults(input), dmarc: await policyAlone(raw, input) };
  }
}

/**
 * Asks the DNS what `authenticateMessage` will ask, as far as that is known without reading the
 * body and the fields that an attacker can make costly to read.
 */
export async function askAhead(raw: Buffer, input: AuthenticationInput): Promise<void> {
  const author = Buffer.from(authorOf(raw), 'latin1');
  await Promise.allSettled([
    check(author, input, () => false),
    readPolicy(author, input),
    ...keyNames(raw).map((name) => input.resolver(name, 'TXT')),
  ]);
}

/**
 * The results of a message when some questions had no answer in time. Such an answer might have let
 * DMARC pass, so the message has not failed.
 */
export function undecided(results: AuthenticationResults, input: Omit<AuthenticationInput, 'resolver'>) {
  if (results.dmarc.result !== 'fail') return results;
  return { ...unknownResults(input), dmarc: { ...results.dmarc, result: 'temperror' } };
}

const policyTimeoutMs = 5000;

/**
 * Reads the DMARC policy of the author's domain when the other checks were not finished in time.
 * The slow domains may belong to the sender. Without this, such a sender could pass as any author.
 */
async function policyAlone(raw: Buffer, input: AuthenticationInput): Promise<AuthenticationResults['dmarc']> {
  try {
    const checking = readPolicy(Buffer.from(authorOf(raw), 'latin1'), input);
    return {
      ...presentDmarc(await withDeadline(checking, Math.min(policyTimeoutMs, input.timeoutMs ?? policyTimeoutMs))),
      result: 'temperror',
    };
  } catch (error) {
    log.warn('the policy of a domain could not be read', { error });
    return { result: 'temperror', policy: null, domain: null };
  }
}

/** Checks a header that has nothing but the From field. */
async function readPolicy(author: Buffer, { mta, resolver }: AuthenticationInput): Promise<MailauthResults> {
  return await authenticate(author, { mta, resolver, trustReceived: false, disableBimi: true });
}

/** A header that has the From field alone. */
function authorOf(raw: Buffer): string {
  return `${fieldsOf(raw, /^from[ \t]*:/i).join('')}\r\n`;
}

/** A message with more signatures than this has some of its keys asked for later. */
const mostAhead = 20;
/** No key name is read beyond this much of a signature. */
const readOfSignature = 4096;

/** The names of the keys of a message's signatures. */
function keyNames(raw: Buffer): string[] {
  const signatures = fieldsOf(raw, /^(?:dkim-signature|arc-(?:seal|message-signature))[ \t]*:/i);
  const names = signatures.slice(0, mostAhead).flatMap((field) => {
    const read = field.slice(0, readOfSignature);
    const [domain, selector] = ['d', 's'].map((tag) => new RegExp(`[:;]\\s*${tag}\\s*=\\s*([^\\s;]+)`).exec(read)?.[1]);
    return domain && selector ? [`${selector}._domainkey.${domain}`] : [];
  });
  return [...new Set(names)];
}

function fieldsOf(raw: Buffer, name: RegExp): string[] {
  const end = raw.indexOf('\r\n\r\n');
  const fields = splitFields(raw.toString('latin1', 0, end < 0 ? raw.length : end + 2));
  return fields.filter((field) => name.test(field));
}

/**
 * A signature may cover only the beginning of a body (RFC 6376 8.2): an attacker can add text to
 * such a message, and readers see it. So such a signature counts only if it covers the whole body.
 */
async function runChecks(raw: Buffer, input: AuthenticationInput): Promise<MailauthResults> {
  const checked = await check(raw, input, isOneOfFirst());
  const partial = (checked.dkim?.results ?? []).filter(({ status }) => status.result === 'pass' && status.underSized);
  if (partial.length === 0) return checked;
  const isFirst = isOneOfFirst();
  const whole = await check(raw, input, (field) => isFirst(field) && !/[:;]\s*l\s*=/i.test(field));
  const results = checked.dkim.results.map((one) => (partial.includes(one) ? byPolicy(one) : one));
  return { ...whole, dkim: { ...whole.dkim, results } };
}

function byPolicy(signature: Signature): Signature {
  const { status, info = '' } = signature;
  const result = 'policy' as const;
  return { ...signature, status: { ...status, result }, info: info.replace(/^dkim=pass/, 'dkim=policy') };
}

/**
 * The most signatures that are checked. No legitimate message has more, and each costs a DNS
 * look-up and a hash of the body.
 */
const mostSignatures = 10;

/** Accepts the first signatures that it is called for, and rejects the others (RFC 6376 6.1). */
function isOneOfFirst(): (field: string) => boolean {
  let seen = 0;
  return () => ++seen <= mostSignatures;
}

async function check(
  raw: Buffer,
  input: AuthenticationInput,
  takes: (signature: string) => boolean,
): Promise<MailauthResults> {
  const checked = await authenticate(signedPart(raw, takes), {
    ip: input.ip,
    helo: input.helo,
    sender: input.mailFrom,
    mta: input.mta,
    resolver: withBearableKeys(input.resolver),
    // RFC 8301 3.1: rsa-sha1 must not be accepted
    rejectRsaSha1: true,
    trustReceived: false,
    disableBimi: true,
  });
  return { ...checked, spf: await strictSpf(checked.spf, input) };
}

/**
 * The result of SPF according to RFC 7208. mailauth reads a record only as far as it needs it, and
 * treats an unusual name made by a macro as an error of the record. If that may have mattered, the
 * record is evaluated again in strict mode. DMARC keeps the first result: a sender that a record
 * names before its typing error is no forger.
 */
async function strictSpf(lenient: SPFResult | false, input: AuthenticationInput): Promise<SPFResult | false> {
  if (!lenient || !isDoubtful(lenient)) return lenient;
  const { ip, mailFrom: sender, mta, resolver } = input;
  return await spf({ ip, sender, mta, resolver, helo: lenient.helo ?? input.helo, strict: true });
}

/**
 * Whether strict evaluation might give another result. Warnings about void look-ups are ignored:
 * RFC 7208 4.6.4 counts a missing IPv6 address as a void look-up. mailauth does not if the host has
 * an IPv4 address, so that legitimate records stay within the limit.
 */
function isDoubtful({ status, warnings = [] }: SPFResult): boolean {
  return status.result === 'permerror' || warnings.some((word) => word !== 'void-lookup-limit');
}

/**
 * The part of a message that must be checked. Only signatures (DKIM, ARC) cover the body, so a
 * message without one is checked by its header alone. Signatures that `takes` rejects are left out.
 */
function signedPart(raw: Buffer, takes: (signature: string) => boolean): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  if (end < 0) return raw;
  const header = raw.toString('latin1', 0, end + 2);
  const isSigned = /^(?:dkim-signature|arc-[\w-]+)[ \t]*:/im.test(header);
  if (!isSigned) return raw.subarray(0, end + 4);
  const fields = splitFields(header);
  const kept = fields.filter((field) => !/^dkim-signature[ \t]*:/i.test(field) || takes(field));
  if (kept.length === fields.length) return raw;
  return Buffer.concat([Buffer.from(kept.join(''), 'latin1'), raw.subarray(end + 2)]);
}

function presentResults(checked: MailauthResults, input: AuthenticationInput): AuthenticationResults {
  const spf = {
    result: checked.spf ? checked.spf.status.result : 'none',
    domain: (checked.spf && checked.spf.domain) || null,
  };
  const dkim = (checked.dkim?.results ?? [])
    .filter((signature) => signature.signingDomain)
    .map((signature) => ({
      result: signature.status.result,
      domain: signature.signingDomain ?? '',
      selector: signature.selector ?? '',
      coversOneClick: coversOneClick(signature.signingHeaders?.keys ?? ''),
    }));
  const dmarc = presentDmarc(checked);
  const arc = checked.arc && checked.arc.status.result !== 'none' ? { result: checked.arc.status.result } : null;
  // RFC 9989 4.10.2: only the author's organizational domain and its subdomains can align
  const isOpen = ({ result, domain }: { result: string; domain: string | null }): boolean =>
    isTemporary(result) && dmarc.domain !== null && isWithin(domain ?? '', dmarc.domain);
  return {
    spf,
    dkim,
    dmarc,
    arc,
    header: resultsField(input.mta, checked),
    temporaryFailure: isTemporary(dmarc.result) || [spf, ...dkim].some(isOpen),
  };
}

function isTemporary(result: string): boolean {
  return result === 'temperror' || result === 'temperr';
}

function isWithin(domain: string, outer: string): boolean {
  return `.${domain}`.toLowerCase().endsWith(`.${outer.toLowerCase()}`);
}

/** @param keys the signed fields that exist in the message, as mailauth joins them */
function coversOneClick(keys: string): boolean {
  const signed = new Set(keys.toLowerCase().split(/[\s:]+/));
  return signed.has('list-unsubscribe') && signed.has('list-unsubscribe-post');
}

function presentDmarc(checked: MailauthResults): AuthenticationResults['dmarc'] {
  const dmarc = checked.dmarc;
  if (!dmarc) return { result: 'none', policy: null, domain: null };
  const policy = String(dmarc.policy ?? '');
  return {
    result: dmarc.status.result,
    policy: policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null,
    domain: dmarc.domain || null,
  };
}

function unknownResults(input: Omit<AuthenticationInput, 'resolver'>): AuthenticationResults {
  const sender = input.mailFrom.includes('@') ? domainOf(input.mailFrom) : input.helo;
  return {
    spf: { result: 'temperror', domain: sender || null },
    dkim: [],
    dmarc: { result: 'temperror', policy: null, domain: null },
    arc: null,
    header: `Authentication-Results: ${input.mta};\r\n spf=temperror;\r\n dkim=temperror;\r\n dmarc=temperror\r\n`,
    temporaryFailure: true,
  };
}

function resultsField(mta: string, { dkim, spf: checkedSpf, arc, dmarc }: MailauthResults): string {
  const parts = [...(dkim?.results ?? []), checkedSpf, arc, dmarc].flatMap((part) => (part && part.info) || []);
  return `Authentication-Results: ${[mta, ...parts.map(foldPart)].join(';\r\n ')}\r\n`;
}

/** Splits a header block into its fields, each with its continuation lines and line endings. */
function splitFields(block: string): string[] {
  const fields: string[] = [];
  let start = 0;
  for (let end = block.indexOf('\n'); end >= 0; end = block.indexOf('\n', end + 1)) {
    const next = block[end + 1];
    if (next === ' ' || next === '\t') continue;
    fields.push(block.slice(start, end + 1));
    start = end + 1;
  }
  if (start < block.length) fields.push(block.slice(start));
  return fields;
}
