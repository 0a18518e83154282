import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import type { Period } from './account-for-mail.ts';
import { type Condition, type IdRange, type Ids, isWide, outsideCondition } from './id-range.ts';
import { mailboxOfRow, suspectCondition } from './row-rules.ts';

/*
 * Messages in order are proved by sums. These equations are true for every message, except in rare
 * cases:
 *
 *   rows     as many rows name the message as it was accepted with
 *   names    its received copies are the ones that its rows of stored mail refer to
 *   copies   it has as many received copies as rows of stored mail
 *
 * Each side of an equation is a set of ids, which one walk along an index turns into a number: the
 * sum of the hashes of the ids, or for `copies`, where no more is needed, their count. A fault
 * always changes a sum, unless two ids have the same hash, which has a chance of one in four
 * billion. Several faults among the messages of a walk hide each other only if their hashes happen
 * to cancel out. Adding up a row takes a sixth of the time of looking up what belongs to it.
 *
 * Different sums do not prove a fault: a person who has a message by two addresses has one copy and
 * two rows. They only say which messages must be checked one by one.
 */

/** Which messages the sums have proved. */
export interface Proved {
  /** The ids of the messages of the period; null when none of them can be proved by sums. */
  ids: Ids | null;
  /** Those within them that must be checked one by one. */
  doubts: Ids[];
  /** Whether a row of the period may break a rule. */
  hasSuspects: boolean;
}

/** For each equation, one side minus the other: 0 when the sides are equal. */
const comparisons = ['rows', 'copies', 'names'] as const;
type Balance = Record<(typeof comparisons)[number], bigint>;

/** A walk along an index, which adds to one side of some of the equations. */
interface Walk {
  /** SQL for the sums, negative for the second side, and for the number of suspect rows. */
  sums: Partial<Record<keyof Balance | 'suspects', string>>;
  /** SQL for the id of the message that a row belongs to. */
  messageId: string;
  /** SQL for the id whose smallest and largest value, and count, are returned. */
  id?: string;
  /** The SQL after `FROM`. */
  from: string;
  /** The values for `sums`, then those for `from`. */
  values: readonly SqlValue[];
}

/** The result of a walk for one part of the messages. */
type Found = IdRange & { part: string } & Partial<Record<keyof Balance | 'suspects', string>>;

/** How many ids form a part when the sums differ. */
const idsOfDoubt = 256;
/** When the sums differ in more ranges than this, all messages are checked. */
const mostDoubts = 100;
/**
 * Several processes store messages at the same time, so the ids may be in another order than the
 * times.
 */
const disorderMs = 1_000;

/**
 * Proves the messages of a period by sums, as far as possible, and searches its rows for suspects.
 * @param range the ids of the rows of the period
 */
export async function proveBySums(ctx: Ctx, period: Period, range: IdRange): Promise<Proved> {
  const messages = messagesOf(period);
  const [own] = await walk(ctx, messages);
  // A wrong clock has spread the ids over other periods
  if (!own?.first || !own.last || isWide(own)) return { ids: null, doubts: [], hasSuspects: range.first !== null };
  const ids = { first: own.first, last: own.last };
  const rows = rowsNaming(ids);
  const named = await walk(ctx, rows);
  const stored = storedRows(ids, period, joined(named[0], range));
  const looked = await walk(ctx, stored);
  const others = [neighboursOf(period, ids), copiesOf(ids)];
  const found = [own, ...named, ...looked];
  for (const other of others) found.push(...(await walk(ctx, other)));
  const isProved = [...balancesOf(found).values()].every(isEven);
  const doubts = isProved ? [] : await findDoubts(ctx, [messages, rows, stored, ...others]);
  const hasSuspects = Number(looked[0]?.suspects ?? 1) > 0;
  return { ids, doubts: doubts.length > mostDoubts ? [ids] : doubts, hasSuspects };
}

