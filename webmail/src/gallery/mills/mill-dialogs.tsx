import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { NumberField } from '../../components/form/NumberField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { actOnRecord } from '../../lib/record-calls.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { createMill, type MillDto, millForm, removeMill } from './contract.ts';
import { millWords } from './mill-words.ts';

/** The prefix of the keys of all queries about mills. */
export const millsKey = ['mills'] as const;

export function AddMillDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(millWords);
  const { create, creating } = useWords(dialogWords);
  const tellChanged = useChanged(millsKey);
  const form = useForm({
    start: { name: '', town: '', spindles: Number.NaN },
    schema: millForm,
    submit: (body) => api(createMill, { body }),
    onDone: () => tellChanged(t.created).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.add} size="small" submitLabel={create} busyLabel={creating} onClose={onClose}>
      <TextField form={form} name="name" label={t.name} maxLength={100} isRequired />
      <TextField form={form} name="town" label={t.town} maxLength={100} isRequired />
      <NumberField form={form} name="spindles" label={t.spindles} digits={6} isRequired />
    </FormDialog>
  );
}

export function DeleteMillDialog({ mill, onClose }: { mill: MillDto; onClose: () => void }) {
  const t = useWords(millWords);
  const tellChanged = useChanged(millsKey);
  const remove = () => actOnRecord({ call: removeMill, id: mill._id, said: t.deleted, tellChanged });
  const text = t.deleteText({ name: mill.name });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}
