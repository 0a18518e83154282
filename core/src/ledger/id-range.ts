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
