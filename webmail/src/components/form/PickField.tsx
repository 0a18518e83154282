import { Field } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';
import { RecordPicker, type Records } from './RecordPicker.tsx';

interface PickProps<Row> {
  records: Records<Row>;
  placeholder?: string;
  isDisabled?: boolean;
  /** Told after the value is set, e.g. to clear what depends on it. */
  onPicked?: (id: string) => void;
}

/** One of many records, found by typing. The field's value is the record's id. */
export function PickField<V extends FormValues, Row>(props: FieldProps<V, string> & PickProps<Row>) {
  const { form, name, records, placeholder, isDisabled = false, onPicked } = props;
  return (
    <Field {...fieldOf(props)}>
      <RecordPicker
        name={name}
        records={records}
        value={String(form.values[name] ?? '')}
        isDisabled={isDisabled}
        {...(placeholder === undefined ? {} : { placeholder })}
        onPick={(id) => {
          if (form.isLocked) return;
          setField(props, id);
          onPicked?.(id);
        }}
      />
    </Field>
  );
}
