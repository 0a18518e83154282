import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../lib/i18n.ts';
import { leavingWords } from '../../words/leaving.ts';

interface Props {
  /** What would be lost, in the middle of a sentence. */
  what: string;
  onAnswer: (isLeaving: boolean) => void;
}

/** Asks before typed work is thrown away. */
export default function LeaveDialog({ what, onAnswer }: Props) {
  const t = useWords(leavingWords);
  return (
    <ConfirmDialog
      title={t.title}
      text={t.text({ what })}
      confirmLabel={t.leave}
      cancelLabel={t.stay}
      isDangerous
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  );
}
