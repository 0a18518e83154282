import { useQueryClient } from '@tanstack/react-query';
import { RunDialog } from '../../components/dialog/RunDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { useRunInParts } from '../../hooks/use-run-in-parts.ts';
import { useWords } from '../../lib/i18n.ts';
import { applyFilterWords } from '../../words/mail-rules.ts';
import { wholeFolderWords } from '../../words/whole-folder.ts';
import { type ApplyProgress, applyPart, type Fitting } from './apply-filter.ts';

interface Props {
  fitting: Fitting;
  onClose: () => void;
}

/**
 * Asks whether a filter that was saved is also applied to the inbox, and then shows how far that
 * has come. The server does it part by part, so a person who stops it keeps what was done until
 * then.
 */
export function ApplyFilterDialog({ fitting, onClose }: Props) {
  const t = useWords(applyFilterWords);
  const { stopped } = useWords(wholeFolderWords);
  const client = useQueryClient();
  const finish = async ({ changed, until }: ApplyProgress): Promise<void> => {
    notify.success(until === null ? t.applied(changed) : stopped(changed));
    onClose();
    await client.invalidateQueries({ queryKey: ['mail'] });
  };
  const { progress, ...run } = useRunInParts<ApplyProgress>({
    start: { changed: 0, until: fitting.until },
    makePart: (now, as) => applyPart(fitting, now, as),
    onEnd: finish,
    onCancel: onClose,
  });
  return (
    <RunDialog
      title={fitting.isMore ? t.titleOfMore(fitting.count) : t.title(fitting.count)}
      text={
        <>
          <div>{t.text({ name: fitting.filter.name })}</div>
          {fitting.filter.actions.forward && <div>{t.notForwarded}</div>}
          <div>{t.noUndo}</div>
        </>
      }
      confirmLabel={t.apply}
      cancelLabel={t.notNow}
      run={run}
      said={t.progress(progress.changed)}
      {...(!fitting.isMore && { share: { value: Math.min(progress.changed, fitting.count), max: fitting.count } })}
    />
  );
}
