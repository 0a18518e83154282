import { signOf } from '@selvage/core/contracts/key-sign';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Selection } from '../../hooks/use-selection.ts';

interface Choosable {
  _id: string;
  read_status?: boolean;
  star_status?: boolean;
}

interface Options<Row> {
  rows: readonly Row[];
  selection: Selection<Row>;
  /** The row that had the focus last. */
  focusedRow: () => Row | undefined;
  move: (step: 1 | -1) => void;
}

interface Held {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

const isAdding = ({ ctrlKey, metaKey }: Held): boolean => ctrlKey || metaKey;

/**
 * The row under the pointer; null over its tick and its buttons, which keep their own action with
 * any modifier key.
 */
function entryUnder(target: EventTarget): HTMLElement | null {
  if (!(target instanceof Element) || target.closest('label, h2, button:not([data-row-link])')) return null;
  return target.closest<HTMLElement>('[data-entry]');
}

/**
 * Chooses rows of a list with Ctrl or Cmd (one more, or one less) and with Shift (all up to there),
 * by pointer and by key. Opening a message in a new tab stays with the middle button, Ctrl+Enter
 * and the menu of the row.
 */
export function useRowChoice<Row extends Choosable>({ rows, selection, focusedRow, move }: Options<Row>) {
  const toggle = (id: string): void => selection.choose(id, !selection.isChosen(id));
  const reach = (id: string): void => selection.choose(id, true, true, focusedRow()?._id);

  /** Extends the ticks to the next row. On the way back, unticks the row that the focus leaves. */
  const extend = (step: 1 | -1): void => {
    const row = focusedRow();
    const next = row && rows[rows.indexOf(row) + step];
    if (!row || !next) return;
    if (selection.isChosen(row._id) && selection.isChosen(next._id)) selection.choose(row._id, false);
    else {
      selection.choose(row._id, true);
      selection.choose(next._id, true);
    }
    move(step);
  };

  const onClickCapture = (event: MouseEvent): void => {
    // A click that a key made, such as Ctrl+Enter, is left to the link
    if (event.detail === 0 || !(isAdding(event) || event.shiftKey)) return;
    const item = entryUnder(event.target);
    const id = item?.dataset['entry'];
    if (!item || id === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) reach(id);
    else toggle(id);
    item.querySelector<HTMLElement>('[data-row-link]')?.focus();
  };

  const onMouseDown = (event: MouseEvent): void => {
    // The browser would select the text between the rows
    if (event.shiftKey && event.button === 0 && entryUnder(event.target)) event.preventDefault();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const run = keyOf(event);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };

  const keyOf = (event: KeyboardEvent): (() => void) | null => {
    const { key, shiftKey, altKey } = event;
    const row = focusedRow();
    if (altKey) return null;
    if (isAdding(event)) {
      if (signOf(event) === 'a') return () => selection.chooseAll(true);
      return key === ' ' && !shiftKey && row ? () => toggle(row._id) : null;
    }
    if (key === 'Escape' && selection.chosen.length > 0) return () => selection.chooseAll(false);
    if (shiftKey && key === 'ArrowDown') return () => extend(1);
    if (shiftKey && key === 'ArrowUp') return () => extend(-1);
    return null;
  };

  return {
    /** Event handlers for the list. */
    listens: { onClickCapture, onMouseDown, onKeyDown },
    /** Keys besides those that move. */
    keys: {
      x: () => {
        const row = focusedRow();
        if (row) toggle(row._id);
      },
      X: () => {
        const row = focusedRow();
        if (row) selection.choose(row._id, true, true);
      },
      '*a': () => selection.chooseAll(true),
      '*n': () => selection.chooseAll(false),
      '*r': () => selection.chooseThose(({ read_status }) => read_status === true),
      '*u': () => selection.chooseThose(({ read_status }) => read_status === false),
      '*s': () => selection.chooseThose(({ star_status }) => star_status === true),
      '*t': () => selection.chooseThose(({ star_status }) => star_status === false),
    },
  };
}
