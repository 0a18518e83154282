import { changeStatus } from '@selvage/core/contracts/mail-folders';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { changesMade } from '../../hooks/use-action.ts';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentSubject } from '../../lib/session.ts';
import { stillHere } from '../../lib/still-here.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { trashWords } from '../../words/trash.ts';
import type { Deletable } from './deleting.ts';

interface Props {
  rows: readonly Deletable[];
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

/** Asks before messages of the trash, or of Junk, are deleted for good. */
export default function DeleteForGoodDialog({ rows, onDeleted, onClose }: Props) {
  const t = useWords(trashWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const number = rows.reduce((sum, { thread }) => sum + (thread?.count ?? 1), 0);
  const remove = async (): Promise<void> => {
    const isHere = stillHere();
    const done = await deleteForGood(rows);
    if (isHere()) onDeleted?.();
    const isPart = done < number && number > 1;
    await tellChanged(done === 0 ? t.noneDeleted : isPart ? t.partDeleted({ done, number }) : t.deleted(number));
  };
  return (
    <ConfirmDialog
      isDangerous
      title={t.deleteTitle(number)}
      text={t.deleteText}
      confirmLabel={t.delete}
      cancelLabel={cancel}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/**
 * Deletes messages that are still in their folder: what was restored meanwhile, here or in another
 * window, stays.
 * @returns how many were deleted
 */
async function deleteForGood(rows: readonly Deletable[]): Promise<number> {
  const isGrouped = rows.some(({ thread }) => thread);
  const as = currentSubject();
  let done = 0;
  for (const [from, own] of Map.groupBy(rows, folderOf)) {
    const body = { email_id: own.map(({ _id }) => _id), delete_status: true, from, whole_threads: isGrouped };
    for (let isLeft = true; isLeft; ) {
      await changesMade();
      const { changed, is_left } = await api(changeStatus, { body, as });
      done += changed;
      isLeft = is_left ?? false;
    }
  }
  return done;
}

function folderOf({ trash_status }: Deletable): 'trash' | 'junk' {
  return trash_status ? 'trash' : 'junk';
}
