import type { EmailRowDto } from '@selvage/core/contracts/email';
import { useState } from 'react';
import { placedAt } from './row-words.ts';
import { wasPutHere, withConfirmed } from './use-change-status.ts';

interface Held<R> {
  rows: readonly R[];
  /** How many new messages wait at the top. */
  waiting: number;
  /** Shows the waiting messages. */
  show: () => void;
}

interface List<R> {
  /** The person is at work in it. */
  isHeld: boolean;
  /** What the rows are a page of: with another address, rows show at once. */
  address: string;
  /** Whether it is the first page. */
  isFirst: boolean;
  /** The moment by which the list orders a row, ISO 8601. */
  placeOf?: (row: R) => string;
}

/**
 * Keeps the rows of a list in place while a person is at work in it. New messages wait at the top
 * and are counted. They also push rows from each page to the next, and those wait uncounted.
 * Changes of a row show at once.
 * @param fresh the rows as the server has them, newest first
 */
export function useHeldRows<R extends EmailRowDto>(
  fresh: readonly R[],
  { isHeld, address, isFirst, placeOf = placedAt }: List<R>,
): Held<R> {
  const [shown, setShown] = useState({ address, rows: fresh });
  const known = new Set(shown.rows.map(({ _id }) => _id));
  const newest = shown.rows[0] ? placeOf(shown.rows[0]) : '';
  const come = fresh.filter((row) => !known.has(row._id) && placeOf(row) > newest && !wasPutHere(row));
  const holds = isHeld && shown.address === address && shown.rows.length > 0 && come.length > 0;
  if (!holds) {
    if (shown.rows !== fresh || shown.address !== address) setShown({ address, rows: fresh });
    return { rows: fresh, waiting: 0, show: () => undefined };
  }
  return {
    rows: heldOver(shown.rows, fresh),
    waiting: isFirst ? come.length : 0,
    show: () => setShown({ address, rows: fresh }),
  };
}

/**
 * The rows that were shown, with the values they have now. A row can be missing among the fresh
 * ones because it was pushed off the end of the page, because its conversation has a newer message,
 * or because this person has moved it. Moved rows are recognised by their new flags.
 */
function heldOver<R extends EmailRowDto>(shown: readonly R[], fresh: readonly R[]): readonly R[] {
  const now = new Map(fresh.map((row) => [row._id, row]));
  return shown.map((row) => now.get(row._id) ?? withConfirmed(row));
}
