import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { useWords } from '../../../lib/i18n.ts';
import { askBeforeLeaving } from '../../../lib/leave.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { discardAll, parkAll, unsentOfOwner } from './unsent.ts';

type Settle = (isLeaving: boolean) => void;

/** Before a person logs out, asks what is to become of their unsent messages. */
export function LeaveQuestion() {
  const t = useWords(unsentWords);
  const [asked, setAsked] = useState<{ count: number; settle: Settle } | null>(null);
  useEffect(
    () =>
      askBeforeLeaving(async () => {
        const count = await unsentOfOwner();
        if (count === 0) return true;
        return new Promise<boolean>((settle) => setAsked({ count, settle }));
      }),
    [],
  );
  if (!asked) return null;
  const answer = async (isLeaving: boolean, before?: () => Promise<void>): Promise<void> => {
    setAsked(null);
    await before?.();
    asked.settle(isLeaving);
  };
  return (
    <DialogFrame
      isAlert
      size="small"
      title={t.leaveTitle}
      onClose={() => void answer(false)}
      actions={
        <>
          <Button onClick={() => void answer(false)}>{t.stay}</Button>
          <Button onClick={() => void answer(true, discardAll)}>{t.leaveDiscard}</Button>
          <Button appearance="primary" onClick={() => void answer(true, parkAll)}>
            {t.leaveKeep}
          </Button>
        </>
      }
    >
      {t.leaveText(asked.count)}
    </DialogFrame>
  );
}
