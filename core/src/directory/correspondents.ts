import { parseJsonColumn } from '../database/parse-json-column.ts';
import { escape } from 'mysql2';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { trustWords } from '../mail/trust-words.ts';
import { type NamedAddress, readMailbox } from '../mail/mailbox-text.ts';
import { nameWords } from '../mail/name-words.ts';
import { personWords } from '../mail/person-words.ts';
import { eraseLooks, forgetLooks, noteLooks } from './correspondent-looks.ts';

/*
 * The addresses that each person has written to (D75). Submitting a message writes its rows. A
 * sweep wrote the rows of earlier messages.
 */

/** The writer of one message, its recipients, and when it was sent. */
export interface Writing {
  userId: string;
  companyId: string;
  people: readonly NamedAddress[];
  at: Date;
}

interface Row extends NamedAddress {
  userId: string;
  companyId: string;
  key: string;
  times: number;
  lastAt: Date;
}

/**
 * Weighs frequency against recency: twice as many messages raise a correspondent as far as a last
 * message that is this much later.
 */
const doublingSeconds = 30 * 86_400;

/**
 * When the stored name is kept: the new message has no name, or it is older than the last one and
 * there is a name already.
 */
const staysNamed = "(VALUES(name) = '' OR (name <> '' AND VALUES(last_at) < last_at))";

const ranked = `ranked_at = TIMESTAMPADD(SECOND, FLOOR(LOG2(times) * ${doublingSeconds}), last_at)`;

/** Notes whom people have written to. */
export async function noteCorrespondents(ctx: TxCtx, writings: readonly Writing[]): Promise<void> {
  const rows = rowsOf(writings);
  if (rows.length === 0) return;
  const known = new Map((await readCorrespondents(ctx, rows)).map((row) => [nameOf(row), row.name]));
  const tuples = rows.map(({ companyId, userId, key, address, name, times, lastAt }) => {
    const words = ` ${personWords({ name, address }).join(' ')}`;
    const at = sqlMoment(lastAt);
    const rankedAt = new Date(lastAt.getTime() + Math.floor(Math.log2(times) * doublingSeconds) * 1000);
    const values = [companyId, userId, key, address, name, words, times, at, sqlMoment(rankedAt)];
    return `(${values.map((value) => escape(value)).join(', ')})`;
  });
  await changeRows(
    ctx,
    `INSERT INTO correspondents (company_id, user_id, address_key, address, name, words, times, last_at, ranked_at)
     VALUES ${tuples.join(', ')}
     ON DUPLICATE KEY UPDATE
       words = IF(${staysNamed}, words, VALUES(words)), name = IF(${staysNamed}, name, VALUES(name)),
       address = VALUES(address), times = times + VALUES(times), last_at = GREATEST(last_at, VALUES(last_at)), ${ranked}`,
    [],
  );
  await noteLooks(
    ctx,
    rows.filter((row) => !known.has(nameOf(row))),
  );
  await noteWords(
    ctx,
    rows.filter((row) => !known.has(nameOf(row)) || (row.name !== '' && known.get(nameOf(row)) !== row.name)),
  );
}

/** Subtracts one message from the counts of its recipients, for a sender who takes it back. */
export async function forgetWriting(ctx: TxCtx, userId: string, addresses: readonly string[]): Promise<void> {
  const keys = [...new Set(addresses.flatMap((address) => normaliseAddress(address) ?? []))].toSorted();
  if (keys.length === 0) return;
  const once = 'DELETE FROM correspondents WHERE user_id = ? AND address_key IN (?) AND times <= 1';
  if ((await changeRows(ctx, once, [userId, keys])) > 0) await forgetLooks(ctx, userId, keys);
  await changeRows(
    ctx,
    `UPDATE correspondents SET times = times - 1, ${ranked} WHERE user_id = ? AND address_key IN (?)`,
    [userId, keys],
  );
}

/** Forgets that a person has written to an address. */
export async function forgetCorrespondent(ctx: Ctx, userId: string, address: string): Promise<void> {
  const key = normaliseAddress(address);
  if (key === null) return;
  await changeRows(ctx, 'DELETE FROM correspondents WHERE user_id = ? AND address_key = ?', [userId, key]);
  await forgetLooks(ctx, userId, [key]);
}

/** Whether a person has written to an address. */
export async function hasWrittenTo(ctx: Ctx, userId: string, address: string): Promise<boolean> {
  const key = normaliseAddress(address);
  if (key === null) return false;
  const statement = 'SELECT id FROM correspondents WHERE user_id = ? AND address_key = ?';
  return (await readRows(ctx, statement, [userId, key])).length > 0;
}

/** How many correspondents with one given word in their names are compared at most. */
const mostNamesakes = 500;

/**
 * The query forces an index: while a table fills, the statistics of the optimizer are out of date,
 * and it would choose by them.
 */
const withBothWords = `SELECT c.name, c.address FROM (
     SELECT correspondent_id FROM correspondent_words WHERE user_id = ? AND word = ? LIMIT ${mostNamesakes}
   ) one
   JOIN correspondent_words other FORCE INDEX (PRIMARY)
     ON other.user_id = ? AND other.word = ? AND other.correspondent_id = one.correspondent_id
   JOIN correspondents c ON c.id = one.correspondent_id`;

/**
 * The addresses of the people with this name to whom a person has written. The order of the words
 * in the name does not matter. A single word is not taken for a person's name. Nor is a name with a
 * word of an office, such as `Customer Service`.
 */
