import { setImmediate } from 'node:timers/promises';
import { spf } from 'mailauth/lib/spf/index.js';
import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { type Found, firstError, markedText, noAnswer, problemsOf, silenceOf, unmarked } from './found.ts';
import { failureOf, type Questions, recordsOf } from './questions.ts';

type Spf = DnsCheck['spf'];

/** A domain, and the host that sends for it. */
export interface Sender {
  domain: string;
  host: string;
  /**
   * Addresses that mail leaves from; null when a smarthost sends it, whose addresses are unknown.
   */
  addresses: readonly string[] | null;
  /** The mechanism that stands for the smarthost, if the operator has named it. */
  relay?: string | null;
}

const problem = problemsOf('spf');

const mostLookups = 10;
const mostVoids = 2;
const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** The record that lets this host send for a domain. */
const wanted = (host: string): string => `v=spf1 mx a:${host} -all`;

/**
 * Judges the SPF record of a domain (RFC 7208): there is one, receivers can evaluate it, and it
 * lets the host of this name send.
 */
export async function checkSpf(questions: Questions, sender: Sender): Promise<Found<Spf>> {
  const { domain, host, addresses, relay } = sender;
  const said = await questions.ask('TXT', domain);
  const records = recordsOf(said).filter(({ value }) => isSpf(value));
  const [first] = records;
  const none = { lookupCount: 0, record: null, mechanisms: [], multipleRecords: false, ttl: null };
  const content = addresses !== null ? wanted(host) : relay ? `v=spf1 ${relay} -all` : null;
  // Which servers a smarthost sends from is known only if the operator has said it
  const fix = content === null ? null : { type: 'TXT', name: domain, content };
  if (!first) {
    const isUnanswered = said.kind === 'unanswered';
    const marked = recordsOf(said).find(({ value }) => isSpf(unmarked(value)));
    const details = isUnanswered ? noAnswer(failureOf(said)) : marked ? markedText('SPF') : 'There is no SPF record.';
    const text = `${details} Receivers can’t tell which servers may send for ${domain}.`;
    const record = marked ? { type: 'TXT', name: domain, content: unmarked(marked.value) } : fix;
    return {
      part: { ...none, found: false, valid: false, details },
      problems: [problem(isUnanswered || marked ? details : text, isUnanswered ? null : record)],
      isUnanswered,
      isUnsure: isUnanswered,
    };
  }
  const walk = await walkRecord(questions, { domain, text: first.value });
  const problems = [
    ...(records.length > 1
      ? [problem(severalText(records.length), severalFix({ ...sender, records: records.map(({ value }) => value) }))]
      : []),
    ...walk.errors.map((text) => problem(text, null)),
    ...(walk.lookups > mostLookups
      ? [problem(`The SPF record needs ${walk.lookups} look-ups, and receivers stop at ${mostLookups}.`, null)]
      : []),
    ...(walk.voids > mostVoids
      ? [problem(`${walk.voids} look-ups of the SPF record find nothing, and receivers stop at ${mostVoids}.`, null)]
      : []),
    ...(walk.allowsAll
      ? [
          problem(
            'The SPF record ends in +all, which lets every server of the world send.',
            closed(domain, first.value),
          ),
        ]
      : []),
  ];
  // A record that receivers can't use says nothing about this host
  const isUsable = problems.length === 0;
  const isOpen = isUsable && (await letsStrangersSend(questions, domain));
  if (isOpen) problems.push(problem(openText, null));
  const judged = isUsable ? await judgeSenders(questions, { domain, host, addresses }) : null;
  if (isUsable) problems.push(...missing(judged, { ...walk, ...sender, record: first.value }));
  const part = {
    found: true,
    valid: problems.every(({ level }) => level === 'warning'),
    multipleRecords: records.length > 1,
    ttl: first.ttl,
    lookupCount: walk.lookups,
    record: first.value,
    details: firstError(problems) ?? `The SPF record lets ${addresses === null ? 'the smarthost' : host} send.`,
    mechanisms: mechanismsOf(first.value).map((one) => ({ ...one, ttl: first.ttl })),
  };
  const isVoidByItself = records.length > 1 || walk.allowsAll || isOpen;
  // While the name of this host has no address, only the operator can mend that
  const isUnsure = !isVoidByItself && (walk.isUnsure || addresses?.length === 0 || isSilent(judged));
  return { part, problems, isUnanswered: isSilent(judged), isUnsure };
}

/** How receivers judge mail from one address of this host. */
interface Judged {
  address: string;
  result: string;
}

const mostAddresses = 4;

/** The SPF result for each address that mail leaves from; null when the addresses are unknown. */
async function judgeSenders(questions: Questions, { domain, host, addresses }: Sender): Promise<Judged[] | null> {
  if (addresses === null) return null;
  const judged: Judged[] = [];
  for (const address of addresses.slice(0, mostAddresses)) {
    judged.push({ address, result: await judgeAddress(questions, { domain, host, address }) });
  }
  return judged;
}

