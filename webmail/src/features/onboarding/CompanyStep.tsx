import {
  type CompanyDetailDto,
  type CompanyDto,
  companySetUpForm,
  updateCompany,
} from '@selvage/core/contracts/companies';
import { Checkbox, makeStyles, tokens } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { cleanPhone } from '../../lib/clean.ts';
import { useWords } from '../../lib/i18n.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { takeAnswer } from '../../lib/take-answer.ts';
import { companyWords } from '../../words/companies.ts';
import { formWords } from '../../words/forms.ts';
import { onboardingWords } from '../../words/onboarding.ts';
import { PlaceFields } from '../companies/PlaceFields.tsx';
import { companyQuery } from '../companies/queries.ts';
import { readUnsaved, useKeepUnsaved } from './unsaved-input.ts';
import { StepFrame } from './StepFrame.tsx';
import { useReportDirty } from './use-report-dirty.ts';
import { companyValues, type Progress } from './use-progress.ts';

const useStyles = makeStyles({
  buttons: { display: 'flex', gap: tokens.spacingHorizontalS },
  box: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
});

/** The first step: who the company is. */
export function CompanyStep({ progress }: { progress: Progress }) {
  const t = useWords(onboardingWords);
  const { company, done, user } = progress;
  const [isDirty, setDirty] = useState(false);
  return (
    <StepFrame progress={progress} step={1} waitsFor={done[1] && !isDirty ? '' : t.saveFirst}>
      {company ? (
        <CompanyForm company={company} owner={user._id} onDirty={setDirty} />
      ) : (
        <FormMessage intent="info" text={t.notYours} />
      )}
    </StepFrame>
  );
}

interface Props {
  company: CompanyDetailDto;
  owner: string;
  onDirty: (isDirty: boolean) => void;
}

function CompanyForm({ company, owner, onDirty }: Props) {
  const styles = useStyles();
  const t = useWords(onboardingWords);
  const c = useWords(companyWords);
  const { save, saving } = useWords(formWords);
  const { form, base } = useCompanyForm(company, owner);
  useKeepUnsaved(owner, 'company', { values: form.values, base, isDirty: form.isDirty });
  useReportDirty(form.isDirty, onDirty);
  return (
    <Form form={form} label={t.title1}>
      <FieldPair>
        <FixedField label={c.name} value={company.name} />
        <FixedField label={t.businessEmail} value={shownAddress(company.email)} />
        <TextField form={form} name="industry" label={c.industry} maxLength={100} isRequired />
        <TextField form={form} name="phone" label={c.phone} inputMode="numeric" clean={cleanPhone} isRequired />
      </FieldPair>
      <TextField form={form} name="address" label={c.address} maxLength={500} isRequired />
      <PlaceFields form={form} />
      <Checkbox className={styles.box} label={t.isActive} checked aria-readonly />
      <div className={styles.buttons}>
        <SubmitButton label={save} busyLabel={saving} isBusy={form.isPending} />
      </div>
    </Form>
  );
}

const recordOf = (company: CompanyDto) => ({ values: companyValues(company), version: company.version });

function useCompanyForm(company: CompanyDetailDto, owner: string) {
  const t = useWords(onboardingWords);
  const client = useQueryClient();
  const [base, setBase] = useState(() => companyValues(company));
  const form = useForm({
    start: base,
    kept: readUnsaved(owner, 'company', base),
    schema: companySetUpForm,
    version: company.version,
    fallback: t.companyFailed,
    submit: (body, version) => api(updateCompany, { params: { id: company._id }, body: { ...body, version } }),
    afterSave: recordOf,
    fromConflict: (current) => recordOf(current as CompanyDto),
    onDone: async (saved) => {
      setBase(companyValues(saved));
      await takeAnswer(client, companyQuery(company._id).queryKey, { ...company, ...saved });
      void client.invalidateQueries({ queryKey: [...companiesKey, 'list'] });
      notify.success(t.companySaved);
    },
  });
  return { form, base };
}
