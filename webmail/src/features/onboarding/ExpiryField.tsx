import { TextField } from '../../components/form/fields.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { expiryOf } from '../domains/expiry.ts';
import { dayOfText } from './day-text.ts';

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

/** Warns of a day that is over. It can be saved: the registration may have been renewed. */
export function PastExpiry({ expiry }: { expiry: string }) {
  const t = useWords(onboardingWords);
  const day = dayOfText(expiry);
  const isPast = day !== null && (expiryOf(day)?.daysLeft ?? 0) < 0;
  return <FormMessage intent="warning" text={isPast && t.expiryPast} />;
}
