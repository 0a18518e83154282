import { Button } from '@fluentui/react-components';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';

/** What is to become of unsent messages when their writer logs out. */
export type LogoutAnswer = 'keep' | 'discard' | 'stay';

interface Props {
  /** How many there are. */
  count: number;
  onAnswer: (answer: LogoutAnswer) => void;
}

/** Asks what is to become of unsent messages. */
export default function LogoutDialog({ count, onAnswer }: Props) {
  const t = useWords(unsentWords);
  return (
    <DialogFrame
      isAlert
      size="small"
      title={t.leaveTitle}
      onClose={() => onAnswer('stay')}
      actions={
        <>
          <Button onClick={() => onAnswer('stay')}>{t.stay}</Button>
          <Button onClick={() => onAnswer('discard')}>{t.leaveDiscard}</Button>
          <Button appearance="primary" onClick={() => onAnswer('keep')}>
            {t.leaveKeep}
          </Button>
        </>
      }
    >
      {t.leaveText(count)}
    </DialogFrame>
  );
}
