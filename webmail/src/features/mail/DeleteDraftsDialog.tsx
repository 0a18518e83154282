import { removeDrafts } from '@selvage/core/contracts/drafts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { draftWords } from '../../words/drafts.ts';

/** A draft as its row shows it. */
export interface ShownDraft {
  id: string;
  version: number;
}

/**
 * Asks whether the drafts that were chosen when it opened are to be deleted for good. A draft that
 * was saved elsewhere since its row was loaded is not deleted, because the person has not seen its
 * new text.
 */
export function DeleteDraftsDialog({ drafts, onClose }: { drafts: readonly ShownDraft[]; onClose: () => void }) {
  const t = useWords(draftWords);
  const { cancel } = useWords(dialogWords);
  const client = useQueryClient();
  const tellChanged = useChanged(['mail']);
  const [asked] = useState(drafts);
  const remove = async (): Promise<void> => {
    const versions = Object.fromEntries(asked.map(({ id, version }) => [id, version]));
    try {
      await api(removeDrafts, { body: { draft_ids: asked.map(({ id }) => id), versions } });
    } catch (error) {
      void client.invalidateQueries({ queryKey: ['mail'] });
      throw error;
    }
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
