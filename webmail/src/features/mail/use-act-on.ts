import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { Selection } from '../../hooks/use-selection.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

/**
 * Changes messages of a list. When the person has chosen all of the folder, a dialog asks before
 * the change.
 */
export function useActOn(
  selection: Selection<EmailRowDto>,
  whole: WholeFolderState,
): (records: readonly EmailRowDto[], patch: StatusPatch) => void {
  const changeStatus = useChangeStatus();
  return (records, patch) => {
    const isOfChosen = records === selection.chosen;
    // The person has chosen all of the folder, which is still being counted: a change of the page
    // alone would be wrong
    if (isOfChosen && whole.isMarking) return;
    // Messages in Junk or in the trash cannot be archived. A move sets all of these flags, so it is
    // no such case
    const isMove = patch.own_folder !== undefined;
    const isToArchive = !isMove && patch.archive_status !== undefined;
    const fitting = isToArchive ? records.filter(mayBeArchived) : records;
    if (fitting.length === 0) return;
    if (isOfChosen && whole.chosen) {
      whole.ask(patch);
      return;
    }
    // A message that the person has sent cannot be junk
    const meant = isMove || patch.junk_status === undefined ? fitting : fitting.filter(mayBeJunk);
    if (meant.length === 0) return;
    void changeStatus({ records: meant, patch, isSaid: true });
    if (isOfChosen) selection.chooseAll(false);
  };
}
