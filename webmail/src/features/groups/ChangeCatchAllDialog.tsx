import { type CatchAllDto, type CatchAllRowDto, catchAllForm, setCatchAll } from '@selvage/core/contracts/catch-all';
import { Field } from '@fluentui/react-components';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { SelectField } from '../../components/form/choice-fields.tsx';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { choose } from '../../components/form/fields.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RecordPicker } from '../../components/form/RecordPicker.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { type Form, useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { catchAllWords } from '../../words/catch-all.ts';
import { formWords } from '../../words/forms.ts';
import { groupsOf, peopleOf } from './queries.ts';

interface Props {
  row: CatchAllRowDto;
  onClose: () => void;
}

/**
 * Where the mail goes. It is one value of the form, so that a kind and a target of two people are
 * never put together after a conflict.
 */
interface Choice {
  kind: 'none' | 'person' | 'group';
  target: { _id: string; address: string } | null;
}
type Values = { address: Choice };

function startOf({ address, target }: CatchAllDto): Values {
  if (!address || !target) return { address: { kind: 'none', target: null } };
  return { address: { kind: target.kind, target: { _id: target._id, address } } };
}

const toBody = ({ address: { kind, target } }: Values) => ({ address: kind === 'none' ? '' : (target?.address ?? '') });

/** Chooses where mail goes for names that a domain does not have. */
export function ChangeCatchAllDialog({ row, onClose }: Props) {
  const t = useWords(catchAllWords);
  const { save, saving } = useWords(formWords);
  const tellChanged = useChanged(domainsKey);
  const form = useForm<Values, unknown>({
    start: startOf(row),
    schema: catchAllForm,
    toBody,
    check: ({ address }) => missing(address),
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
  const { kind } = form.values.address;
  return (
    <FormDialog
      form={form}
      title={t.changeTitle({ domain: shownAddress(row.domain_name) })}
      submitLabel={save}
      busyLabel={saving}
      onClose={onClose}
    >
      <KindField form={form} />
      {kind !== 'none' && <TargetField key={kind} form={form} companyId={row.company_id._id} />}
      {kind !== 'none' && <FormMessage intent="warning" text={t.junk} />}
      {kind !== 'none' && <FormMessage intent="info" text={t.ownerNames} />}
    </FormDialog>
  );

  function missing({ kind: chosen, target }: Choice): Record<string, string> {
    if (chosen === 'none' || target) return {};
    return { address: chosen === 'person' ? t.choosePerson : t.chooseGroup };
  }
}

function KindField({ form }: { form: Form<Values> }) {
  const t = useWords(catchAllWords);
  const { kind } = form.values.address;
  const set = (_name: 'kind', chosen: Choice['kind']): void => form.set('address', { kind: chosen, target: null });
  return (
    <SelectField
      form={{ values: { kind }, problems: {}, isPending: form.isPending, isLocked: form.isLocked, set }}
      name="kind"
      label={t.kind}
      hint={kind === 'none' ? t.refusedHint : undefined}
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
  const { kind, target } = form.values.address;
  const shared = { name: 'address', value: target?._id ?? '' };
  const set = (_id: string, address: string | undefined): void =>
    choose(form, 'address', { kind, target: address === undefined ? null : { _id, address } });
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