/** A condition: the sums have not proved the message with this id. */
export function unprovedCondition(id: string, { ids, doubts }: Proved): Condition {
  return ids === null ? { sql: 'TRUE', values: [] } : outsideCondition(id, ids, doubts);
}

/**
 * The range of ids that covers both the rows that name messages and the rows of the period; null
 * when it is too wide.
 */
function joined(named: IdRange | undefined, own: IdRange): Ids | null {
  const ids = [named?.first, named?.last, own.first, own.last].filter((id) => id !== null && id !== undefined);
  const [first, last] = [ids.toSorted(byNumber).at(0), ids.toSorted(byNumber).at(-1)];
  if (!named || first === undefined || last === undefined) return null;
  return isWide({ first, last, count: Number(named.count) + Number(own.count) }) ? null : { first, last };
}

/** Old messages without a count of rows never balance, so they are checked one by one. */
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

/** Messages just before and after a period, whose ids are among those of the period. */
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

function rowsNaming({ first, last }: Ids): Walk {
  return {
    sums: { rows: '-SUM(CRC32(d.message_id))', copies: "-COUNT(IF(d.state = 'stored', 1, NULL))" },
    messageId: 'd.message_id',
    id: 'd.id',
    from: 'deliveries d FORCE INDEX (deliveries_message) WHERE d.message_id BETWEEN ? AND ?',
    values: [first, last],
  };
}

/**
 * A product, so that two rows with each other's copy are found. CRC32 of both ids together is
 * linear: for such a pair, the sum would stay the same once in ten thousand times.
 */
const hashOfCopy = (entryId: string, messageId: string): string => `CRC32(${entryId}) * CRC32(${messageId})`;

function copiesOf({ first, last }: Ids): Walk {
  return {
    sums: { copies: 'COUNT(*)', names: `SUM(${hashOfCopy('c.id', 'c.message_id')})` },
    messageId: 'c.message_id',
    from: `mailbox_entries c FORCE INDEX (entries_message)
            WHERE c.message_id BETWEEN ? AND ? AND c.received_status = 1`,
    values: [first, last],
  };
}

/**
 * The hash of the copy that a row of stored mail refers to: an incoming row has its entry id, an
 * outgoing one only the address of its owner.
 */
const copyOfRow = `CASE d.direction WHEN 'in' THEN ${hashOfCopy('d.entry_id', 'd.message_id')} ELSE (
  SELECT SUM(${hashOfCopy('o.id', 'o.message_id')}) FROM mailbox_entries o FORCE INDEX (entries_message)
    STRAIGHT_JOIN users u ON u.id = o.user_id AND u.email = ${mailboxOfRow}
   WHERE o.message_id = d.message_id AND o.received_status = 1) END`;

/**
 * The rows of stored mail that name messages, together with the rows of the period, since most are
 * both.
 * @param range the ids of all of them; null when they are too far apart
 */
function storedRows(ids: Ids, { from, to }: Period, range: Ids | null): Walk {
  const { first, last } = ids;
  const storedCondition = "d.message_id BETWEEN ? AND ? AND d.state = 'stored'";
  if (range === null) {
    return {
      sums: { names: `-SUM(${copyOfRow})` },
      messageId: 'd.message_id',
      from: `deliveries d FORCE INDEX (deliveries_message) WHERE ${storedCondition}`,
      values: [first, last],
    };
  }
  const suspect = suspectCondition(outsideCondition('d.message_id', ids));
  return {
    sums: {
      names: `-SUM(IF(${storedCondition}, ${copyOfRow}, NULL))`,
      suspects: `COUNT(${suspect.sql} AND d.created_at >= ? AND d.created_at < ? OR NULL)`,
    },
    messageId: 'd.message_id',
    from: 'deliveries d FORCE INDEX (PRIMARY) WHERE d.id BETWEEN ? AND ?',
    values: [first, last, ...suspect.values, from, to, range.first, range.last],
  };
}

/** @param part SQL that divides the ids of messages into parts; absent for a single part */
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

const byNumber = (one: string, other: string): number => Number(one) - Number(other);

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
