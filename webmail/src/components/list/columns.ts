import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  /**
   * Unique within the table. Where the contract sorts by a column of this name, the heading sorts
   * by it.
   */
  id: string;
  /** Its heading; on small screens the label before its value. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** The same as text, for an exported file; a column without it is not exported. */
  text?: (row: Row) => string;
  /** CSS width; the columns without one share what is left, but for those at the end. */
  width?: string;
  /** Numbers and dates end at the right edge, and need little width. */
  isAtEnd?: boolean;
  /** Left out where the table becomes cards. */
  isWideOnly?: boolean;
}

/** The width of a column with a day and a time of day: `Nov 25, 2026, 11:08 PM`. */
export const TIME_WIDTH = '212px';

/** Something that can be done with a row. */
export interface RowAction {
  label: string;
  run: () => void;
  /** What it does cannot be taken back, or not easily. */
  isDangerous?: boolean;
}
