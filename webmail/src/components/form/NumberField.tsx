import { Field, Input } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { cleanDigits } from '../../lib/clean.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

interface NumberProps {
  /** The most digits that can be typed. */
  digits: number;
}

/**
 * A whole number. While the field is empty its value is `NaN`, which the schema of a contract
 * refuses.
 */
export function NumberField<V extends FormValues>({ digits, ...props }: FieldProps<V, number> & NumberProps) {
  const { form, name } = props;
  const value = form.values[name];
  return (
    <Field {...fieldOf(props)}>
      <Input
        autoComplete="off"
        inputMode="numeric"
        readOnly={form.isLocked}
        name={name}
        value={Number.isNaN(value) ? '' : String(value)}
        onChange={(_event, { value: text }) => setField(props, numberOf(text, digits))}
      />
    </Field>
  );
}

function numberOf(text: string, digits: number): number {
  const typed = cleanDigits(text).slice(0, digits);
  return typed === '' ? Number.NaN : Number(typed);
}
