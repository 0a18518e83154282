import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import type { Period } from './account-for-mail.ts';
import { type IdRange, isWide } from './id-range.ts';

/*
 * What is in order is proved by sums. Each of these holds for every message, but for what is rare:
 *
 *   rows     the rows that name it are as many as it was accepted with
 *   copies   its received copies are as many as its rows of stored mail
 *   names    its received copies are those that its rows of stored mail stand for
 *
 * Each side of each is a set of ids, which one walk along an index turns into a number: the sum of
 * the hashes of the ids. Sets that differ have the same sum by one chance in four billion. To add
 * up a row takes a sixth of the time of looking up what belongs to it.
 *
 * Sums that differ prove no fault: a person who has a message by two addresses has one copy and two
 * rows. So they say only which messages are to be looked at one by one.
 */

/** Ids from the first to the last, both included. */
export interface Ids {
  first: string;
  last: string;
}

/** An SQL condition, and the values of its place holders. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** Which messages the sums have proved. */
export interface Proved {
  /** The ids of the messages of the period; null where none of them can be proved by sums. */
  ids: Ids | null;
  /** Those within them that are to be looked at one by one. */
  doubts: Ids[];
}

/** One side of each comparison, less the other: all are 0 where the sides are equal. */
const comparisons = ['rows', 'copies', 'names'] as const;
type Balance = Record<(typeof comparisons)[number], bigint>;

/** A walk along an index, which adds to one side of some of the comparisons. */
interface Walk {
  /** The sums that it takes, below zero for the second side. */
  sums: Partial<Record<keyof Balance, string>>;
  /** The id of the message of what it reads. */
  messageId: string;
  /** The id whose range is asked for. */
  id?: string;
  /** Behind `FROM`. */
  from: string;
  values: readonly SqlValue[];
}

/** What a walk has come to in one part of the messages. */
type Found = IdRange & { part: string } & Partial<Record<keyof Balance, string>>;

/** How many ids are looked at together where the sums differ. */
const idsOfDoubt = 256;
/** Where the sums differ in more places, all of the messages are looked at. */
const mostDoubts = 100;
/** Messages are stored by several processes at a time, so their ids may be in another order. */
const disorderMs = 1_000;

/** The address of the mailbox that an outgoing row of this host was stored for. */
export const mailboxOfRow = 'COALESCE(d.expanded_to, d.recipient_key)';

/** Proves the messages of a period by sums, as far as it can. */
export async function proveBySums(ctx: Ctx, period: Period): Promise<Proved> {
  const messages = messagesOf(period);
  const [own] = await walk(ctx, messages);
  // A clock that was wrong has spread the ids
  if (!own?.first || !own.last || isWide(own)) return { ids: null, doubts: [] };
  const ids = { first: own.first, last: own.last };
  const rows = rowsOf(ids);
  const [named] = await walk(ctx, rows);
  const others = [neighboursOf(period, ids), copiesOf(ids), storedRowsOf(ids, named)];
  const found = [own, ...(named ? [named] : [])];
  for (const other of others) found.push(...(await walk(ctx, other)));
  const [whole] = balancesOf(found).values();
  if (whole === undefined || isEven(whole)) return { ids, doubts: [] };
  const doubts = await findDoubts(ctx, [messages, rows, ...others]);
  return { ids, doubts: doubts.length > mostDoubts ? [ids] : doubts };
}

/**
 * A condition: the sums have not proved the message with this id.
 * @param id an SQL expression
 */
export function isUnproved(id: string, { ids, doubts }: Proved): Condition {
  if (ids === null) return { sql: 'TRUE', values: [] };
  const within = doubts.map(() => `OR ${id} BETWEEN ? AND ?`).join(' ');
  return {
    sql: `(${id} NOT BETWEEN ? AND ? ${within})`,
    values: [ids, ...doubts].flatMap(({ first, last }) => [first, last]),
  };
}

/** Messages from before their rows were counted are equal to nothing, so they are looked at. */
const rowsOfMessage = 'SUM(COALESCE(CRC32(m.id) * m.ledger_rows, -1))';

function messagesOf({ from, to }: Period): Walk {
  return {
    sums: { rows: rowsOfMessage },
    messageId: 'm.id',
    id: 'm.id',
    from: 'messages m FORCE INDEX (messages_day) WHERE m.created_at >= ? AND m.created_at < ?',
    values: [from, to],
  };
}

/** The messages of the moments before and after a period whose ids are among those of the period. */
function neighboursOf({ from, to }: Period, { first, last }: Ids): Walk {
  const [before, after] = [new Date(from.getTime() - disorderMs), new Date(to.getTime() + disorderMs)];
  return {
    sums: { rows: rowsOfMessage },
    messageId: 'm.id',
    from: `messages m FORCE INDEX (messages_day) WHERE m.id BETWEEN ? AND ?
              AND (m.created_at >= ? AND m.created_at < ? OR m.created_at >= ? AND m.created_at < ?)`,
    values: [first, last, before, from, to, after],
  };
}

