import { createModule, type ModuleDto, moduleForm, removeModule, updateModule } from '@selvage/core/contracts/modules';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { actOnRecord } from '../../lib/record-calls.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { moduleWords } from '../../words/modules.ts';

/** Beginning of the keys of all queries about modules. */
export const modulesKey = ['modules'] as const;

/** Adds a module, or renames one. */
export function ModuleDialog({ module, onClose }: { module: ModuleDto | null; onClose: () => void }) {
  const t = useWords(moduleWords);
  const { create, creating } = useWords(dialogWords);
  const tellChanged = useChanged(modulesKey);
  const form = useForm({
    start: { name: module?.name ?? '' },
    schema: moduleForm,
    submit: (body) => (module ? api(updateModule, { params: { id: module._id }, body }) : api(createModule, { body })),
    onDone: () => tellChanged(module ? t.updated : t.created).then(onClose),
  });
  return (
    <FormDialog
      form={form}
      title={module ? t.edit : t.add}
      size="small"
      submitLabel={module ? t.update : create}
      busyLabel={module ? t.updating : creating}
      isSubmitDisabled={form.values.name.trim() === ''}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t.name} hint={t.nameHint} maxLength={64} isRequired />
    </FormDialog>
  );
}

/** Asks before a module is deleted. */
export function DeleteModuleDialog({ module, onClose }: { module: ModuleDto; onClose: () => void }) {
  const t = useWords(moduleWords);
  const tellChanged = useChanged(modulesKey);
  const remove = () => actOnRecord({ call: removeModule, id: module._id, said: t.deleted, tellChanged });
  const text = t.deleteText({ name: module.name });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}
