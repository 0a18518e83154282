import { Button, Field, ProgressBar } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { DialogFrame } from '../../components/dialog/DialogFrame.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { messageOf } from '../../lib/api-error.ts';
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
  const whole = useWords(wholeFolderWords);
  const client = useQueryClient();
  const hasStopped = useRef(false);
  const [isStopping, setStopping] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [progress, setProgress] = useState<ApplyProgress>({ changed: 0, until: fitting.until });
  const hasBegun = isBusy || progress.until !== fitting.until;

  const finish = async ({ changed, until }: ApplyProgress): Promise<void> => {
    notify.success(until === null ? t.applied(changed) : whole.stopped(changed));
    onClose();
    await client.invalidateQueries({ queryKey: ['mail'] });
  };
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    let now = progress;
    try {
      while (now.until !== null && !hasStopped.current) {
        now = await applyPart(fitting, { ...now, until: now.until });
        setProgress(now);
      }
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
      return;
    }
    await finish(now);
  };
  const handleCancel = (): void => {
    if (isBusy) {
      hasStopped.current = true;
      setStopping(true);
    } else if (hasBegun) void finish(progress);
    else onClose();
  };
  const title = fitting.isMore ? t.titleOfMore(fitting.count) : t.title(fitting.count);
  return (
    <DialogFrame
      isAlert
      size="small"
      title={title}
      onClose={handleCancel}
      actions={
        <>
          <Button disabledFocusable={isStopping} onClick={handleCancel}>
            {isStopping ? whole.stopping : hasBegun ? whole.stop : t.notNow}
          </Button>
          {!isBusy && (
            <Button appearance="primary" onClick={() => void run()}>
              {hasBegun ? whole.goOn : t.apply}
            </Button>
          )}
        </>
      }
    >
      <FormMessage text={failure} />
      {hasBegun ? (
        <Field validationState="none" validationMessage={{ children: t.progress(progress.changed), role: 'status' }}>
          <ProgressBar
            aria-label={title}
            {...(!fitting.isMore && { value: Math.min(progress.changed, fitting.count), max: fitting.count })}
          />
        </Field>
      ) : (
        <>
          <div>{t.text({ name: fitting.filter.name })}</div>
          {fitting.filter.actions.forward && <div>{t.notForwarded}</div>}
          <div>{t.noUndo}</div>
        </>
      )}
    </DialogFrame>
  );
}
