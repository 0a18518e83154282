import { markFolder } from '@selvage/core/contracts/mail-folders';
import { useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { api } from '../../lib/api.ts';
import type { LabelsOfAll } from './labels/label-menu.ts';
import type { MailPlace } from './mail-place.ts';
import { isWholeFolder, type WholeChoice, type WholePatch } from './whole-folder.ts';

/** A change, and the choice it was asked for. */
interface AskedOfWhole {
  choice: WholeChoice;
  patch: WholePatch;
}

/** The choice of a whole folder, beside the ticks of the page in view. */
export interface WholeFolderState {
  /** Null while only rows of the page are chosen. */
  chosen: WholeChoice | null;
  isMarking: boolean;
  choose: () => void;
  clear: () => void;
  /** What the person has asked for, which is confirmed before it is done. */
  asked: AskedOfWhole | null;
  /**
   * Asks for a change of what is `chosen` here. A dialog or a menu may call it late: by then the
   * list may have changed, and the folder is not chosen any more.
   */
  ask: (patch: WholePatch) => void;
  cancel: () => void;
}

/** What the menu of labels does while all of a folder is chosen; undefined while it is not. */
export function labelsOfAll({ chosen, ask }: WholeFolderState): LabelsOfAll | undefined {
  return chosen ? { number: chosen.total, onPut: (label, isOn) => ask({ label, isOn }) } : undefined;
}

const nothing = (): void => undefined;

/** Of a list that is no folder: all of it is never chosen. */
export const noWhole: WholeFolderState = {
  chosen: null,
  isMarking: false,
  choose: nothing,
  clear: nothing,
  asked: null,
  ask: nothing,
  cancel: nothing,
};

/**
 * Whether the person has chosen all of a folder. It is so only while all rows of the page are
 * ticked: unticking one of them, or turning the page, ends it.
 */
export function useWholeFolder(folder: MailPlace, selection: Pick<Selection<unknown>, 'share' | 'chooseAll'>) {
  const [chosen, setChosen] = useState<WholeChoice | null>(null);
  const [isMarking, setMarking] = useState(false);
  const [asked, setAsked] = useState<AskedOfWhole | null>(null);
  if (chosen && (selection.share !== true || chosen.folder !== folder)) setChosen(null);

  const mark = async (): Promise<void> => {
    if (isMarking || !isWholeFolder(folder)) return;
    setMarking(true);
    try {
      const { until, total } = await api(markFolder, { query: { folder } });
      setChosen({ folder, until, total });
    } catch (error) {
      notify.error(error);
    } finally {
      setMarking(false);
    }
  };
  const clear = (): void => {
    setChosen(null);
    setAsked(null);
    selection.chooseAll(false);
  };
  const state: WholeFolderState = {
    chosen,
    isMarking,
    choose: () => void mark(),
    clear,
    asked,
    ask: (patch) => chosen && setAsked({ choice: chosen, patch }),
    cancel: () => setAsked(null),
  };
  return state;
}
