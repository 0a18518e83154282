import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { composeWords } from '../../../words/compose.ts';

export type Question = 'late' | 'missing' | 'empty' | 'files' | 'clear' | 'discard' | 'plain';

interface Props {
  question: Question;
  onSettled: () => void;
  onSend: () => void;
  onClear: () => void;
  onDiscard: () => void;
  onPlain: () => void;
}

/** The question before a message is sent or a part of it is lost. */
export function ComposeQuestion({ question, onSettled, onSend, onClear, onDiscard, onPlain }: Props) {
  const t = useWords(composeWords);
  const questions: Record<Question, Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'>> = {
    late: {
      title: t.lateTitle,
      text: t.lateText,
      confirmLabel: t.sendNow,
      cancelLabel: t.goBack,
      onConfirm: onSend,
    },
    missing: { title: t.missingTitle, text: t.missingText, confirmLabel: t.ok, onConfirm: () => undefined },
    empty: {
      title: t.emptyTitle,
      text: t.emptyText,
      confirmLabel: t.sendAnyway,
      cancelLabel: t.cancel,
      onConfirm: onSend,
    },
    files: {
      title: t.filesTitle,
      text: t.filesText,
      confirmLabel: t.sendAnyway,
      cancelLabel: t.goBack,
      onConfirm: onSend,
    },
    clear: {
      isDangerous: true,
      title: t.clearTitle,
      text: t.clearText,
      confirmLabel: t.clear,
      cancelLabel: t.cancel,
      onConfirm: onClear,
    },
    discard: {
      isDangerous: true,
      title: t.discardTitle,
      text: t.discardText,
      confirmLabel: t.discard,
      cancelLabel: t.keepWriting,
      onConfirm: onDiscard,
    },
    plain: {
      isDangerous: true,
      title: t.plainTitle,
      text: t.plainText,
      confirmLabel: t.makePlain,
      cancelLabel: t.cancel,
      onConfirm: onPlain,
    },
  };
  return <ConfirmDialog {...questions[question]} onClose={onSettled} />;
}
