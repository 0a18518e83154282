import { Field, Textarea } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

/** Several lines of text. */
export function TextAreaField<V extends FormValues>(props: FieldProps<V, string> & { rows?: number }) {
  const { form, name, rows = 4 } = props;
  return (
    <Field {...fieldOf(props)}>
      <Textarea
        name={name}
        rows={rows}
        resize="vertical"
        readOnly={form.isLocked}
        value={String(form.values[name] ?? '')}
        onChange={(_event, { value }) => setField(props, value)}
      />
    </Field>
  );
}
