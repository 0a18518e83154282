import { changeDelivery, type QueueActionName } from '@selvage/core/contracts/queue';
import type { StoryDto } from '@selvage/core/contracts/trace';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { SenderActions } from './SenderActions.tsx';
import { useQueueActions } from './use-queue-actions.ts';

/** What can be done with a message that waits. */
export function StoryActions({ story }: { story: StoryDto }) {
  const t = useWords(queueWords);
  const mayChange = can(useCurrentUser(), changeDelivery);
  const { changeOne } = useQueueActions();
  const [isAsking, setAsking] = useState(false);
  const { _id: id, state, reason, sender, recipient } = story;
  const isHeld = state === 'held' && reason === 'held_by_administrator';
  if (!mayChange || story.is_received || story.direction !== 'out' || !(isHeld || state === 'queued')) return null;
  const act = (action: QueueActionName) => () =>
    void changeOne(action, id).catch((error: unknown) => notify.error(error));
  return (
    <>
      {isHeld && <Button onClick={act('release')}>{t.release}</Button>}
      {!isHeld && <Button onClick={act('retry')}>{t.retry}</Button>}
      {!isHeld && <Button onClick={act('hold')}>{t.hold}</Button>}
      <Button onClick={() => setAsking(true)}>{t.giveUp}</Button>
      {sender !== '' && <SenderActions sender={sender} />}
      {isAsking && (
        <ConfirmDialog
          title={t.giveUpTitle}
          text={t.giveUpOne({ recipient })}
          confirmLabel={t.giveUpConfirm}
          busyLabel={t.givingUp}
          cancelLabel={t.cancel}
          isDangerous
          onConfirm={() => changeOne('give_up', id)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
