import type { SqlValue } from '../database/run-sql.ts';

/** An SQL condition, and the values of its placeholders. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** Ids from the first to the last, both included. */
export interface Ids {
  first: string;
  last: string;
}

/** The ids of the rows of a period, from an index of the days. */
export interface IdRange {
  /** Null when there are no rows. */
  first: string | null;
  last: string | null;
  /** How many rows there are. */
  count: number;
}

/**
 * How many ids a row may take on average. Rows of one time have consecutive ids, with some gaps.
 */
const mostIdsOfRow = 5;

/**
 * Whether the ids are so far apart that most of the rows between them belong to other periods. A
 * wrong clock causes that.
 */
export function isWide({ first, last, count }: IdRange): boolean {
  return Number(last ?? 0) - Number(first ?? 0) > mostIdsOfRow * Number(count);
}

/**
 * A condition: an id is not in a range, or it is in one of the ranges that are taken out of it.
 * @param id an SQL expression
 */
export function outsideCondition(id: string, ids: Ids, takenOut: readonly Ids[] = []): Condition {
  return {
    sql: `(${id} NOT BETWEEN ? AND ? ${takenOut.map(() => `OR ${id} BETWEEN ? AND ?`).join(' ')})`,
    values: [ids, ...takenOut].flatMap(({ first, last }) => [first, last]),
  };
}
