import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import type { SqlValue } from '../database/run-sql.ts';
import { RecentCache } from '../recent-cache.ts';

/*
 * To find a page far down a folder, the database skips the index records before it, which takes
 * some milliseconds for each ten thousand. So a process remembers where such pages began. A reader
 * who goes on from there, in either direction, or comes back, waits for the records of one page
 * only.
 *
 * A remembered place is valid for one state of the folder. Each entry that comes into a folder gets
 * a new UID, also when it comes back. So while UIDNEXT and the number of entries are the same, the
 * folder has the same entries in the same order.
 */

/** A list in the order of a moment and an id, the newest first. */
export interface OrderedList {
  /** Names the list among all others of the host. */
  name: string;
  /** Identifies the state of the list: any other state has another text. */
  state: string;
  /** The number of rows in this state. */
  total: number;
  /** The columns by which it is ordered. */
  columns: { at: string; id: string };
}

/** How to read some rows of an index from a place on. */
export interface Walk {
  order: 'ASC' | 'DESC';
  /** A part of the WHERE clause: ` AND …`, or nothing. */
  condition: string;
  values: SqlValue[];
  skip: number;
  count: number;
}

/** A row with its place in the order. */
interface Placed {
  at: Date;
  id: string;
}

interface Start extends Placed {
  offset: number;
}

interface KeptStarts {
  state: string;
  starts: Start[];
}

/**
 * Pages that begin before this row are always read from the newest, even if the stored total is
 * wrong.
 */
const nearNewest = 1000;
const mostLists = 5000;
const startsOfList = 16;

const caches = new WeakMap<App, RecentCache<KeptStarts>>();

function cacheOf(app: App): RecentCache<KeptStarts> {
  const cache = caches.get(app) ?? new RecentCache<KeptStarts>(mostLists);
  caches.set(app, cache);
  return cache;
}

/**
 * The rows of a page, newest first, read from the nearer end of a list.
 * @param read gives `count` rows after the first `offset` ones in an order
 */
export async function readSlice<Row>(
  { total, offset, limit }: { total: number; offset: number; limit: number },
  read: (order: 'ASC' | 'DESC', offset: number, count: number) => Promise<Row[]>,
): Promise<Row[]> {
  if (offset < nearNewest) return await read('DESC', offset, limit);
  if (offset >= total) return [];
  if (offset <= total / 2) return await read('DESC', offset, limit);
  const count = Math.min(limit, total - offset);
  return (await read('ASC', total - offset - count, count)).reverse();
}

/**
 * Reads the rows of a page, the newest first: from the nearer end of the list, or from a remembered
 * place that is nearer. Then it remembers where the page began. Use `readSlice` for a list whose
 * state can't be identified.
 */
export async function readPage<Row extends Placed>(
  { app }: Ctx,
  list: OrderedList,
  { offset, limit }: { offset: number; limit: number },
  read: (walk: Walk) => Promise<Row[]>,
): Promise<Row[]> {
  const fromNewest: Walk = { order: 'DESC', condition: '', values: [], skip: offset, count: limit };
  if (offset < nearNewest) return await read(fromNewest);
  if (offset >= list.total) return [];
  const kept = cacheOf(app).get(list.name);
  const known = kept?.state === list.state ? kept.starts : [];
  const count = Math.min(limit, list.total - offset);
  const fromOldest: Walk = { ...fromNewest, order: 'ASC', skip: list.total - offset - count, count };
  const walks = [fromNewest, fromOldest, ...known.flatMap((start) => walkFrom(list, start, { offset, count }))];
  const walk = walks.reduce((best, one) => (one.skip < best.skip ? one : best));
  const rows = await read(walk);
  if (walk.order === 'ASC') rows.reverse();
  const [first] = rows;
  if (first !== undefined) {
    const others = known.filter((start) => start.offset !== offset);
    const starts = [...others, { offset, at: first.at, id: String(first.id) }].slice(-startsOfList);
    cacheOf(app).set(list.name, { state: list.state, starts }, 1);
  }
  return rows;
}

/** The walk from a remembered row to a page; none when the row is in the middle of the page. */
function walkFrom(
  { columns: { at, id } }: OrderedList,
  start: Start,
  { offset, count }: { offset: number; count: number },
): Walk[] {
  // Written as two ranges of the index, so that rows of the same moment are skipped as well
  const from = (beyond: string, same: string): string => ` AND (${at} ${beyond} ? OR (${at} = ? AND ${id} ${same} ?))`;
  const values = [start.at, start.at, start.id];
  if (start.offset <= offset) {
    return [{ order: 'DESC', condition: from('<', '<='), values, skip: offset - start.offset, count }];
  }
  const skip = start.offset - offset - count;
  return skip < 0 ? [] : [{ order: 'ASC', condition: from('>', '>'), values, skip, count }];
}
