import type { ReactNode } from 'react';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { cleanPhone } from '../../lib/clean.ts';
import { useWords } from '../../lib/i18n.ts';
import { clientWords } from '../../words/clients.ts';

type Person = { fname: string; lname: string; phone_number: string; country: string; personal_email: string };

/** The person behind a client; other fields may stand beside the last one. */
export function PersonFields({ form, children }: { form: FieldForm<Person>; children?: ReactNode }) {
  const t = useWords(clientWords);
  return (
    <FieldPair>
      <TextField form={form} name="fname" label={t.fname} maxLength={100} isRequired />
      <TextField form={form} name="lname" label={t.lname} maxLength={100} />
      <TextField form={form} name="phone_number" label={t.phone} inputMode="numeric" clean={cleanPhone} />
      <TextField form={form} name="country" label={t.country} maxLength={100} />
      <TextField
        form={form}
        name="personal_email"
        label={t.personalEmail}
        hint={t.personalHint}
        type="email"
        maxLength={254}
        isRequired
      />
      {children}
    </FieldPair>
  );
}
