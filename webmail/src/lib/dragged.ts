import { atom } from 'nanostores';

/** What a person is dragging, for the pages of the navigation on which it can be dropped. */
export interface Dragged {
  /** Whether the page of this path takes it. */
  fits: (path: string) => boolean;
  drop: (path: string) => void;
}

export const dragged = atom<Dragged | null>(null);
