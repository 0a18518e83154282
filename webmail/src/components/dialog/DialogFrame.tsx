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
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import { useLastingFocusManager } from '../../hooks/use-lasting-focus-manager.tsx';
import { dialogSize, focusRingInside } from '../../theme/styles.ts';
import { asksToClose } from './asks-to-close.ts';
import { DiscardQuestion } from './DiscardQuestion.tsx';

const useStyles = makeStyles({
  small: dialogSize('440px'),
  medium: dialogSize('600px'),
  large: dialogSize('860px'),
  // The frame's height without its padding and border
  body: { maxHeight: 'calc(100dvh - 82px)' },
  content: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    // Room for the ring of the pane itself, and of what stands at its edge
    margin: `0 calc(-1 * ${tokens.spacingHorizontalS})`,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    ...focusRingInside,
  },
  actions: { flexWrap: 'wrap', paddingTop: tokens.spacingVerticalS },
});

interface Props {
  title: string;
  children: ReactNode;
  /** The buttons, the one that goes on last. */
  actions: ReactNode;
  /**
   * Closes it: Escape and a Cancel button come here. Left out, the dialog is closed by its own
   * buttons alone.
   */
  onClose?: (() => void) | undefined;
  /** Something was typed: Escape asks before it is thrown away. */
  isDirty?: boolean;
  /** While work is under way nothing closes it. */
  isBusy?: boolean;
  /** A question that has to be answered; screen readers say so. */
  isAlert?: boolean;
  size?: 'small' | 'medium' | 'large';
  /** The step that it shows: when that changes, the focus goes to the first field again. */
  step?: string;
  /** The form that content and buttons are part of. */
  form?: Pick<FormFrame, 'formRef' | 'handleSubmit'>;
}

/**
 * The one frame of all dialogs. Rendered only while it is open. A press beside it never closes it,
 * Escape never loses typed text unasked, and the focus goes to the first field and afterwards back
 * to where it was.
 */
export function DialogFrame(props: Props) {
  const { title, children, actions, onClose, form, step = title, size = 'medium' } = props;
  const { isDirty = false, isBusy = false, isAlert = false } = props;
  useFocusReturn();
  useLastingFocusManager();
  const styles = useStyles();
  const surfaceRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(contentRef);
  const [isAsking, setAsking] = useState(false);
  useFirstField(surfaceRef, step);

  const handleEscape = (): void => {
    if (isBusy || !onClose) return;
    if (isDirty) setAsking(true);
    else onClose();
  };
  const inside = (
    <DialogBody className={styles.body}>
      <DialogTitle action={null}>{title}</DialogTitle>
      <DialogContent ref={contentRef} className={styles.content}>
        {children}
      </DialogContent>
      <DialogActions fluid className={styles.actions}>
        {actions}
      </DialogActions>
    </DialogBody>
  );
  return (
    <Dialog
      open
      modalType={isAlert ? 'alert' : 'modal'}
      onOpenChange={(_event, data) => asksToClose(data) && handleEscape()}
    >
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
