import { Checkbox, Field, makeStyles, Select, Switch, type SwitchProps, tokens } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { messageOf } from '../../lib/api-error.ts';
import { fieldProblem } from './field-problem.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

const useStyles = makeStyles({
  // A long choice must not make the field wider than its place
  select: { minWidth: 0, '& select': { width: '100%', textOverflow: 'ellipsis' } },
  // Moves the box by its own margin, so that it begins where the labels of the other fields do
  box: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
});

export interface Choice {
  value: string;
  label: string;
}

interface SelectProps {
  choices: readonly Choice[];
  /** Said while nothing is chosen. */
  placeholder?: string;
  isDisabled?: boolean;
  /** Why the choices could not be loaded; null while there are some. */
  failure?: Error | null;
  /** Told after the value is set, e.g. to clear what depends on it. */
  onPicked?: (value: string) => void;
}

/** One of several. The browser's own select: known to every keyboard, phone and screen reader. */
export function SelectField<V extends FormValues>(props: FieldProps<V, string> & SelectProps) {
  const { form, name, choices, placeholder, isDisabled = false, failure, onPicked } = props;
  const styles = useStyles();
  return (
    <Field {...fieldOf(props)} {...fieldProblem(failure ? messageOf(failure) : form.problems[name])}>
      <Select
        name={name}
        className={styles.select}
        disabled={isDisabled}
        value={String(form.values[name] ?? '')}
        onChange={(_event, { value }) => {
          if (form.isLocked) return;
          setField(props, value);
          onPicked?.(value);
        }}
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

/** A switch whose box begins at the same edge as the text above it. */
export function AlignedSwitch(props: Omit<SwitchProps, 'className'>) {
  const styles = useStyles();
  return <Switch className={styles.box} {...props} />;
}

/** On or off, taking effect with the form; its words stand beside it. */
export function SwitchField<V extends FormValues>(props: FieldProps<V, boolean>) {
  const { form, name, label } = props;
  const { label: _above, ...field } = fieldOf(props);
  return (
    <Field {...field}>
      <AlignedSwitch
        name={name}
        label={label}
        checked={form.values[name] === true}
        onChange={(_event, { checked }) => setField(props, checked)}
      />
    </Field>
  );
}

/** A tick beside its words. */
export function CheckField<V extends FormValues>(props: FieldProps<V, boolean>) {
  const { form, name, label } = props;
  const styles = useStyles();
  return (
    <Checkbox
      className={styles.box}
      name={name}
      label={label}
      checked={form.values[name] === true}
      onChange={(_event, { checked }) => setField(props, checked === true)}
    />
  );
}
