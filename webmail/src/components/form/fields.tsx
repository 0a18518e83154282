import { Field, Input, type InputProps, makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { FieldForm, FormValues } from '../../hooks/use-form.ts';
import { fieldProblem } from './field-problem.ts';

/** Names of a form's fields that hold a value of a type. */
type NamesOf<V, T> = { [K in keyof V & string]-?: NonNullable<V[K]> extends T ? K : never }[keyof V & string];

export interface FieldProps<V extends FormValues, T> {
  form: FieldForm<V>;
  name: NamesOf<V, T>;
  label: string;
  hint?: ReactNode;
  isRequired?: boolean;
  className?: string;
}

/** What Fluent's `Field` needs of a form's field. */
export function fieldOf<V extends FormValues, T>({ form, name, label, hint, isRequired, className }: FieldProps<V, T>) {
  return {
    label,
    required: isRequired === true,
    ...(hint ? { hint: { children: hint } } : {}),
    ...(className ? { className } : {}),
    ...fieldProblem(form.problems[name]),
  };
}

/** Sets what the person has chosen. A locked form takes nothing, since it would be thrown away. */
export function choose<V extends FormValues, K extends keyof V & string>(
  form: FieldForm<V>,
  name: K,
  value: V[K],
): void {
  if (!form.isLocked) form.set(name, value);
}

/** Sets a field to a value of its type; the name is known to fit. */
export function setField<V extends FormValues, T>({ form, name }: FieldProps<V, T>, value: T): void {
  choose(form, name, value as V[NamesOf<V, T>]);
}

type TextExtras = Partial<
  Pick<
    InputProps,
    | 'type'
    | 'autoComplete'
    | 'autoCapitalize'
    | 'spellCheck'
    | 'inputMode'
    | 'maxLength'
    | 'placeholder'
    | 'readOnly'
    | 'disabled'
    | 'size'
    | 'list'
  >
>;

interface TextProps {
  /** What of the typed text is kept. */
  clean?: (text: string) => string;
}

/** One line of text. */
export function TextField<V extends FormValues>(props: FieldProps<V, string> & TextExtras & TextProps) {
  const {
    form,
    name,
    label: _label,
    hint: _hint,
    isRequired: _isRequired,
    className: _className,
    clean,
    ...rest
  } = props;
  return (
    <Field {...fieldOf(props)}>
      <Input
        autoComplete="off"
        {...rest}
        {...(rest.readOnly ? { appearance: 'filled-darker' } : {})}
        readOnly={rest.readOnly === true || form.isLocked}
        name={name}
        value={String(form.values[name] ?? '')}
        onChange={(_event, { value }) => setField(props, clean ? clean(value) : value)}
      />
    </Field>
  );
}

const usePairStyles = makeStyles({
  pair: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(220px, 100%), 1fr))',
    alignItems: 'start',
    columnGap: tokens.spacingHorizontalL,
    rowGap: tokens.spacingVerticalL,
  },
});

/** Fields beside each other where there is room. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={usePairStyles().pair}>{children}</div>;
}
