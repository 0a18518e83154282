import {
  type DomainDetailDto,
  type DomainRecordDto,
  domainRecordForm,
  recordTypes,
  updateDomain,
} from '@selvage/core/contracts/domains';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { type FieldForm, useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { cleanDigits } from '../../lib/clean.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { dnsRecordWords } from '../../words/dns-records.ts';
import { useShowDomain } from './queries.ts';

type RecordType = DomainRecordDto['type'];

const emptyRecord = { record_name: '', type: 'A' as RecordType, name: '@', priority: '', content: '', ttl: '3600' };
type Values = typeof emptyRecord;

const valuesOf = ({ record_name, type, name, priority, content, ttl }: DomainRecordDto): Values => ({
  record_name,
  type,
  name,
  priority: type === 'MX' ? String(priority) : '',
  content,
  ttl: String(ttl),
});

const toBody = ({ priority, ttl, ...others }: Values) => ({
  ...others,
  priority: others.type === 'MX' ? priority || '0' : '0',
  // Without a TTL the server uses its default
  ...(ttl ? { ttl } : {}),
});

const fields = Object.keys(emptyRecord);
const fieldNames = Object.fromEntries(fields.map((name) => [`dns_records.${name}`, name]));

interface Options {
  domain: Pick<DomainDetailDto, '_id' | 'version'>;
  /** The record that is changed; without it one is added. */
  record?: DomainRecordDto;
  onDone: () => void;
}

/** The form of a record. It is empty again after one was added. */
export function useRecordForm({ domain: { _id: domainId, version }, record, onDone }: Options) {
  const t = useWords(dnsRecordWords);
  const { unsaved } = useWords(dialogWords);
  const show = useShowDomain();
  return useForm<Values, DomainDetailDto>({
    start: record ? valuesOf(record) : emptyRecord,
    schema: domainRecordForm,
    toBody,
    fieldNames,
    // A new record overwrites nothing, whatever version the domain has meanwhile
    ...(record ? { version, fromConflict: (current) => fromConflict(current as DomainDetailDto, record) } : {}),
    submit: (values, startedFrom) =>
      api(updateDomain, {
        params: { id: domainId },
        body: { dns_records: toBody(values), ...(record ? { dns_id: record._id, version: startedFrom } : {}) },
      }),
    // A dialog is closed by then
    ...(record ? {} : { afterSave: () => ({ values: emptyRecord }), unsavedName: t.unsaved }),
    keepAs: record
      ? { key: `record ${record._id}`, name: unsaved({ title: t.editTitle }) }
      : { key: `record new in ${domainId}`, name: t.unsaved },
    onDone: async (domain) => {
      await show(domain);
      onDone();
    },
  });
}

/** The record as another person has left it. One that is gone is shown as it was. */
function fromConflict({ dns_records: records, version }: DomainDetailDto, record: DomainRecordDto) {
  return { values: valuesOf(records.find(({ _id }) => _id === record._id) ?? record), version };
}

/** What the content of a record is called, by its type. */
function contentLabel(type: RecordType): string {
  const t = wordsOf(dnsRecordWords);
  const labels = { A: t.pointsTo, AAAA: t.pointsTo, MX: t.mailServer, CNAME: t.target, TXT: t.txtValue };
  return labels[type];
}

/** The fields of a record; those that its type does not have are left out. */
export function RecordFields({ form }: { form: FieldForm<Values> }) {
  const t = useWords(dnsRecordWords);
  const { type } = form.values;
  return (
    <FieldPair>
      <SelectField
        form={form}
        name="type"
        label={t.type}
        choices={recordTypes.map((one) => ({ value: one, label: one }))}
        isRequired
      />
      <TextField form={form} name="record_name" label={t.customName} maxLength={100} />
      <TextField
        form={form}
        name="name"
        label={t.name}
        hint={t.nameHint}
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        isRequired
      />
      <TextField
        form={form}
        name="content"
        label={contentLabel(type)}
        maxLength={4096}
        autoCapitalize="none"
        spellCheck={false}
        isRequired
      />
      {type === 'MX' && (
        <TextField
          form={form}
          name="priority"
          label={t.priority}
          inputMode="numeric"
          maxLength={5}
          clean={cleanDigits}
        />
      )}
      <TextField
        form={form}
        name="ttl"
        label={t.ttl}
        hint={t.ttlHint}
        inputMode="numeric"
        maxLength={6}
        clean={cleanDigits}
      />
    </FieldPair>
  );
}