function rowsOf({ first, last }: Ids): Walk {
  return {
    sums: { rows: '-SUM(CRC32(d.message_id))', copies: "-SUM(CRC32(d.message_id) * (d.state = 'stored'))" },
    messageId: 'd.message_id',
    id: 'd.id',
    from: 'deliveries d FORCE INDEX (deliveries_message) WHERE d.message_id BETWEEN ? AND ?',
    values: [first, last],
  };
}

const hashOfCopy = (entryId: string, messageId: string): string => `CRC32(CONCAT(${entryId}, ' ', ${messageId}))`;

function copiesOf({ first, last }: Ids): Walk {
  return {
    sums: { copies: 'SUM(CRC32(c.message_id))', names: `SUM(${hashOfCopy('c.id', 'c.message_id')})` },
    messageId: 'c.message_id',
    from: `mailbox_entries c FORCE INDEX (entries_message)
            WHERE c.message_id BETWEEN ? AND ? AND c.received_status = 1`,
    values: [first, last],
  };
}

/**
 * The hash of the copy that a row of stored mail stands for: an incoming row says which it is, and
 * an outgoing one whose it is.
 */
const copyOfRow = `CASE d.direction WHEN 'in' THEN ${hashOfCopy('d.entry_id', 'd.message_id')} ELSE (
  SELECT SUM(${hashOfCopy('o.id', 'o.message_id')}) FROM mailbox_entries o FORCE INDEX (entries_message)
    STRAIGHT_JOIN users u ON u.id = o.user_id AND u.email = ${mailboxOfRow}
   WHERE o.message_id = d.message_id AND o.received_status = 1) END`;

/** The rows of stored mail by their own ids, which is quicker, unless those lie far apart. */
function storedRowsOf({ first, last }: Ids, rows: IdRange | undefined): Walk {
  const stored = "d.message_id BETWEEN ? AND ? AND d.state = 'stored'";
  const isSpread = !rows?.first || !rows.last || isWide(rows);
  return {
    sums: { names: `-SUM(${copyOfRow})` },
    messageId: 'd.message_id',
    from: isSpread
      ? `deliveries d FORCE INDEX (deliveries_message) WHERE ${stored}`
      : `deliveries d FORCE INDEX (PRIMARY) WHERE ${stored} AND d.id BETWEEN ? AND ?`,
    values: isSpread ? [first, last] : [first, last, rows.first, rows.last],
  };
}

/** @param part what divides the ids of messages into parts; absent for all of them together */
async function walk(ctx: Ctx, { sums, messageId, id, from, values }: Walk, part?: `DIV ${number}`): Promise<Found[]> {
  const columns = [
    `${part ? `${messageId} ${part}` : '0'} AS part`,
    ...Object.entries(sums).map(([name, sum]) => `COALESCE(${sum}, 0) AS \`${name}\``),
    ...(id ? [`MIN(${id}) AS first, MAX(${id}) AS last, COUNT(*) AS count`] : []),
  ];
  return await readRows<Found>(ctx, `SELECT ${columns.join(', ')} FROM ${from} ${part ? 'GROUP BY part' : ''}`, values);
}

/** The balance of each part. */
function balancesOf(found: readonly Found[]): Map<string, Balance> {
  const balances = new Map<string, Balance>();
  for (const sums of found) {
    const balance = balances.get(String(sums.part)) ?? { rows: 0n, copies: 0n, names: 0n };
    for (const name of comparisons) balance[name] += BigInt(sums[name] ?? 0);
    balances.set(String(sums.part), balance);
  }
  return balances;
}

const isEven = (balance: Balance): boolean => comparisons.every((name) => balance[name] === 0n);

/** The ranges of ids in which the sums differ. */
async function findDoubts(ctx: Ctx, walks: readonly Walk[]): Promise<Ids[]> {
  const found: Found[] = [];
  for (const each of walks) found.push(...(await walk(ctx, each, `DIV ${idsOfDoubt}`)));
  const odd = [...balancesOf(found)].filter(([, balance]) => !isEven(balance));
  const size = BigInt(idsOfDoubt);
  const ranges: { first: bigint; last: bigint }[] = [];
  for (const part of odd.map(([name]) => BigInt(name)).toSorted((a, b) => (a < b ? -1 : 1))) {
    const before = ranges.at(-1);
    if (before?.last === part * size - 1n) before.last += size;
    else ranges.push({ first: part * size, last: (part + 1n) * size - 1n });
  }
  return ranges.map(({ first, last }) => ({ first: String(first), last: String(last) }));
}
