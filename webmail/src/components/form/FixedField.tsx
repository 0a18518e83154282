import { Field, Input } from '@fluentui/react-components';

/** A value of the record that stays as it is. */
export function FixedField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      <Input readOnly value={value} />
    </Field>
  );
}
