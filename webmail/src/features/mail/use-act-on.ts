import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { Selection } from '../../hooks/use-selection.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

/**
 * Changes messages of a list. With those that are ticked, all of the folder may be meant; that is
 * confirmed before it is done.
 */
export function useActOn(
  selection: Selection<EmailRowDto>,
  whole: WholeFolderState,
): (records: readonly EmailRowDto[], patch: StatusPatch) => void {
  const changeStatus = useChangeStatus();
  return (records, patch) => {
    const isOfChosen = records === selection.chosen;
    // all of the folder was asked for and is being counted: the page alone is not meant
    if (isOfChosen && whole.isMarking) return;
    // Nothing in Junk or in the trash would go to the archive. A move names all of these flags
    const isMove = patch.own_folder !== undefined;
    const isToArchive = !isMove && patch.archive_status !== undefined;
    const fitting = isToArchive ? records.filter(mayBeArchived) : records;
    if (fitting.length === 0) return;
    if (isOfChosen && whole.chosen) {
      whole.ask(patch);
      return;
    }
    // Nothing that the person has sent is junk
    const meant = isMove || patch.junk_status === undefined ? fitting : fitting.filter(mayBeJunk);
    if (meant.length === 0) return;
    void changeStatus({ records: meant, patch, isSaid: true });
    if (isOfChosen) selection.chooseAll(false);
  };
}
