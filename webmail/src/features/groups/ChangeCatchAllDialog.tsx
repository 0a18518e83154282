import { type CatchAllDto, type CatchAllRowDto, catchAllForm, setCatchAll } from '@selvage/core/contracts/catch-all';
import { Field } from '@fluentui/react-components';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { type Form, useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { catchAllWords } from '../../words/catch-all.ts';
import { formWords } from '../../words/forms.ts';
import { groupsOf, peopleOf } from './queries.ts';

interface Props {
  row: CatchAllRowDto;
  onClose: () => void;
}

/** The person or the group that is chosen. */
interface Target {
  _id: string;
  address: string;
}
type Values = { kind: string; address: Target | null };

function startOf({ address, target }: CatchAllDto): Values {
  if (!address || !target) return { kind: 'none', address: null };
  return { kind: target.kind, address: { _id: target._id, address } };
}

const toBody = ({ kind, address }: Values) => ({ address: kind === 'none' ? '' : (address?.address ?? '') });

/** Chooses where mail goes for names that a domain does not have. */
export function ChangeCatchAllDialog({ row, onClose }: Props) {
  const t = useWords(catchAllWords);
  const { save, saving } = useWords(formWords);
  const tellChanged = useChanged(domainsKey);
  const form = useForm<Values, unknown>({
    start: startOf(row),
    schema: catchAllForm,
    toBody,
    check: ({ kind, address }) => missing(kind, address),
    submit: (values, version) =>
      api(setCatchAll, { params: { id: row.domain_id }, body: { ...toBody(values), version } }),
    version: row.version,
    fieldLabels: { address: t.goesTo },
    fromConflict: (current) => {
      const theirs = current as CatchAllDto;
      return { values: startOf(theirs), version: theirs.version };
    },
    onDone: () => tellChanged(t.saved).then(onClose),
  });
  const { kind } = form.values;
  return (
    <FormDialog
      form={form}
      title={t.changeTitle({ domain: row.domain_name })}
      submitLabel={save}
      busyLabel={saving}
      onClose={onClose}
    >
      <KindField form={form} />
      {kind !== 'none' && <TargetField key={kind} form={form} companyId={row.company_id._id} />}
      {kind !== 'none' && <FormMessage intent="warning" text={t.junk} />}
    </FormDialog>
  );

  function missing(chosen: string, address: Target | null): Record<string, string> {
    if (chosen === 'none' || address) return {};
    return { address: chosen === 'person' ? t.choosePerson : t.chooseGroup };
  }
}

function KindField({ form }: { form: Form<Values> }) {
  const t = useWords(catchAllWords);
  const set: typeof form.set = (name, value) => {
    form.set(name, value);
    if (name === 'kind') form.set('address', null);
  };
  return (
    <SelectField
      form={{ ...form, set }}
      name="kind"
      label={t.kind}
      hint={form.values.kind === 'none' ? t.refusedHint : undefined}
      choices={[
        { value: 'none', label: t.none },
        { value: 'person', label: t.toPerson },
        { value: 'group', label: t.toGroup },
      ]}
    />
  );
}

function TargetField({ form, companyId }: { form: Form<Values>; companyId: string }) {
  const t = useWords(catchAllWords);
  const { kind, address } = form.values;
  const shared = { name: 'address', value: address?._id ?? '' };
  const set = (_id: string, found: string | undefined): void =>
    form.set('address', found === undefined ? null : { _id, address: found });
  return (
    <Field label={kind === 'person' ? t.person : t.group} required {...fieldProblem(form.problems['address'])}>
      {kind === 'person' ? (
        <RecordPicker
          {...shared}
          records={peopleOf(companyId)}
          placeholder={t.findPerson}
          onPick={(id, person) => set(id, person?.email)}
        />
      ) : (
        <RecordPicker
          {...shared}
          records={groupsOf(companyId)}
          placeholder={t.findGroup}
          onPick={(id, group) => set(id, group?.address)}
        />
      )}
    </Field>
  );
}
