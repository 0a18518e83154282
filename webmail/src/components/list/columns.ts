import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  /** Unique within the table. */
  id: string;
  /** Its heading; on small screens the label before its value. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** Name of the column that the contract sorts by. */
  sort?: string;
  /** CSS width; the columns without one share what is left. */
  width?: string;
  /** Numbers and dates end at the right edge. */
  isAtEnd?: boolean;
  /** Left out where the table becomes cards. */
  isWideOnly?: boolean;
}

/** Something that can be done with a row. */
export interface RowAction {
  label: string;
  run: () => void;
  /** What it does cannot be taken back, or not easily. */
  isDangerous?: boolean;
}
