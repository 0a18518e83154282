import { RunDialog } from '../../components/dialog/RunDialog.tsx';
import { useRunInParts } from '../../hooks/use-run-in-parts.ts';
import { useWords } from '../../lib/i18n.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { wholeFolderWords } from '../../words/whole-folder.ts';
import { reasonInWords } from './reason-in-words.ts';
import { changePart, notBegun, type QueueAct, type QueueProgress, useQueueActions } from './use-queue-actions.ts';

interface Props {
  act: QueueAct;
  onClose: () => void;
}

/**
 * Asks before mail that waits is changed, and then shows how far that has come. What was changed
 * stays and is told, also where the person stops it or a part of it fails.
 */
export function QueueDialog({ act, onClose }: Props) {
  const t = useWords(queueWords);
  const shared = useWords(wholeFolderWords);
  const { tell } = useQueueActions();
  const { progress, ...run } = useRunInParts<QueueProgress>({
    start: notBegun,
    makePart: (now, as) => changePart(act, now, as),
    onEnd: async ({ changed }) => {
      onClose();
      await tell(act.action, changed);
    },
    onCancel: onClose,
  });
  const { action, domain, reason, count } = act;
  const { title, confirm } = {
    retry: { title: t.retryTitle, confirm: t.retry },
    hold: { title: t.holdTitle, confirm: t.hold },
    release: { title: t.releaseTitle, confirm: t.release },
    give_up: { title: t.giveUpManyTitle, confirm: t.giveUpConfirm },
  }[action];
  const ofAll = action === 'give_up' ? t.ofDomain({ domain }) : t.ofQueued({ domain });
  const done = Math.min(progress.changed, count);
  return (
    <RunDialog
      title={title(count)}
      text={
        <>
          <div>{reason === undefined ? ofAll : t.ofReason({ domain, reason: reasonInWords(reason) })}</div>
          {action === 'give_up' && <div>{t.reported}</div>}
        </>
      }
      confirmLabel={confirm}
      cancelLabel={t.cancel}
      run={run}
      said={shared.progress({ done, total: count })}
      share={{ value: done, max: Math.max(count, 1) }}
    />
  );
}
