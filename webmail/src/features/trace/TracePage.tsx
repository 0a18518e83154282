import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { listTraced, mostTraced, traceParties, traceStates } from '@selvage/core/contracts/trace';
import { makeStyles, tokens } from '@fluentui/react-components';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { choicesOf } from '../../lib/choices-of.ts';
import type { FilterField } from '../../components/list/ListToolbar.tsx';
import { companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { traceStateWords, traceWords } from '../../words/message-trace.ts';
import { DayFilter } from './DayFilter.tsx';
import { tracedKey } from '../../lib/record-keys.ts';
import { exportedTraceColumns, nameOfTraced, traceColumns } from './trace-columns.tsx';

const useStyles = makeStyles({
  hint: {
    margin: 0,
    padding: `0 ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalS}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    [onNarrow]: { padding: `0 ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS}` },
  },
});

function filters(caller: CurrentUserDto | undefined): FilterField[] {
  const t = wordsOf(traceWords);
  const s = wordsOf(traceStateWords);
  const stateName = (state: (typeof traceStates)[number]): string => (state === 'accepted' ? t.accepted : s[state]);
  return [
    { name: 'party', label: t.party, choices: choicesOf(traceParties, t) },
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
  const shown = traceColumns(caller);
  return (
    <ListScreen
      title={t.title}
      endpoint={listTraced}
      queryKey={tracedKey}
      sizes={[10, 20, 40, 80]}
      searchLabel={t.search}
      filters={filters(caller)}
      columns={shown}
      exportedColumns={exportedTraceColumns(shown)}
      keyOf={({ _id }) => _id}
      nameOf={nameOfTraced}
      linkOf={({ _id }) => `/dashboard/trace/${_id}`}
      header={<p className={styles.hint}>{t.limit({ count: mostTraced })}</p>}
      exportName="message-trace"
      empty={{ title: t.none, narrowedTitle: t.noneFound, narrowedHint: t.foundHint, hint: t.hint }}
    />
  );
}