async function judgeAddress(
  questions: Questions,
  { domain, host, address: ip }: { domain: string; host: string; address: string },
): Promise<string> {
  const sender = `postmaster@${domain}`;
  const resolver = (name: string, type: string) => questions.resolve(name, type);
  const { status } = await spf({ sender, ip, helo: host, mta: host, resolver, strict: true });
  // A long record takes tens of milliseconds for each address, without a wait for an answer
  await setImmediate();
  return status.result;
}

const openText =
  'The SPF record lets every server of the world send: by a record that it includes, or by a network of all addresses.';

/** Addresses that no host has (RFC 5737, RFC 3849), so no record means them. */
const strangers = ['198.51.100.1', '2001:db8:ffff::1'];

/** Whether mail from servers that the record can't mean passes. */
async function letsStrangersSend(questions: Questions, domain: string): Promise<boolean> {
  for (const address of strangers) {
    const host = 'stranger.invalid';
    if ((await judgeAddress(questions, { domain, host, address })) === 'pass') return true;
  }
  return false;
}

/** Whether receivers get no result, since name servers that the record leads to did not answer. */
const isSilent = (judged: Judged[] | null): boolean =>
  judged !== null && judged.some(({ result }) => result === 'temperror');

/** The problems of a record that receivers can use, but that does not let this host send. */
function missing(
  judged: Judged[] | null,
  { domain, host, relay, record, lookups }: Sender & { record: string; lookups: number },
): DnsProblem[] {
  if (judged === null && relay) {
    if (mechanismsOf(record).some(({ type, qualifier, value }) => isSame(relay, `${qualifier}${type}:${value}`)))
      return [];
    const text = `The SPF record does not let the smarthost of this host send for ${domain}.`;
    return [problem(text, { type: 'TXT', name: domain, content: merged(record, relay) })];
  }
  if (judged === null) {
    const text = 'Mail leaves by a smarthost. Whether the SPF record lets it send is not known here.';
    return [problem(text, null, 'warning')];
  }
  if (judged.length === 0) return [problem(`${host} has no address in the DNS, so no SPF record can name it.`, null)];
  if (isSilent(judged)) return [problem('Name servers that the SPF record leads to gave no answer.', null)];
  if (judged.some(({ result }) => result === 'permerror')) {
    return [problem('The SPF record can’t be understood by receivers.', null)];
  }
  const refused = judged.filter(({ result }) => result !== 'pass').map(({ address }) => address);
  if (refused.length === 0) return [];
  const text = `The SPF record does not let ${host} (${refused.join(', ')}) send for ${domain}.`;
  // The name would need one look-up too many, so addresses take its place
  const terms =
    lookups < mostLookups ? [`a:${host}`] : refused.map((ip) => `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`);
  return [problem(text, { type: 'TXT', name: domain, content: merged(record, terms.join(' ')) })];
}

const isSame = (relay: string, term: string): boolean => term.toLowerCase() === `+${relay.toLowerCase()}`;

const severalText = (count: number): string =>
  `There are ${count} SPF records, and receivers then use none. Delete them all, and set one.`;

/** One record with the terms of several, which ends as the strictest of them does. */
function severalFix({ domain, host, addresses, relay, records }: Sender & { records: string[] }): DnsProblem['record'] {
  const ends = records
    .flatMap(termsOf)
    .filter(isEnd)
    .map((term) => term.toLowerCase());
  const end = ['-all', '~all', '?all'].find((one) => ends.includes(one)) ?? '-all';
  const own = addresses === null ? relay : `a:${host}`;
  const terms = records.flatMap(sendersOf);
  const needed = own && !terms.includes(own) ? [own] : [];
  const content = [...new Set(['v=spf1', ...terms, ...needed, end])].join(' ');
  return { type: 'TXT', name: domain, content };
}

const termsOf = (record: string): string[] => record.trim().split(/\s+/).slice(1);
const isEnd = (term: string): boolean => /^[-~?+]?all$/i.test(term);

/**
 * The terms by which a record lets servers send. A redirect beside `all` has no effect (RFC 7208
 * 6.1). Any other becomes an include, which lets the same servers send, and which other terms may
 * follow.
 */
function sendersOf(record: string): string[] {
  const terms = termsOf(record);
  const redirect = /^redirect=/i;
  return terms
    .filter((term) => !isEnd(term) && !/^exp=/i.test(term) && !(redirect.test(term) && terms.some(isEnd)))
    .map((term) => term.replace(redirect, 'include:'));
}

function closed(domain: string, record: string): DnsProblem['record'] {
  const content = record.replace(/(?<=\s)\+?all\b/gi, '-all');
  return { type: 'TXT', name: domain, content };
}

