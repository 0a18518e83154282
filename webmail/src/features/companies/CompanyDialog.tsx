import { type CompanyDto, companyForm, createCompany, updateCompany } from '@selvage/core/contracts/companies';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { noLimits, PlanFields, planTexts, withLimits } from '../../components/form/PlanFields.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { companiesKey } from '../../lib/record-keys.ts';
import { isOfProvider } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { cleanPhone } from '../../lib/clean.ts';
import { useWords } from '../../lib/i18n.ts';
import { companyWords } from '../../words/companies.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { formWords } from '../../words/forms.ts';
import { PlaceFields } from './PlaceFields.tsx';

function valuesOf(company: CompanyDto | null) {
  return {
    name: company?.name ?? '',
    email: company?.email ?? '',
    industry: company?.industry ?? '',
    phone: company?.phone ?? '',
    address: company?.address ?? '',
    pin_code: company?.pin_code ?? '',
    city: company?.city ?? '',
    state: company?.state ?? '',
    country: company?.country ?? '',
    active_status: company?.active_status ?? true,
    ...(company ? planTexts(company) : noLimits),
  };
}

/** Leaves out a name that stays. It may be longer than a new one may be. */
function withoutName<B extends { name: string }>(
  body: B,
  name: string | undefined,
): Omit<B, 'name'> & { name?: string } {
  const { name: given, ...others } = body;
  return given === name ? others : body;
}

/** Adds a company, or changes one. */
export function CompanyDialog({ company, onClose }: { company: CompanyDto | null; onClose: () => void }) {
  const t = useWords(companyWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const { save, saving } = useWords(formWords);
  const title = company ? t.edit : t.add;
  const tellChanged = useChanged(companiesKey);
  const isProvider = isOfProvider(useCurrentUser());
  const bodyOf = (values: ReturnType<typeof valuesOf>) => withLimits(values, isProvider, company ?? undefined);
  const form = useForm({
    start: valuesOf(company),
    schema: company ? companyForm.partial() : companyForm,
    toBody: (values) => withoutName(bodyOf(values), company?.name),
    fallback: t.failed,
    submit: (values, version, saved) =>
      company
        ? api(updateCompany, {
            params: { id: company._id },
            body: { ...withoutName(bodyOf(values), saved.name), version },
          })
        : api(createCompany, { body: bodyOf(values) }),
    ...(company ? { version: company.version } : {}),
    fromConflict: (current) => {
      const theirs = current as CompanyDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `company ${company?._id ?? 'new'}`, name: unsaved({ title }) },
    onDone: () => tellChanged(company ? t.updated : t.created).then(onClose),
  });
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={company ? save : create}
      busyLabel={company ? saving : creating}
      onClose={onClose}
    >
      <FieldPair>
        <TextField form={form} name="name" label={t.name} maxLength={100} isRequired />
        <TextField form={form} name="industry" label={t.industry} maxLength={100} />
        <TextField form={form} name="email" label={t.email} type="email" maxLength={254} isRequired />
        <TextField form={form} name="phone" label={t.phone} inputMode="numeric" clean={cleanPhone} isRequired />
      </FieldPair>
      <TextField form={form} name="address" label={t.address} maxLength={500} isRequired />
      <PlaceFields form={form} />
      {isProvider && <PlanFields form={form} />}
      {company?.abilities.switch && (
        <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
      )}
    </FormDialog>
  );
}
