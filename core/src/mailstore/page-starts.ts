import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import type { SqlValue } from '../database/run-sql.ts';
import { RecentCache } from '../recent-cache.ts';

/*
 * A page far down a folder is found by skipping all index records before it, some milliseconds for
 * each ten thousand. So a process remembers where such pages began: whoever goes on from there, or
 * comes back, skips the records of one page.
 *
 * What is remembered counts for one state of the folder. What comes into a folder gets a new UID,
 * also when it comes back, so as long as UIDNEXT and the number of entries are the same, the folder
 * has the same entries in the same order.
 */

/** A list in the order of a moment and an id, both unsigned and never changed in one state. */
export interface OrderedList {
  /** Names the list among all others of the host. */
  name: string;
  /** Other text in any other state of the list. */
  state: string;
  /** The columns of its order. */
  columns: { at: string; id: string };
}

/** Rows of a list in one of its two directions. */
export interface Slice {
  order: 'ASC' | 'DESC';
  offset: number;
  count: number;
}

/** The part of a list that is read: what it begins with, and how many rows to skip from there. */
export interface SliceFrom {
  /** To be added to a WHERE: ` AND …`, or nothing. */
  condition: string;
  values: SqlValue[];
  skip: number;
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

/** Pages that begin before this row are read from the end of the list. */
const fromEnd = 1000;
const mostLists = 5000;
const startsOfList = 16;

const caches = new WeakMap<App, RecentCache<KeptStarts>>();

function cacheOf(app: App): RecentCache<KeptStarts> {
  const cache = caches.get(app) ?? new RecentCache<KeptStarts>(mostLists);
  caches.set(app, cache);
  return cache;
}

/** Reads a slice of a list from the nearest place that is known, and remembers where it began. */
export async function readFromNearest<Row extends Placed>(
  { app }: Ctx,
  list: OrderedList,
  slice: Slice,
  read: (from: SliceFrom) => Promise<Row[]>,
): Promise<Row[]> {
  const { offset, order } = slice;
  if (offset < fromEnd) return await read({ condition: '', values: [], skip: offset });
  const name = `${list.name} ${order}`;
  const kept = cacheOf(app).get(name);
  const known = kept?.state === list.state ? kept.starts : [];
  const rows = await read(fromStart(list, slice, nearest(known, offset)));
  const [first] = rows;
  if (first !== undefined) {
    const others = known.filter((start) => start.offset !== offset);
    const starts = [...others, { offset, at: first.at, id: String(first.id) }].slice(-startsOfList);
    cacheOf(app).set(name, { state: list.state, starts }, 1);
  }
  return rows;
}

function nearest(starts: readonly Start[], offset: number): Start | null {
  return starts.reduce<Start | null>(
    (best, start) => (start.offset <= offset && start.offset > (best?.offset ?? -1) ? start : best),
    null,
  );
}

function fromStart({ columns: { at, id } }: OrderedList, { order, offset }: Slice, start: Start | null): SliceFrom {
  if (start === null) return { condition: '', values: [], skip: offset };
  const [from, beyond] = order === 'DESC' ? ['<=', '<'] : ['>=', '>'];
  return {
    // Written as two ranges of the index, so that equal moments are skipped as well
    condition: ` AND (${at} ${beyond} ? OR (${at} = ? AND ${id} ${from} ?))`,
    values: [start.at, start.at, start.id],
    skip: offset - start.offset,
  };
}
