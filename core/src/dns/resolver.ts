import type { MxRecord, SoaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Answer } from 'dns-packet';
import { AnswerCache } from './answer-cache.ts';
import { askDirectly, askWithProof, type DirectQuestion } from './ask-directly.ts';
import { believableRecords, believableTexts } from './believable-records.ts';

/**
 * Why a look-up gave nothing: the name does not exist, it has no such record, or no server could
 * say.
 */
export type DnsProblem = 'nxdomain' | 'nodata' | 'temporary';

/** A look-up without an answer. */
export class DnsError extends Error {
  readonly problem: DnsProblem;
  /** The code of node:dns, which mailauth reads. */
  readonly code: string;

  constructor(problem: DnsProblem, code: string, name: string, type: string) {
    super(`${type} of ${name}: ${code}`);
    this.name = 'DnsError';
    this.problem = problem;
    this.code = code;
  }
}

/** Look-ups by record type. Each rejects with a `DnsError` and with nothing else. */
export interface DnsResolver {
  mx(name: string): Promise<MxRecord[]>;
  a(name: string): Promise<string[]>;
  aaaa(name: string): Promise<string[]>;
  /** One string a record: the pieces of a long record are joined. */
  txt(name: string): Promise<string[]>;
  ns(name: string): Promise<string[]>;
  soa(name: string): Promise<SoaRecord>;
  cname(name: string): Promise<string[]>;
  /** The look-up function that mailauth expects. */
  mailauthResolver(name: string, type: string): Promise<string[] | string[][]>;
  /** Absent unless the name servers validate DNSSEC. */
  provable?: ProvableLookUps;
}

/** Records, and whether DNSSEC proves them. */
export interface Provable<T> {
  records: T[];
  isProved: boolean;
  /**
   * The name that has the records: the one that was asked for or, if that is an alias, its target.
   */
  name: string;
}

/** What a name says of the certificate of its service (RFC 6698 2.1). */
export interface TlsaRecord {
  usage: number;
  selector: number;
  matchingType: number;
  /** Hexadecimal, lower case. */
  data: string;
}

/** Look-ups of name servers that validate DNSSEC. Each rejects with a `DnsError`, as others do. */
export interface ProvableLookUps {
  mx(name: string): Promise<Provable<MxRecord>>;
  a(name: string): Promise<Provable<string>>;
  aaaa(name: string): Promise<Provable<string>>;
  cname(name: string): Promise<Provable<string>>;
  tlsa(name: string): Promise<Provable<TlsaRecord>>;
}

/** How long and how often to ask. The defaults are for production. */
export interface ResolverOptions {
  timeoutMs?: number;
  tries?: number;
  /** Longest time an answer is cached; 0 turns the cache off. */
  cacheMs?: number;
  /** Whether the servers validate DNSSEC, and no attacker can change their answers on the way. */
  validates?: boolean;
}

/**
 * A resolver that asks these servers (`host:port`, `[::1]:53`), or those of the system when the
 * list is empty.
 */
export function createResolver(servers: string[], options: ResolverOptions = {}): DnsResolver {
  const { timeoutMs = 3000, tries = 2 } = options;
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const isLasting = (error: unknown): boolean => dnsProblem(error) !== 'temporary';
  const cache = new AnswerCache(options.cacheMs ?? 60_000, isLasting);
  const ask = <T>(type: string, name: string, lookUp: () => Promise<T>): Promise<T> => {
    if (!isAskable(name)) return Promise.reject(new DnsError('nxdomain', 'ENOTFOUND', name.slice(0, 100), type));
    return askAny(type, name, lookUp);
  };
  const askAny = <T>(type: string, name: string, lookUp: () => Promise<T>): Promise<T> => {
    return cache.remember(`${type} ${name.toLowerCase()}`, () => lookUp().catch((error) => reject(error, name, type)));
  };
  const prove = <T>(type: ProvableType, name: string, read: (answer: Answer) => T): Promise<Provable<T>> =>
    ask(`provable ${type}`, name, async () => {
      const question = { name: name.replace(/\.$/, ''), type };
      const { records, isProved } = await askWithProof(resolver.getServers(), question, { timeoutMs, tries });
      return { records: records.map(read), isProved, name: lastName(records, question.name) };
    });
  return {
    ...(options.validates && { provable: provableLookUps(prove) }),
    mx: (name) => ask('MX', name, () => resolver.resolveMx(name)),
    a: (name) => ask('A', name, async () => addresses(await resolver.resolve4(name, { ttl: true }))),
    aaaa: (name) => ask('AAAA', name, async () => addresses(await resolver.resolve6(name, { ttl: true }))),
    txt: (name) => ask('TXT', name, async () => believableTexts(await resolver.resolveTxt(name))),
    ns: (name) => ask('NS', name, () => resolver.resolveNs(name)),
    soa: (name) => ask('SOA', name, () => resolver.resolveSoa(name)),
    cname: (name) => ask('CNAME', name, () => resolver.resolveCname(name)),
    mailauthResolver: (name, type) => {
      if (isDirectType(type) && isOddName(name)) {
        const question = { name: name.replace(/\.$/, ''), type };
        return askAny(`mailauth ${type}`, name, async () =>
          forMailauth(type, await askDirectly(resolver.getServers(), question, { timeoutMs, tries })),
        );
      }
      return ask(`mailauth ${type}`, name, async () =>
        forMailauth(type, (await resolver.resolve(name, type)) as Records),
      );
    },
  };
}

