import { Button, Field, ProgressBar } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { PartedRun } from '../../hooks/use-run-in-parts.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { FormMessage } from '../form/FormMessage.tsx';
import { DialogFrame } from './DialogFrame.tsx';

interface Props {
  title: string;
  /** What the person is told before it begins. */
  text: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  run: PartedRun;
  /** How far it has come, in words. */
  said: string;
  /** How much of the bar is full; left out where nothing says how much there is to do. */
  share?: { value: number; max: number };
}

/** Asks before a change that the server makes part by part, and then shows how far it has come. */
export function RunDialog({ title, text, confirmLabel, cancelLabel, run, said, share }: Props) {
  const t = useWords(dialogWords);
  return (
    <DialogFrame
      isAlert
      size="small"
      title={title}
      onClose={run.cancel}
      actions={
        <>
          <Button disabledFocusable={run.isStopping} onClick={run.cancel}>
            {run.isStopping ? t.stopping : run.hasBegun ? t.stop : cancelLabel}
          </Button>
          {!run.isBusy && (
            <Button appearance="primary" onClick={run.run}>
              {run.hasBegun ? t.goOn : confirmLabel}
            </Button>
          )}
        </>
      }
    >
      <FormMessage text={run.failure} />
      {run.hasBegun ? (
        <Field validationState="none" validationMessage={{ children: said, role: 'status' }}>
          <ProgressBar aria-label={title} {...share} />
        </Field>
      ) : (
        text
      )}
    </DialogFrame>
  );
}
