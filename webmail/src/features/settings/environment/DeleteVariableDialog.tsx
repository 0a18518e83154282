import { removeVariable, type VariableDto } from '@selvage/core/contracts/environment';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { failureMessage } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { environmentWords } from '../../../words/environment.ts';
import { environmentKey } from './queries.ts';

interface Props {
  variable: VariableDto;
  onClose: () => void;
}

/** Takes a variable out of the list. */
export function DeleteVariableDialog({ variable, onClose }: Props) {
  const t = useWords(environmentWords);
  const shared = useWords(dialogWords);
  const client = useQueryClient();
  const { key } = variable;
  const remove = async (): Promise<void> => {
    try {
      await api(removeVariable, { params: { key } });
    } catch (error) {
      throw new Error(failureMessage(error, t.deleteFailed), { cause: error });
    }
    notify.success(t.deleted);
    await client.invalidateQueries({ queryKey: environmentKey });
  };
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={variable.has_effect ? t.deleteText({ key }) : t.deleteKeptText({ key })}
      confirmLabel={shared.delete}
      busyLabel={shared.deleting}
      cancelLabel={shared.cancel}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
