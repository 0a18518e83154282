import { type ClientDto, clientForm, updateClient } from '@selvage/core/contracts/clients';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { CheckField, SwitchField } from '../../components/form/choice-fields.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { PlanFields, planTexts, withLimits } from '../../components/form/PlanFields.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { isOfProvider } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { clientWords } from '../../words/clients.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { formWords } from '../../words/forms.ts';
import { PersonFields } from './PersonFields.tsx';
import { useClientChanged } from './queries.ts';

function valuesOf(client: ClientDto) {
  return {
    company_name: client.company_id.name,
    fname: client.fname,
    lname: client.lname ?? '',
    phone_number: client.phone_number ?? '',
    country: client.country ?? '',
    personal_email: client.personal_email,
    password_change_required: client.password_change_required,
    active_status: client.active_status,
    ...planTexts(client),
  };
}

/** Fields of the company, which has a form of its own, and of the administrator's account. */
const ofOthers = [
  'company_name',
  'max_users',
  'max_domains',
  'storage_limit',
  'mailbox_limit',
  'password_change_required',
] as const;

/** Changes a client, and the name and the limits of its company. */
export function EditClientDialog({ client, onClose }: { client: ClientDto; onClose: () => void }) {
  const t = useWords(clientWords);
  const { save, saving } = useWords(formWords);
  const { unsaved } = useWords(dialogWords);
  const tellChanged = useClientChanged();
  const isProvider = isOfProvider(useCurrentUser());
  const bodyOf = (values: ReturnType<typeof valuesOf>) => withLimits(values, isProvider, client);
  const form = useForm({
    start: valuesOf(client),
    // A company's name that stays may be longer than a new one may be
    schema: clientForm.partial(),
    fallback: t.failed,
    toBody: (values) => {
      const { company_name: name, ...body } = bodyOf(values);
      return name === client.company_id.name ? body : { ...body, company_name: name };
    },
    version: client.version,
    submit: (values, version, saved) => {
      const body: Partial<ReturnType<typeof bodyOf>> = bodyOf(values);
      // What was not changed here must not undo a change that was made there
      for (const name of ofOthers) if (values[name] === saved[name]) delete body[name];
      return api(updateClient, { params: { id: client._id }, body: { ...body, version } });
    },
    fromConflict: (current) => {
      const theirs = current as ClientDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `client ${client._id}`, name: unsaved({ title: t.edit }) },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.edit} submitLabel={save} busyLabel={saving} onClose={onClose}>
      <TextField form={form} name="company_name" label={t.companyName} maxLength={100} isRequired />
      <PersonFields form={form}>
        <FixedField label={t.businessEmail} value={shownAddress(client.business_email)} hint={t.businessFixed} />
      </PersonFields>
      {isProvider && <PlanFields form={form} />}
      <CheckField form={form} name="password_change_required" label={t.mustChangeNext} />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
    </FormDialog>
  );
}
