import { Field, Input } from '@fluentui/react-components';

/** A value that cannot be typed here. It looks unlike the fields that take one. */
export function FixedField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      <Input readOnly appearance="filled-darker" value={value} />
    </Field>
  );
}
