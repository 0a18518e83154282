import { createRole, roleChange, type RoleDto, roleForm, updateRole } from '@selvage/core/contracts/roles';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { CompanyField, useFirstCompany } from '../../components/form/CompanyField.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { cleanDigits } from '../../lib/clean.ts';
import { useWords } from '../../lib/i18n.ts';
import { rolesKey } from '../../lib/record-keys.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { formWords } from '../../words/forms.ts';
import { roleWords } from '../../words/roles.ts';

const digits = (text: string): string => cleanDigits(text).slice(0, 6);

/** Adds a role. People of the provider choose its company; all others add to their own. */
export function AddRoleDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(roleWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(rolesKey);
  const start = { role_name: '', company_id: useFirstCompany(), role_id: '', active_status: true };
  const toBody = ({ role_id: number, ...values }: typeof start) => ({
    ...values,
    ...(number === '' ? {} : { role_id: Number(number) }),
  });
  const form = useForm({
    start,
    schema: roleForm,
    toBody,
    submit: (values) => api(createRole, { body: toBody(values) }),
    keepAs: { key: 'role new', name: unsaved({ title: t.add }) },
    onDone: () => tellChanged(t.created).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.add} size="small" submitLabel={create} busyLabel={creating} onClose={onClose}>
      <TextField form={form} name="role_name" label={t.name} maxLength={100} isRequired />
      <CompanyField form={form} name="company_id" label={t.company} />
      <TextField form={form} name="role_id" label={t.number} hint={t.numberHint} inputMode="numeric" clean={digits} />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
    </FormDialog>
  );
}

function valuesOf({ role_name, active_status }: RoleDto) {
  return { role_name, active_status };
}

/** Renames a role, or switches it on or off. Its company and its number stay. */
export function EditRoleDialog({ role, onClose }: { role: RoleDto; onClose: () => void }) {
  const t = useWords(roleWords);
  const { save, saving } = useWords(formWords);
  const { unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(rolesKey);
  const form = useForm({
    start: valuesOf(role),
    schema: roleChange,
    submit: (body, version) => api(updateRole, { params: { id: role._id }, body: { ...body, version } }),
    version: role.version,
    fromConflict: (current) => {
      const theirs = current as RoleDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `role ${role._id}`, name: unsaved({ title: t.edit }) },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  const hint = `${t.isActiveHint} ${t.people(role.people)}`;
  return (
    <FormDialog form={form} title={t.edit} size="small" submitLabel={save} busyLabel={saving} onClose={onClose}>
      <TextField form={form} name="role_name" label={t.name} maxLength={100} isRequired />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={hint} />
      <Facts
        rows={[
          [t.company, role.company_id.name],
          [t.number, role.role_id],
        ]}
      />
    </FormDialog>
  );
}
