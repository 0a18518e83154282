import { requireTwoFactor, type RoleDto, roleTwoFactorForm } from '@selvage/core/contracts/roles';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { NumberField } from '../../components/form/NumberField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { rolesKey } from '../../lib/record-keys.ts';
import { formWords } from '../../words/forms.ts';
import { roleWords } from '../../words/roles.ts';

/** What is offered for a role that did not ask for a second factor before. */
const USUAL_DAYS = 7;

const valuesOf = ({ two_factor: rule }: RoleDto) => ({
  required: rule !== null,
  grace_days: rule?.grace_days ?? USUAL_DAYS,
});

const toBody = ({ required, grace_days: days }: ReturnType<typeof valuesOf>) => ({
  required,
  grace_days: required ? days : 0,
});

/** Says whether the people of a role need a second factor, and how long they may go on without. */
export function TwoFactorRuleDialog({ role, onClose }: { role: RoleDto; onClose: () => void }) {
  const t = useWords(roleWords);
  const { save, saving } = useWords(formWords);
  const tellChanged = useChanged(rolesKey);
  const form = useForm({
    start: valuesOf(role),
    schema: roleTwoFactorForm,
    toBody,
    version: role.version,
    submit: (values, version) =>
      api(requireTwoFactor, { params: { id: role._id }, body: { ...toBody(values), version } }),
    fromConflict: (current) => {
      const theirs = current as RoleDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  return (
    <FormDialog
      form={form}
      title={t.twoFactorTitle({ role: role.role_name })}
      size="small"
      submitLabel={save}
      busyLabel={saving}
      onClose={onClose}
    >
      <SwitchField form={form} name="required" label={t.twoFactorRequired} hint={t.twoFactorHint} />
      {form.values.required && (
        <NumberField
          form={form}
          name="grace_days"
          label={t.graceDays}
          hint={`${t.graceHint} ${t.people(role.people)}`}
          digits={2}
          isRequired
        />
      )}
    </FormDialog>
  );
}
