import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { DialogFrame } from './DialogFrame.tsx';

interface Props {
  title: string;
  doneLabel: string;
  /**
   * It shows what is not shown again: only its button closes it, and leaving the screen is asked
   * about.
   */
  isShownOnce?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Tells something, such as how the steps before it ended. Rendered only while it is open. */
export function InfoDialog({ title, doneLabel, isShownOnce = false, onClose, children }: Props) {
  const t = useWords(dialogWords);
  const end = useUnsavedWork(isShownOnce, { name: t.unsaved({ title }), survivesNavigation: false });
  const handleDone = (): void => {
    end();
    onClose();
  };
  return (
    <DialogFrame
      isAlert
      title={title}
      onClose={isShownOnce ? undefined : onClose}
      actions={
        <Button appearance="primary" onClick={handleDone}>
          {doneLabel}
        </Button>
      }
    >
      {children}
    </DialogFrame>
  );
}
