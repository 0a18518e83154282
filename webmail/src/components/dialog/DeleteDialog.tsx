import type { ReactNode } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface Props {
  title: string;
  /** What will be gone. */
  text: ReactNode;
  /** The word that has to be typed first, in capitals. */
  word?: string;
  /** Does it; a failure is shown inside, with another try. */
  onDelete: () => Promise<unknown>;
  /** Cancelled, or done. */
  onClose: () => void;
}

/** Asks before a record is deleted. */
export function DeleteDialog({ onDelete, ...question }: Props) {
  const t = useWords(dialogWords);
  return (
    <ConfirmDialog
      {...question}
      isDangerous
      confirmLabel={t.delete}
      busyLabel={t.deleting}
      cancelLabel={t.cancel}
      onConfirm={onDelete}
    />
  );
}
