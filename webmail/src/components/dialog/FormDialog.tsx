import { Button } from '@fluentui/react-components';
import { type ReactNode, useEffect } from 'react';
import type { FormFrame } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { FormErrors } from '../form/FormErrors.tsx';
import { SubmitButton } from '../form/SubmitButton.tsx';
import { DialogFrame } from './DialogFrame.tsx';

interface Props {
  form: FormFrame;
  title: string;
  submitLabel: string;
  busyLabel: string;
  cancelLabel?: string;
  /** Escape does not close it: its own buttons alone do. */
  ignoresEscape?: boolean;
  isSubmitDisabled?: boolean;
  /** Stands before the buttons. */
  aside?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** What it does logs the person out, so what is typed in it is not asked about then. */
  isAskedAboutElsewhere?: boolean;
  /** The step that it shows: when that changes, the focus goes to the first field again. */
  step?: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A form in a dialog. Rendered only while it is open. Escape, the Back button and closing the page
 * ask before they throw away what was typed. A press on Cancel is deliberate, so it does not ask.
 */
export function FormDialog(props: Props) {
  const {
    form,
    title,
    submitLabel,
    busyLabel,
    cancelLabel,
    ignoresEscape = false,
    isSubmitDisabled = false,
    aside,
    size,
    step,
    isAskedAboutElsewhere = false,
    onClose,
  } = props;
  const t = useWords(dialogWords);
  // Until the server has answered: the answer, such as a code that is shown only once, comes here
  const isHeld = form.isPending ? !form.isTaken : form.isDirty;
  const end = useUnsavedWork(isHeld, { name: t.unsaved({ title }), survivesNavigation: false, isAskedAboutElsewhere });
  const { whenTaken } = form;
  useEffect(() => whenTaken(end), [whenTaken, end]);
  const close = (): void => {
    // It may lead to another screen at once
    end();
    onClose();
  };
  return (
    <DialogFrame
      title={title}
      step={step ?? title}
      size={size ?? 'medium'}
      isBusy={form.isPending}
      isDirty={form.isDirty}
      onClose={ignoresEscape ? undefined : close}
      form={form}
      actions={
        <>
          {aside}
          <Button disabledFocusable={form.isPending} onClick={close}>
            {cancelLabel ?? t.cancel}
          </Button>
          <SubmitButton
            label={submitLabel}
            busyLabel={busyLabel}
            isBusy={form.isPending}
            isDisabled={isSubmitDisabled}
          />
        </>
      }
    >
      <FormErrors form={form} />
      {props.children}
    </DialogFrame>
  );
}
