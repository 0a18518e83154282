import { useState } from 'react';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { stillHere } from '../../../lib/still-here.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { scheduledWords } from '../../../words/scheduled.ts';
import { type Scheduled, sendNow } from './scheduled-actions.ts';

interface Props {
  messages: readonly Scheduled[];
  onDone?: () => void;
  onClose: () => void;
}

/** Asked before messages leave sooner than planned: that cannot be taken back. */
export function SendNowQuestion({ messages, onDone, onClose }: Props) {
  const t = useWords(scheduledWords);
  const { cancel } = useWords(dialogWords);
  const [asked] = useState(messages);
  const send = async (): Promise<void> => {
    const isHere = stillHere();
    await sendNow(asked);
    if (isHere()) onDone?.();
  };
  return (
    <ConfirmDialog
      title={t.sendNowTitle(asked.length)}
      text={t.sendNowText}
      confirmLabel={t.sendNow}
      cancelLabel={cancel}
      onConfirm={send}
      onClose={onClose}
    />
  );
}
