import { atom } from 'nanostores';
import { createContext, useContext } from 'react';

/** A list of mail with the open message beside it. */
export interface Pane {
  place: 'right' | 'bottom';
  /** The address of the list. */
  listAddress: string;
  /** The open message; null while there is none. */
  openId: string | null;
  /** Which part of the pane reads this context: the list, or the part beside it. */
  part: 'list' | 'beside';
}

export const PaneContext = createContext<Pane | null>(null);

/** The pane around this part of the screen; null if a page has the screen to itself. */
export const usePane = (): Pane | null => useContext(PaneContext);

/**
 * Whether rows are ticked in the list beside the open message. Keys that change mail then act on
 * those rows.
 */
export const hasTicked = atom(false);
