import { PasswordField } from '../form/PasswordField.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { newPasswordWords } from '../../words/new-password.ts';

type NewPassword = { new_password: string; confirm_password: string };

/** A new password, twice. */
export function NewPasswordFields({ form }: { form: FieldForm<NewPassword> }) {
  const t = useWords(newPasswordWords);
  return (
    <>
      <PasswordField form={form} name="new_password" label={t.password} hint={t.hint} autoComplete="new-password" />
      <PasswordField form={form} name="confirm_password" label={t.confirm} autoComplete="new-password" />
    </>
  );
}
