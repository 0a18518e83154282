import { createFilter, type FilterDto, filterForm, updateFilter } from '@selvage/core/contracts/mail-rules';
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { CheckField, SelectField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { type Problems, problemsOf } from '../../lib/problems.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { mailRuleWords } from '../../words/mail-rules.ts';
import { pageWords } from '../../words/pages.ts';
import { ApplyFilterDialog } from './ApplyFilterDialog.tsx';
import { type Fitting, findFitting } from './apply-filter.ts';
import { filtersQuery, labelsQuery, ownFoldersQuery } from './queries.ts';

const useStyles = makeStyles({
  hint: { color: tokens.colorNeutralForeground2 },
  ticks: { display: 'flex', flexDirection: 'column' },
});

/** Marks the id of one of the person's own folders among the folders to choose from. */
const OWN_PREFIX = 'own:';

type Values = ReturnType<typeof valuesOf>;

const LONGEST = 200;

function valuesOf({ name = '', conditions = {}, actions = {} }: Partial<FilterDto>) {
  const { from = '', to = '', subject = '', list_id = '' } = conditions;
  const { label = '', star = false, mark_read = false, forward = false, stop = false } = actions;
  const moveTo = actions.folder === undefined ? (actions.move_to ?? '') : `${OWN_PREFIX}${actions.folder}`;
  return { name, from, to, subject, list_id, move_to: moveTo, label, star, mark_read, forward, stop };
}

/** What the contract takes; a filter without a name is called after its first condition. */
function bodyOf({ name, move_to: moveTo, label, star, mark_read, forward, stop, ...conditions }: Values) {
  const { from, to, subject, list_id } = conditions;
  const first = [from, to, subject, list_id].find((text) => text.trim() !== '') ?? '';
  return {
    name: (name.trim() || first.trim()).slice(0, 100),
    conditions: { from, to, subject, list_id },
    actions: {
      ...(moveTo.startsWith(OWN_PREFIX)
        ? { folder: moveTo.slice(OWN_PREFIX.length) }
        : moveTo && { move_to: moveTo as 'archive' }),
      ...(label && { label }),
      star,
      mark_read,
      forward,
      stop,
    },
  };
}

/** A tick box has no place for a problem, so its problem is shown for the whole form. */
const fieldNames = Object.fromEntries([
  ...['from', 'to', 'subject', 'list_id'].map((name) => [`conditions.${name}`, name]),
  ['actions.folder', 'move_to'],
  ...['move_to', 'label'].map((name) => [`actions.${name}`, name]),
]);

/** What is wrong, by the fields of the dialog. Without a condition there is no name either. */
function problemsIn(values: Values): Problems {
  const found = Object.entries(problemsOf(filterForm, bodyOf(values)));
  const named = found.map(([name, problem]) => [fieldNames[name] ?? name, problem] as const);
  return Object.fromEntries(named.filter(([name]) => name !== 'name'));
}

function isLostFolder(moveTo: string, folders: readonly OwnFolderDto[]): boolean {
  return moveTo.startsWith(OWN_PREFIX) && !folders.some(({ _id }) => moveTo === `${OWN_PREFIX}${_id}`);
}

const recordOf = (filter: FilterDto) => ({ values: valuesOf(filter), version: filter.version });

interface Props {
  /** The filter that is changed; left out for a new one. */
  filter?: FilterDto;
  /** What a new one begins with. */
  start?: Partial<FilterDto>;
  onClose: () => void;
}

/** What a filter looks for, and what it does. */
export default function FilterDialog({ filter, start = {}, onClose }: Props) {
  const styles = useStyles();
  const t = useWords(mailRuleWords);
  const pages = useWords(pageWords);
  const dialogs = useWords(dialogWords);
  const title = filter ? t.editTitle : t.addTitle;
  const client = useQueryClient();
  const user = useCurrentUser();
  const address = user?.forward_confirmed ? user.forward_to : null;
  const forwardsNowhere = user !== undefined && address === null;
  const { data: own, error: labelsError } = useQuery(labelsQuery);
  const { data: ownFolders, error: foldersError } = useQuery(ownFoldersQuery);
  const [fitting, setFitting] = useState<Fitting | null>(null);
  const labels = (own ?? []).map(({ _id, name }) => ({ value: _id, label: name }));
  const form = useForm({
    start: valuesOf(filter ?? start),
    check: problemsIn,
    fieldNames,
    fieldLabels: { conditions: t.conditions, actions: t.actions, is_on: t.onOff },
    ...(filter && { version: filter.version }),
    fromConflict: (current) => recordOf(current as FilterDto),
    // A new one is known by what it begins with, such as the sender of a message
    keepAs: { key: `filter ${filter?._id ?? JSON.stringify(start)}`, name: dialogs.unsaved({ title }) },
    submit: (values, version) => {
      // A label or a folder that was deleted meanwhile counts as none, and so does forwarding that
      // has ended
      const isGone = own !== undefined && !own.some(({ _id }) => _id === values.label);
      const isLost = ownFolders !== undefined && isLostFolder(values.move_to, ownFolders);
      const body = bodyOf({
        ...values,
        ...(isGone && { label: '' }),
        ...(isLost && { move_to: '' }),
        ...(forwardsNowhere && { forward: false }),
      });
      return filter
        ? api(updateFilter, { params: { id: filter._id }, body: { ...body, version } })
        : api(createFilter, { body });
    },
    onDone: async (saved) => {
      await client.invalidateQueries({ queryKey: filtersQuery.queryKey });
      notify.success((filter ? t.saved : t.added)({ name: saved.name }));
      const found = await findFitting(saved);
      if (found) setFitting(found);
      else onClose();
    },
  });
  const { move_to: moveTo, label } = form.values;
  const folders = [
    ...(['archive', 'junk', 'trash'] as const).map((value) => ({ value: value as string, label: pages[value] })),
    ...(ownFolders ?? []).map(({ _id, name }) => ({ value: `${OWN_PREFIX}${_id}`, label: name })),
    // Without it, a browser would show the first choice, which is not what the filter does
    ...(!ownFolders && moveTo.startsWith(OWN_PREFIX) ? [{ value: moveTo, label: t.ownFolder }] : []),
  ];
  if (!own && label !== '') labels.push({ value: label, label: t.ownLabel });
  if (fitting) return <ApplyFilterDialog fitting={fitting} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={filter ? t.save : t.create}
      busyLabel={filter ? t.saving : t.creating}
      onClose={onClose}
    >
      <Text weight="semibold">{t.conditions}</Text>
      <FieldPair>
        <TextField form={form} name="from" label={t.from} maxLength={LONGEST} />
        <TextField form={form} name="to" label={t.to} maxLength={LONGEST} />
        <TextField form={form} name="subject" label={t.subject} maxLength={LONGEST} />
        <TextField form={form} name="list_id" label={t.list} maxLength={LONGEST} />
      </FieldPair>
      <Text size={200} className={styles.hint}>
        {t.conditionsHint}
      </Text>
      <Text weight="semibold">{t.actions}</Text>
      <SelectField
        form={form}
        name="move_to"
        label={t.moveTo}
        choices={[{ value: '', label: t.stays }, ...folders]}
        failure={ownFolders ? null : foldersError}
      />
      {labels.length > 0 && (
        <SelectField
          form={form}
          name="label"
          label={t.putLabel}
          choices={[{ value: '', label: t.noLabel }, ...labels]}
          failure={own ? null : labelsError}
        />
      )}
      <div className={styles.ticks}>
        <CheckField form={form} name="star" label={t.star} />
        <CheckField form={form} name="mark_read" label={t.markRead} />
        {address !== null && <CheckField form={form} name="forward" label={t.forwardTo({ address })} />}
        <CheckField form={form} name="stop" label={t.stop} />
      </div>
      {forwardsNowhere && form.values.forward && (
        <Text size={200} className={styles.hint}>
          {t.forwardEnds}
        </Text>
      )}
      <TextField form={form} name="name" label={t.name} hint={t.nameHint} maxLength={100} />
    </FormDialog>
  );
}
