import { createClient, newClientForm } from '@selvage/core/contracts/clients';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { CheckField } from '../../components/form/choice-fields.tsx';
import { TextField } from '../../components/form/fields.tsx';
import { GivenPasswordField } from '../../components/form/GivenPasswordField.tsx';
import { limitsOf, noLimits, PlanFields } from '../../components/form/PlanFields.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { clientWords } from '../../words/clients.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { PersonFields } from './PersonFields.tsx';
import { useClientChanged } from './queries.ts';

const start = {
  company_name: '',
  fname: '',
  lname: '',
  phone_number: '',
  country: '',
  personal_email: '',
  business_email: '',
  password: '',
  password_change_required: true,
  similar_domain_ok: false,
  active_status: true,
  ...noLimits,
};

const toBody = (values: typeof start) => ({
  ...values,
  ...limitsOf(values),
  password: values.password && encodePassword(values.password),
});

/** Adds a client with its company, domain and administrator. */
export function NewClientDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(clientWords);
  const { create, creating, unsaved } = useWords(dialogWords);
  const tellChanged = useClientChanged();
  // The address whose domain the server has found to look like another one
  const [similar, setSimilar] = useState<string | null>(null);
  const form = useForm({
    start,
    schema: newClientForm,
    fallback: t.failed,
    toBody,
    submit: async (values) => {
      const isSimilarOk = values.similar_domain_ok && values.business_email === similar;
      try {
        return await api(createClient, { body: { ...toBody(values), similar_domain_ok: isSimilarOk } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'similar_domain') setSimilar(values.business_email);
        throw error;
      }
    },
    // The question about a similar domain is asked again
    keepAs: { key: 'client new', name: unsaved({ title: t.add }), except: ['password', 'similar_domain_ok'] },
    onDone: () => tellChanged(t.created).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.add} submitLabel={create} busyLabel={creating} onClose={onClose}>
      <TextField form={form} name="company_name" label={t.companyName} maxLength={100} isRequired />
      <PersonFields form={form}>
        <TextField
          form={form}
          name="business_email"
          label={t.businessEmail}
          hint={t.businessHint}
          type="email"
          maxLength={254}
          isRequired
        />
      </PersonFields>
      {form.values.business_email === similar && (
        <CheckField form={form} name="similar_domain_ok" label={t.similarOk} />
      )}
      <PlanFields form={form} />
      <GivenPasswordField form={form} name="password" label={t.password} />
      <CheckField form={form} name="password_change_required" label={t.mustChange} />
    </FormDialog>
  );
}
