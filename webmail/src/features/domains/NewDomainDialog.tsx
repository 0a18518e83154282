import { listAllCompanies } from '@selvage/core/contracts/companies';
import { createDomain, type DomainDetailDto, newDomainForm } from '@selvage/core/contracts/domains';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { useFirstCompany } from '../../components/form/CompanyField.tsx';
import { CheckField, SelectField, SwitchField } from '../../components/form/choice-fields.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { RetryMessage } from '../../components/form/RetryMessage.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { type FieldForm, useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { hasCompanyChoice } from '../../lib/companies.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { companiesKey, domainsKey } from '../../lib/record-keys.ts';
import { stillHere } from '../../lib/still-here.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { domainWords } from '../../words/domains.ts';
import { ExpirationField } from './domain-fields.tsx';

const companiesQuery = queryOptions({
  queryKey: [...companiesKey, 'all'],
  queryFn: ({ signal }) => api(listAllCompanies, { signal }),
});

interface Props {
  onClose: () => void;
  /** Told the new domain, once the dialog is closed, if the person is still on this page. */
  onAdded: (domain: DomainDetailDto) => void;
}

/** Adds a domain to a company. */
export function NewDomainDialog({ onClose, onAdded }: Props) {
  const t = useWords(domainWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(domainsKey);
  const caller = useCurrentUser();
  const own = caller?.company_id;
  const hasChoice = hasCompanyChoice(caller);
  // The domain that the server has found to look like another one
  const [similar, setSimilar] = useState<string | null>(null);
  const form = useForm({
    start: {
      domain_name: '',
      company_id: useFirstCompany(),
      expiration_date: '',
      active_status: true,
      similar_domain_ok: false,
    },
    schema: newDomainForm,
    submit: async (values) => {
      const isSimilarOk = values.similar_domain_ok && values.domain_name === similar;
      try {
        return await api(createDomain, { body: { ...values, similar_domain_ok: isSimilarOk } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'similar_domain') setSimilar(values.domain_name);
        throw error;
      }
    },
    // The question about a similar domain is asked again
    keepAs: { key: 'domain new', name: unsaved({ title: t.add }), except: ['similar_domain_ok'] },
    onDone: async (domain) => {
      const isHere = stillHere();
      await tellChanged(t.created);
      onClose();
      if (isHere()) onAdded(domain);
    },
  });
  return (
    <FormDialog form={form} title={t.add} size="small" submitLabel={create} busyLabel={creating} onClose={onClose}>
      <TextField
        form={form}
        name="domain_name"
        label={t.domainName}
        hint={t.domainHint}
        maxLength={1000}
        autoCapitalize="none"
        spellCheck={false}
        isRequired
      />
      {form.values.domain_name === similar && <CheckField form={form} name="similar_domain_ok" label={t.similarOk} />}
      {hasChoice ? <CompanyField form={form} /> : <FixedField label={t.company} value={own?.name ?? ''} />}
      <ExpirationField form={form} />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
    </FormDialog>
  );
}

function CompanyField({ form }: { form: FieldForm<{ company_id: string }> }) {
  const t = useWords(domainWords);
  const { data, error, refetch } = useQuery(companiesQuery);
  return (
    <>
      {error && !data && <RetryMessage text={t.companiesFailed} onRetry={() => void refetch()} />}
      <SelectField
        form={form}
        name="company_id"
        label={t.company}
        placeholder={t.chooseCompany}
        choices={(data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        isDisabled={!data}
        isRequired
      />
    </>
  );
}
