import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { listTraced, mostTraced, type TracedDto, traceParties, traceStates } from '@selvage/core/contracts/trace';
import { makeStyles, tokens } from '@fluentui/react-components';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import type { FilterField } from '../../components/list/ListToolbar.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { companyFilters } from '../../lib/company-filter.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { recordWords } from '../../words/records.ts';
import { traceStateWords, traceWords } from '../../words/message-trace.ts';
import { DayFilter } from './DayFilter.tsx';
import { tracedKey } from '../../lib/record-keys.ts';
import { kindOfState, reasonInWords } from './reason-in-words.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  hint: {
    margin: 0,
    padding: `0 ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalS}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS}` },
  },
  address: { overflow: 'hidden', textOverflow: 'ellipsis', unicodeBidi: 'isolate' },
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
});

/** Without a sender it is a report; a flood of refusals is counted without its recipients. */
const senderOf = ({ sender }: TracedDto): string => sender || wordsOf(traceWords).nullSender;
const recipientOf = ({ recipient }: TracedDto): string => recipient || wordsOf(traceWords).manyRecipients;

function Addresses({ row }: { row: TracedDto }) {
  const styles = useStyles();
  const t = useWords(traceWords);
  return (
    <span className={styles.stack}>
      <span className={styles.address} title={senderOf(row)}>
        {senderOf(row)}
      </span>
      <span className={styles.quiet} title={recipientOf(row)}>
        {t.toRecipient({ recipient: recipientOf(row) })}
      </span>
    </span>
  );
}

function Outcome({ row: { state, reason, answers } }: { row: TracedDto }) {
  const styles = useStyles();
  const t = useWords(traceWords);
  const s = useWords(traceStateWords);
  const said = reasonInWords(reason);
  const isPlain = reason === 'stored_locally' || reason === 'remote_accepted';
  return (
    <span className={styles.stack}>
      <StateWord kind={kindOfState[state]}>{s[state]}</StateWord>
      {!isPlain && (
        <span className={styles.quiet} title={said}>
          {answers > 1 ? `${t.answers(answers)}: ${said}` : said}
        </span>
      )}
    </span>
  );
}

function columns(isProvider: boolean): Column<TracedDto>[] {
  const t = wordsOf(traceWords);
  const s = wordsOf(traceStateWords);
  const { nothing } = wordsOf(recordWords);
  const company: Column<TracedDto> = {
    id: 'company',
    title: t.company,
    cell: ({ company_id }) => company_id?.name ?? nothing,
    text: ({ company_id }) => company_id?.name ?? '',
    width: '16%',
  };
  const way = ({ direction }: TracedDto): string => (direction === 'in' ? t.incoming : t.outgoing);
  return [
    { id: 'sender', title: t.message, cell: (row) => <Addresses row={row} />, text: ({ sender }) => sender },
    { id: 'way', title: '', cell: way, text: way, width: '56px', isWideOnly: true },
    { id: 'what', title: t.what, cell: (row) => <Outcome row={row} />, text: ({ state }) => s[state], width: '30%' },
    ...(isProvider ? [company] : []),
    {
      id: 'createdAt',
      title: t.time,
      cell: ({ createdAt }) => fullDate(createdAt),
      text: ({ createdAt }) => createdAt,
      width: '190px',
    },
  ];
}

/** What the file has beside the columns of the screen. */
function exported(all: Column<TracedDto>[]): Column<TracedDto>[] {
  const t = wordsOf(traceWords);
  const titles: Record<string, string> = { sender: t.sender, way: t.way };
  const hidden = (id: string, title: string, text: (row: TracedDto) => string): Column<TracedDto> => ({
    id,
    title,
    cell: text,
    text,
  });
  return [
    ...all.map((column) => ({ ...column, title: titles[column.id] ?? column.title })),
    hidden('recipient', t.recipient, ({ recipient }) => recipient),
    hidden('reason', t.reason, ({ reason }) => reason ?? ''),
  ];
}

function filters(caller: CurrentUserDto | undefined): FilterField[] {
  const t = wordsOf(traceWords);
  const s = wordsOf(traceStateWords);
  const stateName = (state: (typeof traceStates)[number]): string => (state === 'accepted' ? t.accepted : s[state]);
  return [
    { name: 'party', label: t.party, choices: traceParties.map((value) => ({ value, label: t[value] })) },
    { name: 'state', label: t.state, choices: traceStates.map((value) => ({ value, label: stateName(value) })) },
    { name: 'from', label: t.from, renderPicker: (props) => <DayFilter {...props} edge="begin" /> },
    { name: 'to', label: t.to, renderPicker: (props) => <DayFilter {...props} edge="end" /> },
    ...companyFilters(caller, t.company),
  ];
}

/** Where each message went (D58). */
export default function TracePage() {
  const t = useWords(traceWords);
  const styles = useStyles();
  const caller = useCurrentUser();
  const shown = columns(caller?.company_id.is_provider === true);
  return (
    <ListScreen
      title={t.title}
      endpoint={listTraced}
      queryKey={tracedKey}
      sizes={[10, 20, 40, 80]}
      searchLabel={t.search}
      filters={filters(caller)}
      columns={shown}
      exportedColumns={exported(shown)}
      keyOf={({ _id }) => _id}
      nameOf={(row) => t.rowName({ sender: senderOf(row), recipient: recipientOf(row) })}
      linkOf={({ _id }) => `/dashboard/trace/${_id}`}
      header={<p className={styles.hint}>{t.limit({ count: mostTraced })}</p>}
      exportName="message-trace"
      empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
    />
  );
}
