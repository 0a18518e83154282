import { getServers } from 'node:dns';
import { setTimeout } from 'node:timers/promises';
import type { Answer } from 'dns-packet';
import { type AnyQuestion, askForRecords } from '../dns/ask-directly.ts';
import { believableText } from '../dns/believable-records.ts';

/** What the name servers say to one question. */
export type Said<T> =
  | { kind: 'records'; records: { value: T; ttl: number }[] }
  /** The name, or a record of that type, does not exist. */
  | { kind: 'none'; exists: boolean }
  | Unanswered;

/** An error that name servers answer with (RFC 1035 4.1.1): they say nothing of the name. */
export type DnsFailure = 'SERVFAIL' | 'REFUSED';

/** No name server has said anything of the name. */
interface Unanswered {
  kind: 'unanswered';
  /** Null: no answer came in time, or one that can't be read. */
  failure: DnsFailure | null;
}

const silence: Unanswered = { kind: 'unanswered', failure: null };

interface Values {
  A: string;
  AAAA: string;
  /** Host names are in lower case, without the dot of the root. */
  NS: string;
  CNAME: string;
  PTR: string;
  MX: { exchange: string; priority: number };
  /** The pieces of a long record are joined, and what is longer than any honest one is cut. */
  TXT: string;
  SOA: Soa;
  SRV: Service;
}

/** The SOA record of a zone (RFC 1035 3.3.13). Times are in seconds. */
export interface Soa {
  nsname: string;
  hostmaster: string;
  serial: number;
  refresh: number;
  retry: number;
  expire: number;
  minttl: number;
}

/** A server of a service (RFC 2782); the target is empty where the service is not offered. */
export interface Service {
  priority: number;
  weight: number;
  port: number;
  target: string;
}

const limits = { timeoutMs: 1200, tries: 2 };
/** More records of one name than any real domain has; the rest is left out. */
const mostRecords = 100;
/** A record of a stranger may lead to any number of names, as an SPF record does. */
const mostQuestions = 150;
/** A check ends by then, however slow a stranger's name servers are. */
const deadlineMs = 4000;

/**
 * The questions of one check. Nothing is asked twice, and no answer of an earlier check is reused:
 * a person has just changed the DNS and wants to see it.
 */
export class Questions {
  private readonly servers: readonly string[];
  private readonly asked = new Map<string, Promise<Said<unknown>>>();
  private readonly end = Date.now() + deadlineMs;
  /** Questions that no name server has answered, as `TYPE name`. */
  readonly silent = new Set<string>();
  private readonly most: number;

  /**
   * @param servers `host:port`; those of the system when the list is empty
   * @param most how many different questions are asked; the others count as unanswered
   */
  constructor(servers: readonly string[], most = mostQuestions) {
    this.servers = servers.length > 0 ? servers : getServers();
    this.most = most;
  }

  /** Answers a question itself from now on, as if the DNS had these records. */
  pretend<T extends keyof Values>(type: T, name: string, values: readonly Values[T][]): void {
    const records = values.map((value) => ({
      value: type === 'TXT' ? believableText(String(value)) : value,
      ttl: pretendedTtl,
    }));
    this.asked.set(keyOf(type, name), Promise.resolve({ kind: 'records', records } as const));
  }

  /** Never rejects. */
  ask<T extends keyof Values>(type: T, name: string): Promise<Said<Values[T]>> {
    const question: AnyQuestion = { type, name: name.toLowerCase().replace(/\.$/, '') };
    const key = keyOf(type, question.name);
    let said = this.asked.get(key);
    if (said === undefined) {
      said = this.asked.size < this.most ? this.inTime(question) : Promise.resolve(silence);
      said = said.then((answer) => {
        if (answer.kind === 'unanswered') this.silent.add(key);
        return answer;
      });
      this.asked.set(key, said);
    }
    return said as Promise<Said<Values[T]>>;
  }

  /** IPv4 and IPv6 addresses of a host. */
  async addressesOf(name: string): Promise<string[]> {
    const answers = await Promise.all([this.ask('A', name), this.ask('AAAA', name)]);
    return answers.flatMap((said) => recordsOf(said).map(({ value }) => value));
  }

  /**
   * Answers as node:dns does, for mailauth.
   * @throws Error with a code of node:dns
   */
  async resolve(name: string, type: string): Promise<string[] | string[][]> {
    const said = isAskedFor(type) ? await this.ask(type, name) : ({ kind: 'none', exists: true } as const);
    if (said.kind === 'records') {
      const values = said.records.map(({ value }) => value);
      return (type === 'TXT' ? values.map((value) => [value]) : values) as string[] | string[][];
    }
    const code = said.kind === 'unanswered' ? 'ETIMEOUT' : said.exists ? 'ENODATA' : 'ENOTFOUND';
    throw Object.assign(new Error(`${type} of ${name}: ${code}`), { code });
  }

  /** How much of the check's time is left, in milliseconds. */
  get left(): number {
    return Math.max(0, this.end - Date.now());
  }

  private async inTime(question: AnyQuestion): Promise<Said<unknown>> {
    const ended = new AbortController();
    const late = setTimeout(this.left, silence, { signal: ended.signal }).catch(() => silence);
    try {
      return await Promise.race([this.send(question), late]);
    } finally {
      ended.abort();
    }
  }

  private async send(question: AnyQuestion): Promise<Said<unknown>> {
    if (!isName(question.name)) return { kind: 'none', exists: false };
    try {
      const answers = await askForRecords(this.servers, question, limits);
      const records = answers.slice(0, mostRecords).map((answer) => ({ value: valueOf(answer), ttl: ttlOf(answer) }));
      return { kind: 'records', records };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENODATA') return { kind: 'none', exists: true };
      if (code === 'ENOTFOUND') return { kind: 'none', exists: false };
      const failure = code === 'ESERVFAIL' ? 'SERVFAIL' : code === 'EREFUSED' ? 'REFUSED' : null;
      return { kind: 'unanswered', failure };
    }
  }
}

const pretendedTtl = 3600;

const keyOf = (type: string, name: string): string => `${type} ${name.toLowerCase().replace(/\.$/, '')}`;

const isAskedFor = (type: string): type is 'A' | 'AAAA' | 'MX' | 'TXT' => ['A', 'AAAA', 'MX', 'TXT'].includes(type);

/** Says whether a name can be asked for (RFC 1035 2.3.4). */
function isName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[\x21-\x7e]{1,63}$/.test(label));
}

const ttlOf = (answer: Answer): number => ('ttl' in answer ? Number(answer.ttl ?? 0) : 0);
const hostOf = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function valueOf(answer: Answer): unknown {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data;
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return hostOf(answer.data);
    case 'MX':
      return { exchange: hostOf(answer.data.exchange), priority: answer.data.preference ?? 0 };
    case 'TXT':
      return believableText([answer.data].flat().map(String).join(''));
    case 'SOA': {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = answer.data;
      return { nsname: hostOf(mname), hostmaster: hostOf(rname), serial, refresh, retry, expire, minttl: minimum };
    }
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { priority, weight, port, target: hostOf(target) };
    }
    default:
      return null;
  }
}

/** The error that was answered first; null where there is none. */
export function failureOf(...answers: readonly Said<unknown>[]): DnsFailure | null {
  return answers.map((said) => (said.kind === 'unanswered' ? said.failure : null)).find((one) => one !== null) ?? null;
}

/** The records that were answered; empty where there are none. */
export function recordsOf<T>(said: Said<T>): { value: T; ttl: number }[] {
  return said.kind === 'records' ? said.records : [];
}
