import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { Form, FormValues } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { FormConflict } from '../form/FormConflict.tsx';
import { FormMessage } from '../form/FormMessage.tsx';
import { SubmitButton } from '../form/SubmitButton.tsx';
import { DialogFrame } from './DialogFrame.tsx';

interface Props<V extends FormValues> {
  form: Form<V>;
  title: string;
  submitLabel: string;
  busyLabel: string;
  /** `null` where there is no way back: such a dialog is closed by its own buttons alone. */
  cancelLabel?: string | null;
  isSubmitDisabled?: boolean;
  /** Stands before the buttons. */
  aside?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Rendered only while it is open. What was typed is asked about before Escape or Cancel throws it away. */
export function FormDialog<V extends FormValues>(props: Props<V>) {
  const { form, title, submitLabel, busyLabel, cancelLabel, isSubmitDisabled = false, aside, size, onClose } = props;
  const t = useWords(dialogWords);
  const canClose = cancelLabel !== null;
  return (
    <DialogFrame
      title={title}
      size={size ?? 'medium'}
      isBusy={form.isPending}
      isDirty={form.isDirty}
      onClose={canClose ? onClose : undefined}
      wrap={(inside) => (
        <form ref={form.formRef} noValidate onSubmit={form.handleSubmit}>
          {inside}
        </form>
      )}
      actions={
        <>
          {aside}
          {canClose && (
            <Button disabledFocusable={form.isPending} onClick={onClose}>
              {cancelLabel ?? t.cancel}
            </Button>
          )}
          <SubmitButton label={submitLabel} busyLabel={busyLabel} isBusy={form.isPending} isDisabled={isSubmitDisabled} />
        </>
      }
    >
      <FormMessage text={form.failure} />
      {form.conflict && <FormConflict conflict={form.conflict} onMerge={form.merge} onTakeTheirs={form.takeTheirs} />}
      {props.children}
    </DialogFrame>
  );
}
