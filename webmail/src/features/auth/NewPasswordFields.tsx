import { PasswordField } from '../../components/form/PasswordField.tsx';
import type { Problems } from '../../lib/problems.ts';

export interface NewPassword {
  new_password: string;
  confirm_password: string;
}

interface Props {
  values: NewPassword;
  problems: Problems;
  onChange: (name: keyof NewPassword, value: string) => void;
}

/** A new password, twice. */
export function NewPasswordFields({ values, problems, onChange }: Props) {
  return (
    <>
      <PasswordField
        label="New password"
        name="new_password"
        autoComplete="new-password"
        hint="At least 8 characters; not a common one, and not your address."
        value={values.new_password}
        problem={problems['new_password']}
        onChange={(value) => onChange('new_password', value)}
      />
      <PasswordField
        label="Confirm password"
        name="confirm_password"
        autoComplete="new-password"
        value={values.confirm_password}
        problem={problems['confirm_password']}
        onChange={(value) => onChange('confirm_password', value)}
      />
    </>
  );
}
