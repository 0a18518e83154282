import { setVacation, type VacationDto, vacationForm } from '@selvage/core/contracts/vacation';
import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { SwitchField } from '../../components/form/choice-fields.tsx';
import { FieldPair, TextField } from '../../components/form/fields.tsx';
import { Form } from '../../components/form/Form.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextAreaField } from '../../components/form/TextAreaField.tsx';
import { Facts } from '../../components/page/Facts.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useFollowSaved } from '../../hooks/use-follow-saved.ts';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { fullDay } from '../../lib/format.ts';
import { ownTimeZone } from '../../lib/own-time-zone.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { takeAnswer } from '../../lib/take-answer.ts';
import { vacationWords } from '../../words/vacation.ts';
import { vacationQuery } from './queries.ts';

const useStyles = makeStyles({
  form: { maxWidth: '640px' },
  hint: { color: tokens.colorNeutralForeground2 },
  lines: { whiteSpace: 'pre-wrap' },
});

/** What is answered while the person is away. */
export function VacationTab() {
  const t = useWords(vacationWords);
  const mayChange = can(useCurrentUser(), setVacation);
  const { data, error, refetch } = useQuery(vacationQuery);
  if (!data && error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Section title={t.title} hint={t.hint} action={data && <StateBadge state={data.state} />}>
      {data && mayChange && <VacationForm vacation={data} />}
      {data && !mayChange && <VacationFacts vacation={data} />}
      {!data && (
        <Placeholder label={t.title}>
          <Bar height={200} />
        </Placeholder>
      )}
    </Section>
  );
}

function StateBadge({ state }: Pick<VacationDto, 'state'>) {
  const t = useWords(vacationWords);
  const words = { off: t.stateOff, planned: t.statePlanned, active: t.stateActive, over: t.stateOver };
  return (
    <Badge appearance="tint" color={state === 'active' ? 'success' : 'informative'}>
      {words[state]}
    </Badge>
  );
}

/** The same for a person who may not change it. */
function VacationFacts({ vacation }: { vacation: VacationDto }) {
  const styles = useStyles();
  const t = useWords(vacationWords);
  const { first_day: first, last_day: last, subject, body } = vacation;
  const lines = <span className={styles.lines}>{body}</span>;
  return (
    <>
      <Facts
        rows={[
          [t.firstDay, first && dayInWords(first)],
          [t.lastDay, last && dayInWords(last)],
          [t.subject, subject],
          [t.body, body === '' ? null : lines],
        ]}
      />
      {vacation.only_known && <Text>{t.onlyKnown}</Text>}
    </>
  );
}

/** A day has no hour: noon is the same day wherever the person is. */
const dayInWords = (day: string): string => fullDay(`${day}T12:00:00`);

const valuesOf = ({ is_on, subject, body, first_day, last_day, time_zone, only_known }: VacationDto) => ({
  is_on,
  subject,
  body,
  first_day: first_day ?? '',
  last_day: last_day ?? '',
  time_zone,
  only_known,
});

type Values = ReturnType<typeof valuesOf>;

const recordOf = (vacation: VacationDto) => ({ values: valuesOf(vacation), version: vacation.version });

/** What the contract takes: an empty day is none. */
function bodyOf({ first_day: first, last_day: last, ...rest }: Values) {
  return { ...rest, first_day: first || null, last_day: last || null };
}

/**
 * The time zone that the days count in: for days as they are stored, the one they were set in. A
 * save on a journey must not move them, nor tell each sender anew.
 */
function zoneOf({ first_day: first, last_day: last }: Values, saved: Values): string {
  return first === saved.first_day && last === saved.last_day ? saved.time_zone : ownTimeZone();
}

function zoneHint(values: Values, saved: Values): string {
  const t = wordsOf(vacationWords);
  const own = ownTimeZone();
  const hasDays = values.first_day !== '' || values.last_day !== '';
  const zone = hasDays ? zoneOf(values, saved) : own;
  return zone === own ? t.ownZone({ zone }) : t.storedZone({ stored: zone, own });
}

function VacationForm({ vacation }: { vacation: VacationDto }) {
  const styles = useStyles();
  const t = useWords(vacationWords);
  const client = useQueryClient();
  const form = useForm({
    start: valuesOf(vacation),
    schema: vacationForm,
    toBody: bodyOf,
    submit: (values, version, saved) =>
      api(setVacation, { body: { ...bodyOf(values), time_zone: zoneOf(values, saved), version } }),
    version: vacation.version,
    afterSave: recordOf,
    fromConflict: (current) => recordOf(current as VacationDto),
    fieldLabels: { time_zone: t.zone },
    unsavedName: t.unsaved,
    keepAs: { key: 'vacation', name: t.unsaved },
    onDone: async (saved) => {
      await takeAnswer(client, vacationQuery.queryKey, saved);
      notify.success(saved.is_on ? t.savedOn : t.savedOff);
      await client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    },
  });
  useFollowSaved(form, vacation, (saved) => form.goOnFrom(recordOf(saved), form.values));
  return (
    <Form form={form} label={t.title} className={styles.form}>
      <SwitchField form={form} name="is_on" label={t.on} />
      <FieldPair>
        <TextField form={form} name="first_day" label={t.firstDay} hint={t.dayHint} type="date" />
        <TextField form={form} name="last_day" label={t.lastDay} hint={t.dayHint} type="date" />
      </FieldPair>
      <Text size={200} className={styles.hint}>
        {zoneHint(form.values, valuesOf(vacation))}
      </Text>
      <TextField form={form} name="subject" label={t.subject} hint={t.subjectHint} maxLength={200} />
      <TextAreaField form={form} name="body" label={t.body} rows={8} />
      <SwitchField form={form} name="only_known" label={t.onlyKnown} hint={t.onlyKnownHint} />
      <div>
        <SubmitButton label={t.save} busyLabel={t.saving} isBusy={form.isPending} />
      </div>
    </Form>
  );
}
