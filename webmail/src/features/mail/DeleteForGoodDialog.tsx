import { changeStatus } from '@selvage/core/contracts/mail';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { trashWords } from '../../words/trash.ts';

/** Asks before messages of the trash are deleted for good. */
export default function DeleteForGoodDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const t = useWords(trashWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const remove = async (): Promise<void> => {
    await api(changeStatus, { body: { email_id: ids, delete_status: true } });
    await tellChanged(t.deleted(ids.length));
  };
  return (
    <ConfirmDialog
      isDangerous
      title={t.deleteTitle(ids.length)}
      text={t.deleteText}
      confirmLabel={t.delete}
      cancelLabel={cancel}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
