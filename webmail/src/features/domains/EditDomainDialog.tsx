import { type DomainDto, updateDomain } from '@selvage/core/contracts/domains';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { FixedField } from '../../components/form/FixedField.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { domainWords } from '../../words/domains.ts';
import { formWords } from '../../words/forms.ts';
import { ExpirationField } from './domain-fields.tsx';

const valuesOf = ({ expiration_date, active_status }: DomainDto) => ({
  expiration_date: expiration_date ?? '',
  active_status,
});

/** Changes a domain; its name and its company stay. */
export function EditDomainDialog({ domain, onClose }: { domain: DomainDto; onClose: () => void }) {
  const t = useWords(domainWords);
  const { save, saving } = useWords(formWords);
  const { unsaved } = useWords(dialogWords);
  const tellChanged = useChanged(domainsKey);
  const form = useForm({
    start: valuesOf(domain),
    schema: updateDomain.body,
    version: domain.version,
    fieldLabels: { address: t.catchAll },
    submit: (values, version) => api(updateDomain, { params: { id: domain._id }, body: { ...values, version } }),
    fromConflict: (current) => {
      const theirs = current as DomainDto;
      return { values: valuesOf(theirs), version: theirs.version };
    },
    keepAs: { key: `domain ${domain._id}`, name: unsaved({ title: t.edit }) },
    onDone: () => tellChanged(t.updated).then(onClose),
  });
  return (
    <FormDialog form={form} title={t.edit} size="small" submitLabel={save} busyLabel={saving} onClose={onClose}>
      <FixedField label={t.domainName} value={shownAddress(domain.domain_name)} />
      <FixedField label={t.company} value={domain.company_id.name} />
      <ExpirationField form={form} />
      <SwitchField form={form} name="active_status" label={t.isActive} hint={t.isActiveHint} />
    </FormDialog>
  );
}
