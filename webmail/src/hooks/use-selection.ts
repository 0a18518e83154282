import { useEffect, useMemo, useRef, useState } from 'react';

/** Which rows of the page in view are ticked. */
export interface Selection<Row> {
  chosen: Row[];
  isChosen: (key: string) => boolean;
  /**
   * Ticks or unticks a row; with `isRange` also all between it and the row that was pressed before,
   * or while there is none, the row `from`.
   */
  choose: (key: string, isChosen: boolean, isRange?: boolean, from?: string) => void;
  chooseAll: (isChosen: boolean) => void;
  /** Ticks the rows of the page that fit, and no other. */
  chooseThose: (fits: (row: Row) => boolean) => void;
  /** All, none, or some of the page. */
  share: boolean | 'mixed';
}

/**
 * Keeps the selection of a list. Rows that leave the page leave the selection, and come back
 * without a tick.
 * @param list what the rows are a list of: another one begins without ticks, although it may have
 *   some of the same rows
 */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string, list = ''): Selection<Row> {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [tickedIn, setTickedIn] = useState(list);
  const anchor = useRef<string | null>(null);
  const chosen = useMemo(() => rows.filter((row) => ticked.has(keyOf(row))), [rows, ticked, keyOf]);
  if (tickedIn !== list) {
    setTickedIn(list);
    setTicked(new Set());
  } else if (chosen.length < ticked.size) setTicked(new Set(chosen.map(keyOf)));
  useEffect(() => {
    anchor.current = null;
  }, [list]);

  const choose = (key: string, isChosen: boolean, isRange = false, from?: string): void => {
    const start = anchor.current ?? from ?? key;
    const keys = isRange ? keysBetween(rows.map(keyOf), start, key) : [key];
    anchor.current = key;
    setTicked((old) => {
      const next = new Set(old);
      for (const each of keys) {
        if (isChosen) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  };
  return {
    chosen,
    isChosen: (key) => ticked.has(key),
    choose,
    chooseAll: (isChosen) => {
      if (!isChosen) anchor.current = null;
      setTicked(new Set(isChosen ? rows.map(keyOf) : []));
    },
    chooseThose: (fits) => {
      anchor.current = null;
      setTicked(new Set(rows.filter(fits).map(keyOf)));
    },
    share: chosen.length === 0 ? false : chosen.length === rows.length ? true : 'mixed',
  };
}

function keysBetween(keys: string[], from: string, to: string): string[] {
  const [a, b] = [keys.indexOf(from), keys.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return keys.slice(Math.min(a, b), Math.max(a, b) + 1);
}