type Records = string[] | string[][];

/** Mailauth expects a TXT record as a list of pieces. Here the list has one. */
function forMailauth(type: string, records: Records): Records {
  if (type !== 'TXT') return believableRecords(records as string[]);
  return believableTexts(records as string[][]).map((text) => [text]);
}

type ProvableType = 'MX' | 'A' | 'AAAA' | 'CNAME' | 'TLSA';
type Prove = <T>(type: ProvableType, name: string, read: (answer: Answer) => T) => Promise<Provable<T>>;

function provableLookUps(prove: Prove): ProvableLookUps {
  return {
    mx: (name) => prove('MX', name, mxOf),
    a: (name) => prove('A', name, addressOf),
    aaaa: (name) => prove('AAAA', name, addressOf),
    cname: (name) => prove('CNAME', name, targetOf),
    tlsa: (name) => prove('TLSA', name, tlsaOf),
  };
}

function mxOf(answer: Answer): MxRecord {
  if (answer.type !== 'MX') throw new Error('not an MX record');
  return { exchange: answer.data.exchange, priority: answer.data.preference ?? 0 };
}

function addressOf(answer: Answer): string {
  if (answer.type !== 'A' && answer.type !== 'AAAA') throw new Error('not an address');
  return answer.data;
}

function targetOf(answer: Answer): string {
  if (answer.type !== 'CNAME') throw new Error('not a CNAME record');
  return answer.data;
}

function tlsaOf(answer: Answer): TlsaRecord {
  if (answer.type !== 'TLSA') throw new Error('not a TLSA record');
  const { usage, selector, matchingType, certificate } = answer.data;
  return { usage, selector, matchingType, data: certificate.toString('hex') };
}

function lastName(records: readonly Answer[], asked: string): string {
  return (records[0]?.name ?? asked).replace(/\.$/, '').toLowerCase();
}

/** The class of any error of a look-up. */
export function dnsProblem(error: unknown): DnsProblem {
  return error instanceof DnsError ? error.problem : 'temporary';
}

function addresses(records: { address: string }[]): string[] {
  return records.map((record) => record.address);
}

/** RFC 1035 2.3.4: 255 octets on the wire, where each label has its length before it. */
const longestName = 253;

function isTooLong(name: string): boolean {
  return name.length > (name.endsWith('.') ? longestName + 1 : longestName);
}

/**
 * A name that can't be asked for counts as one that does not exist. The library would throw other
 * errors for such names.
 */
function isAskable(name: string): boolean {
  return !isTooLong(name) && name.split('.').every((label, index, all) => isLabel(label, index === all.length - 1));
}

/** Characters that node:dns accepts. It refuses other names without asking (EBADNAME). */
const commonName = /^[a-z0-9._/*-]*$/i;

/**
 * True for a name that only `askDirectly` can ask for. RFC 7208 7.1: a name may have all printable
 * characters, since macros insert the local part of an address.
 */
function isOddName(name: string): boolean {
  if (commonName.test(name) || !/^[\x20-\x7e]+$/.test(name)) return false;
  const labels = name.replace(/\.$/, '').split('.');
  return !isTooLong(name) && labels.every((label) => label !== '' && label.length <= 63);
}

function isDirectType(type: string): type is DirectQuestion['type'] {
  return type === 'A' || type === 'AAAA' || type === 'MX' || type === 'TXT';
}

function isLabel(label: string, isLast: boolean): boolean {
  if (label === '') return isLast;
  return label.length <= 63 && !/[\s\p{Cc}]/u.test(label);
}

function reject(error: unknown, name: string, type: string): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
  const problem = code === 'ENOTFOUND' ? 'nxdomain' : code === 'ENODATA' ? 'nodata' : 'temporary';
  throw new DnsError(problem, code, name, type);
}
