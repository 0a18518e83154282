import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';

export type Question = 'missing' | 'empty' | 'clear' | 'discard';

interface Props {
  question: Question;
  onSettled: () => void;
  onSend: () => void;
  onClear: () => void;
  onDiscard: () => void;
}

/** What is asked before a message is sent or thrown away. */
export function ComposeQuestion({ question, onSettled, onSend, onClear, onDiscard }: Props) {
  const t = useWords(composeWords);
  switch (question) {
    case 'missing':
      return (
        <ConfirmDialog
          title={t.missingTitle}
          text={t.missingText}
          confirmLabel={t.ok}
          onConfirm={() => undefined}
          onClose={onSettled}
        />
      );
    case 'empty':
      return (
        <ConfirmDialog
          title={t.emptyTitle}
          text={t.emptyText}
          confirmLabel={t.sendAnyway}
          cancelLabel={t.cancel}
          onConfirm={onSend}
          onClose={onSettled}
        />
      );
    case 'clear':
      return (
        <ConfirmDialog
          isDangerous
          title={t.clearTitle}
          text={t.clearText}
          confirmLabel={t.clear}
          cancelLabel={t.cancel}
          onConfirm={onClear}
          onClose={onSettled}
        />
      );
    case 'discard':
      return (
        <ConfirmDialog
          isDangerous
          title={t.discardTitle}
          text={t.discardText}
          confirmLabel={t.discard}
          cancelLabel={t.keepWriting}
          onConfirm={onDiscard}
          onClose={onSettled}
        />
      );
  }
}
