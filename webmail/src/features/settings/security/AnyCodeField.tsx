import { TextField } from '../../../components/form/fields.tsx';
import type { FieldForm } from '../../../hooks/use-form.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';

/** Names of the server's fields for what is typed into the one field. */
export const codeFieldNames = { otp: 'code', recovery_code: 'code' };

export const checkCode = (code: string): Problems =>
  code.trim() ? {} : { code: wordsOf(twoFactorWords).anyCodeRequired };

/** Six digits are a code of the app: recovery codes are longer. */
const sixDigits = /^\d{3} ?\d{3}$/;

/** A typed code as the server takes it. */
export function proofOf(typed: string): { otp: string } | { recovery_code: string } {
  const code = typed.trim();
  return sixDigits.test(code) ? { otp: code.replace(' ', '') } : { recovery_code: code };
}

interface Props {
  form: FieldForm<{ code: string }>;
  isFirst?: boolean;
}

/** Asks for a code of the app, or a recovery code, beside the password. */
export function AnyCodeField({ form, isFirst = false }: Props) {
  const t = useWords(twoFactorWords);
  return (
    <TextField
      form={form}
      name="code"
      label={t.anyCode}
      hint={t.anyCodeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      isRequired
      {...(isFirst ? { 'data-autofocus': true } : {})}
    />
  );
}