/** A record with one more mechanism, before the one that ends it: a domain has one SPF record. */
function merged(record: string, mechanism: string): string {
  const terms = record.trim().split(/\s+/);
  const end = terms.findIndex((term) => isEnd(term) || /^redirect=/i.test(term));
  return terms.toSpliced(end < 0 ? terms.length : end, 0, mechanism).join(' ');
}

interface Mechanism {
  type: string;
  qualifier: string;
  value: string;
}

/** The terms of a record in their order. Modifiers have no qualifier. */
function mechanismsOf(record: string): Mechanism[] {
  return record
    .trim()
    .split(/\s+/)
    .slice(1, 200)
    .map((term) => {
      const modifier = /^([a-z][\w.-]*)=(.*)$/i.exec(term);
      if (modifier) return { type: (modifier[1] ?? '').toLowerCase(), qualifier: '', value: modifier[2] ?? '' };
      const [, qualifier = '', type = '', value = ''] = /^([-+~?]?)([a-z0-9]*)[:]?(.*)$/i.exec(term) ?? [];
      return { type: type.toLowerCase(), qualifier: qualifier || '+', value };
    });
}

interface Walk {
  /** A name server was silent about a name that the record leads to. */
  isUnsure: boolean;
  lookups: number;
  voids: number;
  allowsAll: boolean;
  errors: string[];
}

const known = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);

const isAll = ({ type, qualifier }: Mechanism): boolean => type === 'all' && qualifier !== '';

/**
 * Walks through a record and those that it includes. It stops at three times the look-ups that
 * receivers allow.
 */
async function walkRecord(questions: Questions, { domain, text }: { domain: string; text: string }): Promise<Walk> {
  const walk: Walk = { isUnsure: false, lookups: 0, voids: 0, allowsAll: false, errors: [] };
  await visit({ domain, text, path: [domain] });
  return walk;

  async function visit(at: { domain: string; text: string; path: string[] }): Promise<void> {
    const terms = mechanismsOf(at.text);
    const end = terms.findIndex(isAll);
    for (const [index, term] of terms.entries()) {
      if (walk.lookups > mostLookups * 3) return;
      refuseUnknown(term, at.domain);
      // RFC 7208 5.1, 6.1: nothing behind `all` is looked at, and no redirect beside it
      const isReached = end < 0 || (index <= end && term.qualifier !== '');
      if (isReached) await judge(term, at);
    }
  }

  function refuseUnknown({ type, qualifier }: Mechanism, of: string): void {
    // Receivers pass over modifiers that they don't know
    if (qualifier === '' || known.has(type)) return;
    walk.errors.push(`The SPF record of ${of} has “${type}”, which no receiver knows.`);
  }

  async function judge(term: Mechanism, at: { domain: string; path: string[] }): Promise<void> {
    const { type, qualifier, value } = term;
    const target = value.replace(/\/.*$/, '') || at.domain;
    if (qualifier === '') {
      if (type === 'redirect') await follow(target, at.path);
    } else if (type === 'all') {
      if (qualifier === '+' && at.path.length === 1) walk.allowsAll = true;
    } else if (type === 'include') {
      await follow(target, at.path);
    } else if (type === 'a' || type === 'mx') {
      await lookUp(type, target);
    } else if (type === 'ptr' || type === 'exists') {
      walk.lookups += 1;
    }
  }

  async function follow(target: string, path: string[]): Promise<void> {
    walk.lookups += 1;
    if (target.includes('%')) return;
    if (path.includes(target.toLowerCase())) {
      walk.errors.push(`The SPF record includes ${target}, which leads back to itself.`);
      return;
    }
    const said = await questions.ask('TXT', target);
    const [record] = recordsOf(said).filter(({ value }) => isSpf(value));
    if (record) return await visit({ domain: target, text: record.value, path: [...path, target.toLowerCase()] });
    if (said.kind === 'none') walk.voids += 1;
    if (said.kind === 'unanswered') walk.isUnsure = true;
    walk.errors.push(
      said.kind === 'unanswered'
        ? `The SPF record includes ${target}, whose name servers ${silenceOf(failureOf(said))}.`
        : `The SPF record includes ${target}, which has no SPF record.`,
    );
  }

  async function lookUp(type: 'a' | 'mx', target: string): Promise<void> {
    walk.lookups += 1;
    if (target.includes('%')) return;
    const names = type === 'a' ? [target] : await exchangesOf(target);
    const found = (await Promise.all(names.slice(0, mostLookups).map((name) => questions.addressesOf(name)))).flat();
    const isUnsure = names.some((name) => questions.silent.has(`A ${name}`) || questions.silent.has(`AAAA ${name}`));
    walk.isUnsure ||= isUnsure;
    if (found.length === 0 && !isUnsure) walk.voids += 1;
  }

  async function exchangesOf(name: string): Promise<string[]> {
    return recordsOf(await questions.ask('MX', name)).map(({ value }) => value.exchange);
  }
}
