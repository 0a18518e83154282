import type { UserChoices } from '@selvage/core/contracts/users';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { GivenPasswordField } from '../../components/form/GivenPasswordField.tsx';
import { PickField } from '../../components/form/PickField.tsx';
import { RetryMessage } from '../../components/form/RetryMessage.tsx';
import { asUsername, cleanName, cleanPhone } from '../../lib/clean.ts';
import { companyRecords } from '../../lib/companies.ts';
import { useWords } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { limitWords } from '../../words/limits.ts';
import { userWords } from '../../words/users.ts';
import type { NewUserForm } from './use-new-user-form.ts';

/** Says that the plan has no seat before all fields are filled in. */
function NoSeat({ company: { name }, seats: { used, limit } }: Pick<UserChoices, 'company' | 'seats'>) {
  const t = useWords(limitWords);
  if (limit === null || used < limit) return null;
  return <FormMessage intent="warning" text={t.usersFull({ name, limit: limit.toLocaleString() })} />;
}

/** The fields of a new user; with `hasCompany` the company is chosen first. */
export function NewUserFields({
  form,
  choices,
  onRetry,
  domainName,
  hasCompany = false,
}: NewUserForm & { hasCompany?: boolean }) {
  const t = useWords(userWords);
  const { companyId, domain_id: domainId, username: local } = form.values;
  const domains = choices?.domains ?? [];
  const clearChoices = (): void => {
    form.set('role_id', '');
    form.set('domain_id', '');
  };
  return (
    <>
      {onRetry && <RetryMessage text={t.choicesFailed} onRetry={onRetry} />}
      {choices && <NoSeat {...choices} />}
      {hasCompany && (
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
          form={form}
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
        <FixedField label={t.address} value={local && domainName ? shownAddress(`${local}@${domainName}`) : ''} />
        <TextField form={form} name="phone_number" label={t.phone} inputMode="numeric" clean={cleanPhone} />
        <TextField form={form} name="recovery_email" label={t.recoveryEmail} hint={t.recoveryHint} type="email" />
      </FieldPair>
      <GivenPasswordField form={form} name="password" label={t.password} hint={t.passwordHint} />
    </>
  );

  function domainPlaceholder(): string {
    if (!companyId) return t.chooseCompany;
    return choices && domains.length === 0 ? t.noDomains : t.chooseDomain;
  }
}
