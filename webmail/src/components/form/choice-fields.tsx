import { Checkbox, Field, Select, Switch } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

export interface Choice {
  value: string;
  label: string;
}

interface SelectProps {
  choices: readonly Choice[];
  /** Said while nothing is chosen. */
  placeholder?: string;
  isDisabled?: boolean;
}

/** One of several. The browser's own select: known to every keyboard, phone and screen reader. */
export function SelectField<V extends FormValues>(props: FieldProps<V, string> & SelectProps) {
  const { form, name, choices, placeholder, isDisabled = false } = props;
  return (
    <Field {...fieldOf(props)}>
      <Select
        name={name}
        disabled={isDisabled}
        value={String(form.values[name])}
        onChange={(_event, { value }) => setField(props, value)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** On or off, taking effect with the form. */
export function SwitchField<V extends FormValues>(props: FieldProps<V, boolean>) {
  const { form, name } = props;
  return (
    <Field {...fieldOf(props)}>
      <Switch
        name={name}
        checked={form.values[name] === true}
        onChange={(_event, { checked }) => setField(props, checked)}
      />
    </Field>
  );
}

/** A tick beside its words. */
export function CheckField<V extends FormValues>(props: FieldProps<V, boolean>) {
  const { form, name, label } = props;
  return (
    <Checkbox
      name={name}
      label={label}
      checked={form.values[name] === true}
      onChange={(_event, { checked }) => setField(props, checked === true)}
    />
  );
}
