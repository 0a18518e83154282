import type { SqlValue } from '../database/run-sql.ts';

/** An SQL condition, and the values of its place holders. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** Ids from the first to the last, both included. */
export interface Ids {
  first: string;
  last: string;
}

/** The ids of the rows that came in a period, as an index of the days says them. */
export interface IdRange {
  /** Null where nothing came. */
  first: string | null;
  last: string | null;
  /** How many rows there are. */
  count: number;
}

/** Rows that came at one moment have ids that follow each other, but for some gaps. */
const mostIdsOfRow = 5;

/**
 * Whether the ids lie so far apart that most of the rows between them are of other periods. A clock
 * that was wrong does that.
 */
export function isWide({ first, last, count }: IdRange): boolean {
  return Number(last ?? 0) - Number(first ?? 0) > mostIdsOfRow * Number(count);
}

/**
 * A condition: an id is not among some ids, or it is among those that are taken out of them.
 * @param id an SQL expression
 */
export function isOutside(id: string, ids: Ids, takenOut: readonly Ids[] = []): Condition {
  return {
    sql: `(${id} NOT BETWEEN ? AND ? ${takenOut.map(() => `OR ${id} BETWEEN ? AND ?`).join(' ')})`,
    values: [ids, ...takenOut].flatMap(({ first, last }) => [first, last]),
  };
}
