import { atom } from 'nanostores';
import { createContext, useContext } from 'react';

/** A list of mail with the open message beside it. */
export interface Pane {
  place: 'right' | 'bottom';
  /** The address of the list. */
  listAddress: string;
  /** The open message; null while there is none. */
  openId: string | null;
  /** What the reader looks at is the list itself, or what stands beside it. */
  part: 'list' | 'beside';
}

export const PaneContext = createContext<Pane | null>(null);

/** The pane that this part of the screen stands in; null where a page has the screen for itself. */
export const usePane = (): Pane | null => useContext(PaneContext);

/** Rows are ticked in the list beside the open message: keys that change mail mean these. */
export const hasTicked = atom(false);
