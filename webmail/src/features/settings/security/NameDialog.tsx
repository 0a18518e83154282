import { ownName } from '@selvage/core/contracts/fields';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { TextField } from '../../../components/form/fields.tsx';
import { useForm } from '../../../hooks/use-form.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { formWords } from '../../../words/forms.ts';

/**
 * What is wrong with a name that a person gives, at its field; `required` is said when there is
 * none.
 */
export function checkName(field: string, name: string, required: string): Problems {
  const problem = ownName(required).safeParse(name).error?.issues[0]?.message;
  return problem ? { [field]: problem } : {};
}

interface Props {
  title: string;
  label: string;
  /** Said when there is no name. */
  required: string;
  name: string;
  /** The server's name of the field. */
  field: string;
  run: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Gives something another name. */
export function NameDialog({ title, label, required, name, field, run, onClose }: Props) {
  const t = useWords(formWords);
  const form = useForm({
    start: { own_name: name },
    check: ({ own_name: typed }) => checkName('own_name', typed, required),
    submit: ({ own_name: typed }) => run(typed.trim()),
    onDone: onClose,
    fieldNames: { [field]: 'own_name' },
  });
  return (
    <FormDialog form={form} title={title} size="small" submitLabel={t.save} busyLabel={t.saving} onClose={onClose}>
      <TextField form={form} name="own_name" label={label} maxLength={100} isRequired />
    </FormDialog>
  );
}
