import { atom } from 'nanostores';
import type { Labelled } from './use-change-labels.ts';

/** Where the menu of labels is open, and for which messages. */
interface Asked {
  /** It stands at this. */
  target: HTMLElement;
  records: readonly Labelled[];
}

/** The menu of labels, which buttons, keys and the menu of a row open. */
export const labelMenu = atom<Asked | null>(null);

export function openLabelMenu(target: HTMLElement | null | undefined, records: readonly Labelled[]): void {
  if (target && records.length > 0) labelMenu.set({ target, records });
}
