import { usersKey } from '../../lib/record-keys.ts';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { createUser, newUserForm, type UserChoices, username } from '@selvage/core/contracts/users';
import { Field, Input } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { GivenPasswordField } from '../../components/form/GivenPasswordField.tsx';
import { PickField } from '../../components/form/PickField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { companyRecords } from '../../lib/companies.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { limitWords } from '../../words/limits.ts';
import { userWords } from '../../words/users.ts';
import { cleanName, cleanPhone, asUsername } from '../../lib/clean.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { type HandedOver, NewUserSecret } from './NewUserSecret.tsx';

const start = {
  companyId: '',
  role_id: '',
  domain_id: '',
  username: '',
  fname: '',
  lname: '',
  phone_number: '',
  recovery_email: '',
  password: '',
};
type Values = typeof start;

const { email: _whole, ...fields } = newUserForm.shape;
const schema = newUserForm.omit({ email: true }).extend({ ...fields, username });

const toBody = (values: Values) => ({ ...values, password: encodePassword(values.password) });

/** Adds a user, and shows the address and the password once to be handed over. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<HandedOver | null>(null);
  if (made) return <NewUserSecret {...made} onClose={onClose} />;
  return <NewUserForm onMade={setMade} onClose={onClose} />;
}

/** Says that the plan has no seat before all fields are filled in. */
function NoSeat({ company: { name }, seats: { used, limit } }: Pick<UserChoices, 'company' | 'seats'>) {
  const t = useWords(limitWords);
  if (limit === null || used < limit) return null;
  return <FormMessage intent="warning" text={t.usersFull({ name, limit: limit.toLocaleString() })} />;
}

function NewUserForm({ onMade, onClose }: { onMade: (made: HandedOver) => void; onClose: () => void }) {
  const t = useWords(userWords);
  const { create, creating } = useWords(dialogWords);
  const tellChanged = useChanged(usersKey);
  const own = useCurrentUser()?.company_id;
  const [domainName, setDomainName] = useState('');
  const form = useForm({
    start: { ...start, companyId: own?.is_provider ? '' : (own?._id ?? '') },
    schema,
    toBody,
    submit: ({ username: local, ...values }) =>
      api(createUser, { body: { ...toBody({ ...values, username: '' }), email: `${local}@${domainName}` } }),
    fieldNames: { email: 'username' },
    onDone: async ({ fname, email }, { password }) => {
      onMade({ name: fname, email, password });
      await tellChanged(t.created);
    },
  });
  const { companyId, domain_id: domainId, username: local } = form.values;
  const { data: choices, error } = useQuery(choicesQuery(companyId));
  const domains = choices?.domains ?? [];
  const clearChoices = (): void => {
    form.set('role_id', '');
    form.set('domain_id', '');
    setDomainName('');
  };
  const chooseDomain: typeof form.set = (name, value) => {
    form.set(name, value);
    if (name === 'domain_id') setDomainName(domains.find(({ _id }) => _id === value)?.domain_name ?? '');
  };
  return (
    <FormDialog form={form} title={t.add} submitLabel={create} busyLabel={creating} onClose={onClose}>
      {error && <FormMessage text={t.choicesFailed} />}
      {choices && <NoSeat {...choices} />}
      {own?.is_provider && (
        <PickField
          form={form}
          name="companyId"
          label={t.company}
          records={companyRecords}
          onPicked={clearChoices}
          isRequired
        />
      )}
      <FieldPair>
        <TextField form={form} name="fname" label={t.firstName} maxLength={100} clean={cleanName} isRequired />
        <TextField form={form} name="lname" label={t.lastName} maxLength={100} clean={cleanName} />
        <SelectField
          form={form}
          name="role_id"
          label={t.role}
          placeholder={companyId ? t.chooseRole : t.chooseCompany}
          choices={(choices?.roles ?? [])
            .filter(({ assignable }) => assignable)
            .map(({ _id, role_name }) => ({ value: _id, label: role_name }))}
          isDisabled={!choices}
          isRequired
        />
        <SelectField
          form={{ ...form, set: chooseDomain }}
          name="domain_id"
          label={t.domain}
          placeholder={domainPlaceholder()}
          choices={domains.map(({ _id, domain_name }) => ({ value: _id, label: shownAddress(domain_name) }))}
          isDisabled={!choices}
          isRequired
        />
        <TextField
          form={form}
          name="username"
          label={t.username}
          {...asUsername}
          disabled={!domainId}
          {...(domainId ? {} : { placeholder: t.chooseDomainFirst })}
          isRequired
        />
        <Field label={t.address}>
          <Input readOnly value={local && domainName ? shownAddress(`${local}@${domainName}`) : ''} />
        </Field>
        <TextField form={form} name="phone_number" label={t.phone} inputMode="numeric" clean={cleanPhone} />
        <TextField form={form} name="recovery_email" label={t.recoveryEmail} hint={t.recoveryHint} type="email" />
      </FieldPair>
      <GivenPasswordField form={form} name="password" label={t.password} hint={t.passwordHint} />
    </FormDialog>
  );

  function domainPlaceholder(): string {
    if (!companyId) return t.chooseCompany;
    return choices && domains.length === 0 ? t.noDomains : t.chooseDomain;
  }
}
