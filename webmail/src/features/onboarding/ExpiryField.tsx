import { TextField } from '../../components/form/fields.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { onboardingWords } from '../../words/onboarding.ts';

/** The day until which a domain is registered, typed as dd/MM/yyyy. */
export function ExpiryField({ form }: { form: FieldForm<{ expiry: string }> }) {
  const t = useWords(onboardingWords);
  return (
    <TextField
      form={form}
      name="expiry"
      label={t.expiry}
      hint={t.expiryHint}
      placeholder={t.expiryPattern}
      maxLength={10}
      isRequired
    />
  );
}
