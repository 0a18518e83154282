import { markFolder } from '@selvage/core/contracts/mail-folders';
import { useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { changesMade } from '../../hooks/use-action.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { api } from '../../lib/api.ts';
import type { LabelsOfAll } from './labels/label-menu.ts';
import type { MailPlace } from './mail-place.ts';
import { isWholeFolder, type WholeChoice, type WholePatch } from './whole-folder.ts';

/** A requested change, and the choice it applies to. */
interface AskedOfWhole {
  choice: WholeChoice;
  patch: WholePatch;
}

/** The choice of a whole folder, in addition to the ticks of the visible page. */
export interface WholeFolderState {
  /** Null while only rows of the page are chosen. */
  chosen: WholeChoice | null;
  isMarking: boolean;
  choose: () => void;
  clear: () => void;
  /** The change that the person has requested and must confirm. */
  asked: AskedOfWhole | null;
  /**
   * Requests a change of the folder that was chosen when this object was made. A dialog or a menu
   * may call it late, when the list has changed and the folder is no longer chosen.
   */
  ask: (patch: WholePatch) => void;
  cancel: () => void;
}

/** The label change for all of a folder; undefined while the folder is not chosen. */
export function labelsOfAll({ chosen, ask }: WholeFolderState): LabelsOfAll | undefined {
  return chosen ? { number: chosen.total, onPut: (label, isOn) => ask({ label, isOn }) } : undefined;
}

const nothing = (): void => undefined;

/** For a list that is no folder, of which all can never be chosen. */
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
      await changesMade();
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
