import {
  type AuditArea,
  auditAreas,
  type AuditEventDto,
  auditPeriods,
  listAuditEvents,
} from '@selvage/core/contracts/audit-log';
import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { makeStyles, tokens } from '@fluentui/react-components';
import { type Column, TIME_WIDTH } from '../../components/list/columns.ts';
import { choicesOf } from '../../lib/choices-of.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import type { FilterField } from '../../components/list/ListToolbar.tsx';
import { activityInWords } from '../../lib/activity-words.ts';
import { companyColumns, companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { auditWords } from '../../words/audit-log.ts';
import { recordWords } from '../../words/records.ts';
import { detailsInWords } from './details.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
});

function TwoLines({ first, second }: { first: string; second: string }) {
  const styles = useStyles();
  return (
    <span className={styles.stack}>
      <span dir="auto">{first}</span>
      {second && (
        <span className={styles.quiet} title={second}>
          {second}
        </span>
      )}
    </span>
  );
}

function columns(caller: CurrentUserDto | undefined): Column<AuditEventDto>[] {
  const t = wordsOf(auditWords);
  const { nothing } = wordsOf(recordWords);
  const whatOf = (event: AuditEventDto) => (
    <TwoLines first={activityInWords(event.action)} second={detailsInWords(event)} />
  );
  const recordOf = ({ record, entity }: AuditEventDto) => {
    if (record) return <TwoLines first={record.name} second={record.email === record.name ? '' : record.email} />;
    return entity === 'user' ? t.someone : nothing;
  };
  const actorOf = ({ actor, address }: AuditEventDto) => {
    if (actor) return <TwoLines first={actor.name || t.someone} second={actor.is_erased ? t.erased : actor.email} />;
    return address ? nothing : t.host;
  };
  return [
    {
      id: 'what',
      title: t.what,
      cell: whatOf,
      text: (event) => [activityInWords(event.action), detailsInWords(event)].join(' '),
    },
    {
      id: 'record',
      title: t.record,
      cell: recordOf,
      text: ({ record }) => (record ? record.email || record.name : ''),
      width: '20%',
    },
    { id: 'actor', title: t.actor, cell: actorOf, text: ({ actor }) => actor?.email ?? '', width: '20%' },
    ...companyColumns<AuditEventDto>(caller, t.company),
    {
      id: 'address',
      title: t.address,
      cell: ({ address }) => address || nothing,
      text: ({ address }) => address,
      width: '130px',
    },
    {
      id: 'createdAt',
      title: t.time,
      cell: ({ createdAt }) => fullDate(createdAt),
      text: ({ createdAt }) => createdAt,
      width: TIME_WIDTH,
    },
  ];
}

function filters(caller: CurrentUserDto | undefined): FilterField[] {
  const t = wordsOf(auditWords);
  const labelOf = (area: AuditArea): string => (area === 'company' ? t.companies : t[area]);
  const periods = Object.keys(auditPeriods) as (keyof typeof auditPeriods)[];
  return [
    { name: 'area', label: t.area, choices: auditAreas.map((value) => ({ value, label: labelOf(value) })) },
    { name: 'period', label: t.period, choices: choicesOf(periods, t) },
    ...companyFilters(caller, t.company),
  ];
}

/** The audit trail: the act, the record, the person, the time and the address (D31). */
export default function AuditLogPage() {
  const t = useWords(auditWords);
  const caller = useCurrentUser();
  return (
    <ListScreen
      title={t.title}
      endpoint={listAuditEvents}
      queryKey={['audit-log']}
      searchLabel={t.search}
      filters={filters(caller)}
      columns={columns(caller)}
      keyOf={({ _id }) => _id}
      nameOf={({ action }) => activityInWords(action)}
      exportName="audit-log"
      empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
    />
  );
}