export async function findNamed(ctx: Ctx, userId: string, name: string): Promise<string[]> {
  const words = nameWords(name);
  const [first, second] = words.toSorted((one, other) => other.length - one.length);
  if (first === undefined || second === undefined || words.some((word) => trustWords.has(word))) return [];
  const rows = await readRows<NamedAddress>(
    ctx,
    // Tries each word as the first one, since either may occur in thousands of names
    `${withBothWords} UNION ${withBothWords}`,
    [userId, first, userId, second, userId, second, userId, first],
  );
  const wanted = words.toSorted().join(' ');
  return rows.filter((row) => nameWords(row.name).toSorted().join(' ') === wanted).map(({ address }) => address);
}

/** Removes a batch of a person's correspondents. Resolves to false when none was left. */
export async function eraseCorrespondents(ctx: Ctx, userId: string): Promise<boolean> {
  const removed = await changeRows(ctx, 'DELETE FROM correspondents WHERE user_id = ? LIMIT 500', [userId]);
  return removed > 0 || (await eraseLooks(ctx, userId));
}

/** One row for each person and address, sorted so that all calls lock rows in the same order. */
function rowsOf(writings: readonly Writing[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { userId, companyId, people, at } of writings) {
    for (const [key, { name, address }] of oncePerMessage(people)) {
      const row = rows.get(nameOf({ userId, key }));
      if (row === undefined) {
        rows.set(nameOf({ userId, key }), { userId, companyId, key, name, address, times: 1, lastAt: at });
      } else {
        row.times += 1;
        const isLater = at >= row.lastAt;
        if (name !== '' && (isLater || row.name === '')) row.name = name;
        if (isLater) Object.assign(row, { lastAt: at, address });
      }
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const nameOf = ({ userId, key }: Pick<Row, 'userId' | 'key'>): string => `${userId.padStart(20, '0')} ${key}`;

function oncePerMessage(people: readonly NamedAddress[]): Map<string, NamedAddress> {
  const once = new Map<string, NamedAddress>();
  for (const { name, address } of people) {
    const key = normaliseAddress(address);
    if (key === null) continue;
    const given = name.toLowerCase() === address.toLowerCase() ? '' : name.trim().slice(0, 255);
    const before = once.get(key);
    if (before === undefined || before.name === '') once.set(key, { name: given, address });
  }
  return once;
}

interface StoredRow {
  id: string;
  userId: string;
  key: string;
  name: string;
  words: string;
}

async function readCorrespondents(ctx: TxCtx, rows: readonly Row[]): Promise<StoredRow[]> {
  const places = [...Map.groupBy(rows, ({ userId }) => userId)].map(
    ([userId, own]) => `(user_id = ${escape(userId)} AND address_key IN (${escape(own.map(({ key }) => key))}))`,
  );
  const found = await readRows<StoredRow>(
    ctx,
    `SELECT id, user_id AS userId, address_key AS \`key\`, name, words FROM correspondents WHERE ${places.join(' OR ')}`,
    [],
  );
  return found.map((row) => ({ ...row, userId: String(row.userId) }));
}

/**
 * Words of an earlier name stay: a search finds a row by them and then compares its current words.
 */
async function noteWords(ctx: TxCtx, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const tuples = (await readCorrespondents(ctx, rows)).flatMap(({ id, userId, words }) =>
    words.split(' ').flatMap((word) => (word === '' ? [] : [`(${escape(userId)}, ${escape(word)}, ${escape(id)})`])),
  );
  await changeRows(
    ctx,
    `INSERT IGNORE INTO correspondent_words (user_id, word, correspondent_id) VALUES ${tuples.join(', ')}`,
    [],
  );
}

/** How many entries one step of the sweep reads. */
const entriesOfStep = 1000;

/**
 * Notes the recipients of messages that were sent before the host noted them with each message.
 * @param position `last/mark`: the id of the last entry that was read, and the id of the last entry
 * to read
 * @returns the next position; null at the end
 */
export async function noteEarlierWriting(ctx: Ctx, position: string): Promise<string | null> {
  const [last = 0, mark = 0] = position.split('/').map(Number);
  if (!(last < mark)) return null;
  return await inTransaction(ctx, async (tx) => {
    const ids = await readRows<{ id: string }>(
      tx,
      `SELECT id FROM mailbox_entries WHERE id > ? AND id <= ? ORDER BY id LIMIT ${entriesOfStep}`,
      [last, mark],
    );
    const end = ids.at(-1)?.id;
    if (end === undefined) return null;
    const next = `${end}/${mark}`;
    // The same transaction writes the position and the counts, so a repeated step counts no message
    // twice
    const moved = "UPDATE sweep_steps SET position = ? WHERE name = 'correspondents' AND position = ?";
    if ((await changeRows(tx, moved, [next, position])) === 0) return next;
    const sent = await readRows<SentRow>(
      tx,
      `SELECT e.user_id AS userId, e.company_id AS companyId, e.bcc_list AS bcc, m.to_list AS \`to\`, m.cc_list AS cc,
              m.created_at AS at
         FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
        WHERE e.id > ? AND e.id <= ? AND (e.send_status OR e.scheduled_status) AND NOT e.draft_status`,
      [last, end],
    );
    const writings = sent.map(({ userId, companyId, to, cc, bcc, at }) => {
      return { userId: String(userId), companyId: String(companyId), people: [to, cc, bcc].flatMap(peopleIn), at };
    });
    await noteCorrespondents(tx, writings);
    return next;
  });
}

interface SentRow {
  userId: string;
  companyId: string;
  to: string | string[] | null;
  cc: string | string[] | null;
  bcc: string | string[] | null;
  at: Date;
}

function peopleIn(list: string | string[] | null): NamedAddress[] {
  const texts = parseJsonColumn<string[] | null>(list) ?? [];
  return texts.flatMap((text) => readMailbox(text) ?? []);
}
