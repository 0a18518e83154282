import type { LabelDto } from '@selvage/core/contracts/labels';
import { atom } from 'nanostores';
import type { Labelled } from './use-change-labels.ts';

/** The change of labels for all of a folder, of which the page shows a part. */
export interface LabelsOfAll {
  /** How many messages the folder has. */
  number: number;
  onPut: (label: Pick<LabelDto, '_id' | 'name'>, isOn: boolean) => void;
}

/** Where the menu of labels is open, and for which messages. */
interface Asked {
  /** The element at which the menu opens. */
  target: HTMLElement;
  records: readonly Labelled[];
  ofAll: LabelsOfAll | undefined;
}

/** The menu of labels, which buttons, keys and the menu of a row open. */
export const labelMenu = atom<Asked | null>(null);

export function openLabelMenu(
  target: HTMLElement | null | undefined,
  records: readonly Labelled[],
  ofAll?: LabelsOfAll,
): void {
  if (target && records.length > 0) labelMenu.set({ target, records, ofAll });
}
