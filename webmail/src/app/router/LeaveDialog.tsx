import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';

interface Props {
  /** What would be lost, in the middle of a sentence. */
  what: string;
  onAnswer: (isLeaving: boolean) => void;
}

/** Asks before typed work is thrown away. */
export default function LeaveDialog({ what, onAnswer }: Props) {
  const t = useWords(dialogWords);
  return (
    <ConfirmDialog
      title={t.leaveTitle}
      text={t.leaveText({ what })}
      confirmLabel={t.leave}
      cancelLabel={t.stay}
      isDangerous
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  );
}
