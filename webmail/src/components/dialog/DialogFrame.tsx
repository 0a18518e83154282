import {
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { type ReactNode, useRef, useState } from 'react';
import type { FormFrame } from '../../hooks/use-form.ts';
import { useFirstField } from '../../hooks/use-first-field.ts';
import { useFocusReturn } from '../../hooks/use-focus-return.ts';
import { DiscardQuestion } from './DiscardQuestion.tsx';

const useStyles = makeStyles({
  small: { maxWidth: '440px' },
  medium: { maxWidth: '600px' },
  large: { maxWidth: '860px' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  actions: { flexWrap: 'wrap', paddingTop: tokens.spacingVerticalS },
});

interface Props {
  title: string;
  children: ReactNode;
  /** The buttons, the one that goes on last. */
  actions: ReactNode;
  /** Closes it: Escape and a Cancel button come here. Left out, the dialog is closed by its own buttons alone. */
  onClose?: (() => void) | undefined;
  /** Something was typed: Escape asks before it is thrown away. */
  isDirty?: boolean;
  /** While work is under way nothing closes it. */
  isBusy?: boolean;
  /** A question that has to be answered; screen readers say so. */
  isAlert?: boolean;
  size?: 'small' | 'medium' | 'large';
  /** Where it stands: when that changes, the focus goes to the first field again. */
  step?: string;
  /** The form that content and buttons are part of. */
  form?: Pick<FormFrame, 'formRef' | 'handleSubmit'>;
}

/**
 * The one frame of all dialogs. Rendered only while it is open. A press beside it never closes it, Escape never loses typed
 * text unasked, and the focus goes to the first field and afterwards back to where it was.
 */
export function DialogFrame(props: Props) {
  const { title, children, actions, onClose, form, step = title, size = 'medium' } = props;
  const { isDirty = false, isBusy = false, isAlert = false } = props;
  useFocusReturn();
  const styles = useStyles();
  const surfaceRef = useRef<HTMLDivElement>(null);
  const [isAsking, setAsking] = useState(false);
  useFirstField(surfaceRef, step);

  const handleEscape = (): void => {
    if (isBusy || !onClose) return;
    if (isDirty) setAsking(true);
    else onClose();
  };
  const inside = (
    <DialogBody>
      <DialogTitle action={null}>{title}</DialogTitle>
      <DialogContent className={styles.content}>{children}</DialogContent>
      <DialogActions fluid className={styles.actions}>
        {actions}
      </DialogActions>
    </DialogBody>
  );
  return (
    <Dialog open modalType={isAlert ? 'alert' : 'modal'} onOpenChange={(_event, data) => !data.open && handleEscape()}>
      <DialogSurface
        ref={surfaceRef}
        className={styles[size]}
        backdrop={{ onClick: (event) => event.preventDefault() }}
      >
        {form ? (
          <form ref={form.formRef} noValidate onSubmit={form.handleSubmit}>
            {inside}
          </form>
        ) : (
          inside
        )}
        {isAsking && onClose && <DiscardQuestion onDiscard={onClose} onClose={() => setAsking(false)} />}
      </DialogSurface>
    </Dialog>
  );
}
