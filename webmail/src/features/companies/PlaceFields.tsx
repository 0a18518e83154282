import { lookUpPostalCode } from '@selvage/core/contracts/postal-code';
import { useEffect, useRef } from 'react';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import type { FieldForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { companyWords } from '../../words/companies.ts';

type Place = { pin_code: string; city: string; state: string; country: string };

/** At most six digits, the first one not zero. */
function pinOf(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, 6);
}

const filled = ['city', 'state', 'country'] as const;

/**
 * Postal code, city, state and country. A whole code empties the others and looks them up. What a
 * person types meanwhile stays; when nothing is found, or the look-up is out of reach, they type
 * all of it.
 */
export function PlaceFields({ form }: { form: FieldForm<Place> }) {
  const t = useWords(companyWords);
  const latest = useRef(form.values);
  useEffect(() => {
    latest.current = form.values;
  });
  const lookUp = async (pin: string): Promise<void> => {
    for (const name of filled) form.set(name, '');
    const found = await api(lookUpPostalCode, { params: { pin } }).catch(() => null);
    if (!found || latest.current.pin_code !== pin) return;
    for (const name of filled) if (latest.current[name] === '') form.set(name, found[name]);
  };
  const handlePin: FieldForm<Place>['set'] = (name, value) => {
    form.set(name, value);
    if (name === 'pin_code' && String(value).length === 6 && value !== form.values.pin_code) void lookUp(String(value));
  };
  return (
    <FieldPair>
      <TextField
        form={{ ...form, set: handlePin }}
        name="pin_code"
        label={t.pinCode}
        inputMode="numeric"
        clean={pinOf}
        isRequired
      />
      <TextField form={form} name="city" label={t.city} maxLength={100} isRequired />
      <TextField form={form} name="state" label={t.state} maxLength={100} isRequired />
      <TextField form={form} name="country" label={t.country} maxLength={100} isRequired />
    </FieldPair>
  );
}
