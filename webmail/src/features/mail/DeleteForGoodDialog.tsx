import { changeStatus } from '@selvage/core/contracts/mail-folders';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { trashWords } from '../../words/trash.ts';

interface Props {
  ids: string[];
  /** How many messages these are. */
  number: number;
  /** The ids stand for conversations. */
  isGrouped: boolean;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

/** Asks before messages of the trash, or of Junk, are deleted for good. */
export default function DeleteForGoodDialog({ ids, number, isGrouped, onDeleted, onClose }: Props) {
  const t = useWords(trashWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const remove = async (): Promise<void> => {
    const body = { email_id: ids, delete_status: true, ...(isGrouped && { whole_threads: true }) };
    while ((await api(changeStatus, { body })).is_left);
    onDeleted?.();
    await tellChanged(t.deleted(number));
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
