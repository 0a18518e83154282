import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { DialogFrame } from './DialogFrame.tsx';

interface Props {
  title: string;
  doneLabel: string;
  /** It shows what is not shown again: only its button closes it. */
  isShownOnce?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Tells something, such as how the steps before it ended. Rendered only while it is open. */
export function InfoDialog({ title, doneLabel, isShownOnce = false, onClose, children }: Props) {
  return (
    <DialogFrame
      isAlert
      title={title}
      onClose={isShownOnce ? undefined : onClose}
      actions={
        <Button appearance="primary" onClick={onClose}>
          {doneLabel}
        </Button>
      }
    >
      {children}
    </DialogFrame>
  );
}
