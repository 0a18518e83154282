import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { signatureWords } from '../../../words/signatures.ts';
import type { SignatureEntry } from './entries.ts';
import { dropUnsaved } from './unsaved.ts';
import { useRemoveSignature } from './use-save-signature.ts';

interface Props {
  entry: SignatureEntry;
  onRemoved: () => void;
  onClose: () => void;
}

/** Asks before a signature is deleted, or one that is not saved yet is thrown away. */
export function DeleteSignatureDialog({ entry, onRemoved, onClose }: Props) {
  const t = useWords(signatureWords);
  const { cancel: cancelLabel } = useWords(dialogWords);
  const removal = useRemoveSignature();
  const remove = async (): Promise<void> => {
    if (entry.saved) {
      await removal.mutateAsync(entry.saved._id).catch((error: unknown) => {
        // The dialog has one sentence for all reasons
        throw new Error(wordsOf(signatureWords).deleteFailed, { cause: error });
      });
    }
    dropUnsaved(entry.key);
    onRemoved();
    notify.success(t.deleted);
  };
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={t.deleteText({ name: entry.name })}
      confirmLabel={t.delete}
      busyLabel={t.deleting}
      cancelLabel={cancelLabel}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
