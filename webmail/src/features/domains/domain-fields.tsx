import { TextField } from '../../components/form/fields.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainWords } from '../../words/domains.ts';

/** Until when the domain is registered, by the browser's own date field. */
export function ExpirationField({ form }: { form: FieldForm<{ expiration_date: string }> }) {
  const t = useWords(domainWords);
  return <TextField form={form} name="expiration_date" label={t.expiration} hint={t.expirationHint} type="date" />;
}
