import type { Ctx } from '../context/context.ts';
import type { ComparedRecord } from '../contracts/domains.ts';
import type { Domain } from '../models/domain.ts';
import { DomainRecord } from '../models/domain-record.ts';
import { Questions, recordsOf } from './questions.ts';

/** Says of each record that is kept for a domain whether the DNS has it. */
export async function compareRecords(ctx: Ctx, domain: Domain): Promise<ComparedRecord[]> {
  const records = await DomainRecord.findAll({ where: { domainId: String(domain.id) }, transaction: ctx.tx });
  // The list itself is bounded, and each of its names is asked for once
  const questions = new Questions(ctx.app.config.dnsServers, records.length);
  return await Promise.all(records.map((record) => compare(questions, domain.domainName, record)));
}

async function compare(questions: Questions, domain: string, record: DomainRecord): Promise<ComparedRecord> {
  const { id, name, type } = record;
  const said = await questions.ask(type, name === '@' ? domain : `${name}.${domain}`);
  const there = recordsOf<unknown>(said).map(({ value }) => textOf(value));
  const isThere = there.some((text) => comparable(record, text) === comparable(record, wantedText(record)));
  const state = isThere
    ? 'same'
    : said.kind === 'unanswered'
      ? 'unanswered'
      : there.length > 0
        ? 'different'
        : 'missing';
  return { _id: String(id), state, there: there.slice(0, mostShown) };
}

const mostShown = 10;

/** A record as the columns of the list show it: that of MX with its priority. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { priority, exchange } = value as { priority: number; exchange: string };
  return `${priority} ${exchange}`;
}

const wantedText = ({ type, priority, content }: DomainRecord): string =>
  type === 'MX' ? `${priority} ${content}` : content;

/** Makes values comparable: case does not matter in names and addresses, but in texts it does. */
function comparable({ type }: DomainRecord, text: string): string {
  if (type === 'TXT') return text;
  const plain = text.toLowerCase().replace(/\.$/, '').trimEnd();
  // The URL parser gives the canonical short form of an address
  return type === 'AAAA' && URL.canParse(`http://[${plain}]`) ? new URL(`http://[${plain}]`).hostname : plain;
}
