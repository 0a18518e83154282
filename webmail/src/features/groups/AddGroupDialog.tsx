import { createGroup, groupForm } from '@selvage/core/contracts/groups';
import { username } from '@selvage/core/contracts/users';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { CompanyField, useFirstCompany } from '../../components/form/CompanyField.tsx';
import { choose, FieldPair, TextField } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { asUsername } from '../../lib/clean.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { groupWords } from '../../words/groups.ts';
import { without } from './member-changes.ts';
import { type Member, MembersField } from './MembersField.tsx';
import { groupsKey } from './queries.ts';

const noMembers: Member[] = [];
const empty = { name: '', company_id: '', username: '', domain: '', members: noMembers };
type Values = typeof empty;

const { address: _whole, members: _ids, ...fields } = groupForm.shape;

/** Adds a group. People of the provider choose its company; all others add to their own. */
export function AddGroupDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(groupWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(groupsKey);
  const form = useForm({
    start: { ...empty, company_id: useFirstCompany() },
    schema: z.object({
      ...fields,
      username,
      domain: z.string().min(1, t.chooseDomain),
    }),
    submit: ({ name, company_id, username: local, domain, members: people }) =>
      api(createGroup, {
        body: { name, company_id, address: `${local}@${domain}`, members: people.map(({ _id }) => _id) },
      }),
    fieldNames: { address: 'username' },
    keepAs: { key: 'group new', name: unsaved({ title: t.add }) },
    onDone: () => tellChanged(t.created).then(onClose),
  });
  const { members } = form.values;
  const clearChoices = (): void => {
    form.set('domain', '');
    form.set('members', []);
  };
  return (
    <FormDialog form={form} title={t.add} submitLabel={create} busyLabel={creating} onClose={onClose}>
      <CompanyField form={form} name="company_id" label={t.company} onPicked={clearChoices} />
      <TextField form={form} name="name" label={t.name} maxLength={100} isRequired />
      <AddressFields form={form} />
      <MembersField
        name="members"
        members={members}
        onAdd={(person) => choose(form, 'members', [...members, person])}
        onDrop={(person) => choose(form, 'members', without(members, person))}
        problem={form.problems['members']}
        companyId={form.values.company_id}
      />
    </FormDialog>
  );
}

/** The two parts of the address, and the whole of it. */
function AddressFields({ form }: { form: ReturnType<typeof useForm<Values, unknown>> }) {
  const t = useWords(groupWords);
  const { company_id: companyId, username: local, domain } = form.values;
  const { data: choices, error } = useQuery(choicesQuery(companyId));
  const domains = choices?.domains ?? [];
  return (
    <>
      <FieldPair>
        <TextField form={form} name="username" label={t.username} {...asUsername} isRequired />
        <SelectField
          form={form}
          name="domain"
          label={t.domain}
          placeholder={placeholderOf()}
          choices={domains.map(({ domain_name: name }) => ({ value: name, label: shownAddress(name) }))}
          isDisabled={!choices}
          failure={choices ? null : error}
          isRequired
        />
      </FieldPair>
      <FixedField label={t.wholeAddress} value={local && domain ? shownAddress(`${local}@${domain}`) : ''} />
    </>
  );

  function placeholderOf(): string {
    if (!companyId) return t.chooseCompany;
    return choices && domains.length === 0 ? t.noDomains : t.chooseDomain;
  }
}
