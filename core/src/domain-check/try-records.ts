import { isIPv4, isIPv6 } from 'node:net';
import type { triedTypes } from '../contracts/domain-guard.ts';
import { type Questions, recordsOf } from './questions.ts';

/** Records that an administrator intends to add to the DNS of a domain. */
export interface Tried {
  type: (typeof triedTypes)[number];
  /** Relative to the domain, or a full name below it; `@` is the domain itself. */
  name: string;
  /** One a line, as the forms of DNS providers show them; an MX record with its priority. */
  content: string;
}

type Type = Tried['type'];
type Value = string | { exchange: string; priority: number };

const mostLines = 100;

/** Thrown for records that can't be tried. It names the field that is wrong. */
export class NotTriable extends Error {
  readonly field: 'name' | 'content';

  constructor(field: 'name' | 'content', text: string) {
    super(text);
    this.field = field;
  }
}

/**
 * Makes a check behave as if the DNS had these records. They replace those of the same name and
 * type. Texts replace only those of their own kind (SPF, DMARC, DKIM), since a name has texts of
 * many kinds.
 * @throws NotTriable
 */
export function readTried(domain: string, { type, name, content }: Tried): (questions: Questions) => Promise<void> {
  const owner = ownerOf(domain, name);
  const lines = content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 || lines.length > mostLines) {
    throw new NotTriable('content', `Enter 1 to ${mostLines} records, one per line`);
  }
  const values = lines.map((line) => valueOf(type, line));
  return async (questions) => {
    const others = type === 'TXT' ? await textsOfOtherKinds(questions, owner, values as string[]) : [];
    questions.pretend(type, owner, [...others, ...values] as never[]);
  };
}

function ownerOf(domain: string, typed: string): string {
  const name = typed.toLowerCase().replace(/\.$/, '');
  const owner = name === '@' ? domain : name === domain || name.endsWith(`.${domain}`) ? name : `${name}.${domain}`;
  const isName = owner.length <= 253 && owner.split('.').every((label) => /^(?:\*|[a-z0-9_-]{1,63})$/.test(label));
  if (!isName) throw new NotTriable('name', 'Enter a name such as @, www or _dmarc');
  return owner;
}

function valueOf(type: Type, line: string): Value {
  switch (type) {
    case 'A':
    case 'AAAA':
      if (type === 'A' ? isIPv4(line) : isIPv6(line)) return line;
      throw new NotTriable('content', `Enter IP${type === 'A' ? 'v4' : 'v6'} addresses, one per line`);
    case 'CNAME':
      return hostOf(line);
    case 'MX': {
      const [, priority, exchange = ''] = /^(\d{1,5})\s+(\S+)$/.exec(line) ?? [];
      if (priority === undefined || Number(priority) > 65_535) {
        throw new NotTriable('content', 'Enter a priority and a mail server in each line, such as 10 mail.example.com');
      }
      return { priority: Number(priority), exchange: exchange === '.' ? '' : hostOf(exchange) };
    }
    case 'TXT':
      return textOf(line);
  }
}

function hostOf(typed: string): string {
  const name = typed.toLowerCase().replace(/\.$/, '');
  if (name.length <= 253 && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/.test(name)) return name;
  throw new NotTriable('content', 'Enter the full name of a server, such as mail.example.com');
}

const quoted = /"(?:[^"\\]|\\.)*"/g;
const onlyQuoted = /^(?:\s*"(?:[^"\\]|\\.)*")+\s*$/;

/** A text may be copied from a zone file: in strings with quotation marks (RFC 1035 5.1). */
export function textOf(line: string): string {
  if (!onlyQuoted.test(line)) return line;
  const strings = line.match(quoted) ?? [];
  return strings.map((part) => part.slice(1, -1).replaceAll(/\\(.)/g, '$1')).join('');
}

const kinds = [/^v=spf1(?: |$)/i, /^v=DMARC1\b/i, /^v=DKIM1\b|(?:^|;)\s*p=/i];
const kindOf = (text: string): number => kinds.findIndex((kind) => kind.test(text));

async function textsOfOtherKinds(questions: Questions, owner: string, texts: readonly string[]): Promise<string[]> {
  const replaced = new Set(texts.map(kindOf));
  const there = recordsOf(await questions.ask('TXT', owner)).map(({ value }) => value);
  return there.filter((text) => !replaced.has(kindOf(text)));
}
