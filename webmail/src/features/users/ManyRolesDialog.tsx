import type { UserDto } from '@selvage/core/contracts/users';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { manyUserWords } from '../../words/many-users.ts';
import { choicesQuery } from '../../lib/company-choices.ts';
import type { ManyChange } from './use-change-many.ts';

interface Props {
  users: UserDto[];
  onChange: (change: ManyChange) => Promise<void>;
  onClose: () => void;
}

/** Gives the ticked users another role. A role belongs to a company, so they have to be of one. */
export function ManyRolesDialog(props: Props) {
  const companies = new Set(props.users.map(({ company_id }) => company_id._id));
  const [companyId] = companies;
  if (companies.size !== 1 || companyId === undefined) return <SeveralCompanies {...props} />;
  return <RoleForm {...props} companyId={companyId} />;
}

function SeveralCompanies({ users, onClose }: Props) {
  const t = useWords(manyUserWords);
  const { ok } = useWords(dialogWords);
  return (
    <InfoDialog title={t.roleTitle(users.length)} doneLabel={ok} onClose={onClose}>
      <span>{t.oneCompany}</span>
    </InfoDialog>
  );
}

function RoleForm({ users, companyId, onChange, onClose }: Props & { companyId: string }) {
  const t = useWords(manyUserWords);
  const { data, error } = useQuery(choicesQuery(companyId));
  const form = useForm({
    start: { role_id: '' },
    schema: z.object({ role_id: z.string().min(1, t.roleRequired) }),
    submit: ({ role_id }) => onChange({ role_id }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t.roleTitle(users.length)}
      size="small"
      submitLabel={t.change}
      busyLabel={t.changing}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="role_id"
        label={t.role}
        placeholder={t.chooseRole}
        hint={t.roleHint}
        choices={(data?.roles ?? [])
          .filter(({ assignable }) => assignable)
          .map(({ _id, role_name }) => ({ value: _id, label: role_name }))}
        isDisabled={!data}
        failure={data ? null : error}
        isRequired
      />
    </FormDialog>
  );
}
