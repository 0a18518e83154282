import { removeDrafts } from '@selvage/core/contracts/drafts';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { draftWords } from '../../words/drafts.ts';

/** Asks whether drafts are to be deleted for good: those that were chosen when it opened. */
export function DeleteDraftsDialog({ draftIds, onClose }: { draftIds: readonly string[]; onClose: () => void }) {
  const t = useWords(draftWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const [asked] = useState(draftIds);
  const remove = async (): Promise<void> => {
    await api(removeDrafts, { body: { draft_ids: [...asked] } });
    await tellChanged(t.deleted(asked.length));
  };
  return (
    <ConfirmDialog
      isDangerous
      title={t.deleteTitle(asked.length)}
      text={t.deleteText}
      confirmLabel={t.delete}
      cancelLabel={cancel}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
