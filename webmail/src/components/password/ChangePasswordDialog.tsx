import { changePassword, passwordChange } from '@selvage/core/contracts/account';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import type { ComponentType } from 'react';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { PasswordField } from '../form/PasswordField.tsx';
import { type FieldForm, useForm } from '../../hooks/use-form.ts';
import { apiMessage } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { changePasswordWords } from '../../words/change-password.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import type { AlsoEnded } from './OtherWaysIn.tsx';

const start = {
  old_password: '',
  new_password: '',
  confirm_password: '',
  end_app_passwords: [] as string[],
  end_passkeys: [] as string[],
};
type Values = typeof start;

interface Props {
  email: string;
  /** Why it is asked for, and what follows. */
  reason: string;
  /** The way out that there is: another than changing the password. */
  exit: { label: string; run: () => void };
  /** Asked before the new password is sent, since the session ends with it. */
  mayBegin?: () => Promise<boolean>;
  onChanged: (message: string) => Promise<void>;
  /** What else can log in, where the person may ask for it yet. */
  otherWaysIn?: ComponentType<{ form: FieldForm<AlsoEnded> }>;
}

/**
 * Asks for a new password. Neither Escape nor a click beside it closes it: only its own buttons do.
 */
export default function ChangePasswordDialog(props: Props) {
  const { email, reason, exit, mayBegin, onChanged, otherWaysIn: OtherWaysIn } = props;
  const t = useWords(changePasswordWords);
  const form = useForm({
    start,
    schema: passwordChange,
    toBody: encoded,
    mayBegin,
    submit: (values) => apiMessage(changePassword, { body: encoded(values) }),
    onDone: onChanged,
    failureField: 'old_password',
    fallback: t.failed,
  });
  return (
    <FormDialog
      form={form}
      isAskedAboutElsewhere={mayBegin !== undefined}
      title={t.title}
      size="small"
      submitLabel={t.submit}
      busyLabel={t.busy}
      cancelLabel={exit.label}
      ignoresEscape
      onClose={exit.run}
    >
      <span>{reason}</span>
      {/* so that password managers know whose it is */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField form={form} name="old_password" label={t.current} autoComplete="current-password" />
      <NewPasswordFields form={form} />
      {OtherWaysIn && <OtherWaysIn form={form} />}
    </FormDialog>
  );
}

function encoded(values: Values): Values {
  return {
    ...values,
    old_password: encodePassword(values.old_password),
    new_password: encodePassword(values.new_password),
    confirm_password: encodePassword(values.confirm_password),
  };
}
