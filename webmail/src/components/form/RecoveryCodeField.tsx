import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { codeWords } from '../../words/codes.ts';
import { TextField } from './fields.tsx';

/** One of the codes that a person keeps for the day when the app is not at hand. */
export function RecoveryCodeField({ form }: { form: FieldForm<{ recovery_code: string }> }) {
  const t = useWords(codeWords);
  return (
    <TextField
      form={form}
      name="recovery_code"
      label={t.recoveryCode}
      autoCapitalize="none"
      spellCheck={false}
      isRequired
      data-autofocus
    />
  );
}
