import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarBody,
  Spinner,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  actions: { flexWrap: 'wrap', paddingTop: tokens.spacingVerticalS },
  // three buttons need the whole width
  wide: { justifyContent: 'flex-end' },
});

interface Props {
  title: string;
  children: ReactNode;
  submitLabel: string;
  pendingLabel?: string;
  isPending?: boolean;
  isSubmitDisabled?: boolean;
  /** What is wrong with all of it; what is wrong with a field stands at the field. */
  problem?: string | null | undefined;
  /** Left out where there is only one way on: such a dialog is closed by its button alone. */
  cancelLabel?: string | undefined;
  /** Stands before the buttons. */
  aside?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** Fields, and a button that sends them. Rendered only while it is open. */
export function FormDialog(props: Props) {
  useFocusReturn();
  const { title, children, isPending = false, problem, cancelLabel, aside, onSubmit, onClose } = props;
  const styles = useStyles();
  const formRef = useRef<HTMLFormElement>(null);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // a dialog is a portal: its events still rise through the page that opened it
    event.stopPropagation();
    if (!isPending && !props.isSubmitDisabled) onSubmit();
  };
  return (
    <Dialog
      open
      modalType={cancelLabel ? 'modal' : 'alert'}
      onOpenChange={(_event, data) => !data.open && !isPending && cancelLabel && onClose()}
    >
      <DialogSurface backdrop={{ onClick: (event) => event.preventDefault() }}>
        <form ref={formRef} noValidate onSubmit={handleSubmit}>
          <FirstField key={title} formRef={formRef} />
          <DialogBody>
            <DialogTitle action={null}>{title}</DialogTitle>
            <DialogContent className={styles.content}>
              {problem && (
                <MessageBar intent="error" layout="multiline" role="alert">
                  <MessageBarBody>{problem}</MessageBarBody>
                </MessageBar>
              )}
              {children}
            </DialogContent>
            <DialogActions
              className={mergeClasses(styles.actions, aside ? styles.wide : undefined)}
              fluid={Boolean(aside)}
            >
              {aside}
              {cancelLabel && (
                <Button disabled={isPending} onClick={onClose}>
                  {cancelLabel}
                </Button>
              )}
              <Button
                type="submit"
                appearance="primary"
                disabledFocusable={isPending || props.isSubmitDisabled === true}
                icon={isPending ? <Spinner size="tiny" /> : undefined}
              >
                {isPending ? (props.pendingLabel ?? props.submitLabel) : props.submitLabel}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

const FOCUS_AFTER_MS = 60;

/** Puts the focus where one goes on typing, also when the dialog goes one step further. */
function FirstField({ formRef }: { formRef: React.RefObject<HTMLFormElement | null> }) {
  useEffect(() => {
    // after the dialog has put the focus on its first button
    const timer = setTimeout(() => {
      const first =
        formRef.current?.querySelector<HTMLElement>('input:not([type="checkbox"]):not([readonly])') ??
        formRef.current?.querySelector<HTMLElement>('button[type="submit"]');
      first?.focus();
    }, FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [formRef]);
  return null;
}
