import { listScheduled, type ScheduledRowDto } from '@selvage/core/contracts/scheduled';
import { undoSend } from '@selvage/core/contracts/mail';
import { Button, makeStyles, mergeClasses } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { MailDrawing } from '../../../components/drawings.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { ProgressLine } from '../../../components/feedback/ProgressLine.tsx';
import { Pagination } from '../../../components/list/Pagination.tsx';
import { LoadError } from '../../../components/page/LoadError.tsx';
import { StatusPage } from '../../../components/page/StatusPage.tsx';
import { Toolbar } from '../../../components/Toolbar.tsx';
import { useHourly } from '../../../hooks/use-hourly.ts';
import { listQuery, useListQuery } from '../../../hooks/use-list-query.ts';
import { useListState } from '../../../hooks/use-list-state.ts';
import { useSelection } from '../../../hooks/use-selection.ts';
import { useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { can } from '../../../lib/can.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { fromHere } from '../../../lib/origin.ts';
import type { FetchAheadContext } from '../../../lib/page.ts';
import { mailRows, scrollPane } from '../../../theme/styles.ts';
import { mailListWords } from '../../../words/mail-list.ts';
import { scheduledWords } from '../../../words/scheduled.ts';
import { ComposeButton } from '../ComposeButton.tsx';
import { mailKeys } from '../keys.ts';
import { ListHeader } from '../ListHeader.tsx';
import { ListSkeleton } from '../ListSkeleton.tsx';
import { MailRow } from '../MailRow.tsx';
import { askedPage, mailListOptions } from '../page-of-mail.ts';
import { recipientsIn } from '../row-words.ts';
import { timeInWords } from '../time-in-words.ts';
import { UnsentButton } from '../UnsentButton.tsx';
import { useCompose } from '../use-compose.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { SendNowQuestion } from './SendNowQuestion.tsx';
import { cancelScheduled } from './scheduled-actions.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  rest: { flexGrow: 1, minHeight: 0, overflow: 'hidden', display: 'flex', flexDirection: 'column' },
  scrolls: { overflowY: 'auto' },
  list: mailRows,
  pane: scrollPane,
  actions: { flexGrow: 1 },
});

/** Loads the first page in parallel with the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  void client.prefetchQuery(listQuery(listScheduled, mailKeys.scheduled, askedPage(search)));
}

const keyOf = (row: ScheduledRowDto): string => row._id;
const noRows: ScheduledRowDto[] = [];

/** The messages of the person that wait for their time, the next one first. */
export default function ScheduledPage() {
  const styles = useStyles();
  const t = useWords(scheduledWords);
  const words = useWords(mailListWords);
  const list = useListState(mailListOptions());
  const { data, error, isFetching, isPlaceholderData, refetch, totalPages } = useListQuery(
    listScheduled,
    mailKeys.scheduled,
    list,
  );
  const rows = data?.rows ?? noRows;
  const selection = useSelection(rows, keyOf);
  const total = data?.pagination.totalData;
  const [isAsking, setAsking] = useState(false);
  const canCompose = useCompose();
  const maySend = can(useCurrentUser(), undoSend);
  const handleRefresh = async (): Promise<void> => {
    const { error: problem } = await refetch();
    // The old rows stay. Without a notice they would look like the newest
    if (problem) notify.error(problem);
  };
  const isEmpty = total === 0;
  return (
    <div className={styles.root}>
      <ListHeader
        title={t.title}
        count={total === undefined ? undefined : { number: total, label: t.count(total) }}
        selection={selection}
        bulkActions={
          <Toolbar label={t.selected} className={styles.actions}>
            {maySend && (
              <>
                <Button appearance="subtle" onClick={() => setAsking(true)}>
                  {t.sendNow}
                </Button>
                <Button appearance="subtle" onClick={() => void cancelScheduled(selection.chosen).catch(notify.error)}>
                  {t.cancel}
                </Button>
              </>
            )}
          </Toolbar>
        }
        isRefreshing={isFetching}
        onRefresh={() => void handleRefresh()}
      >
        <UnsentButton />
        {canCompose && <ComposeButton />}
      </ListHeader>
      <ProgressLine isShown={isPlaceholderData} label={words.loading} />
      {rows.length > 0 && <ScheduledList key={list.page} rows={rows} selection={selection} />}
      {rows.length === 0 && (
        <div className={mergeClasses(styles.rest, data && styles.scrolls)}>
          {isEmpty && <StatusPage icon={<MailDrawing />} title={words.none} hint={t.hint} />}
          {!data && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!isEmpty && !(error && !data) && <ListSkeleton rows={Math.min(list.limit, 20)} />}
        </div>
      )}
      {data && !isEmpty && <Pagination list={list} total={total ?? 0} totalPages={totalPages} />}
      {isAsking && <SendNowQuestion messages={selection.chosen} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface ListProps {
  rows: ScheduledRowDto[];
  selection: ReturnType<typeof useSelection<ScheduledRowDto>>;
}

/** The rows of a page and the keys that work on them. */
function ScheduledList({ rows, selection }: ListProps) {
  const styles = useStyles();
  const t = useWords(scheduledWords);
  const paneRef = useRef<HTMLDivElement>(null);
  const here = fromHere(useLocation());
  useHourly();
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, paneRef, here.from);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const row = focusedRow();
      if (row) selection.choose(row._id, !selection.isChosen(row._id));
    },
  });
  return (
    <div ref={paneRef} className={styles.pane}>
      <ul className={styles.list} aria-label={t.title}>
        {rows.map((row) => (
          <MailRow
            key={row._id}
            row={row}
            people={recipientsIn(row)}
            date={row.send_at}
            when={timeInWords(new Date(row.send_at))}
            open={{
              to: `/dashboard/scheduled/${row._id}`,
              state: here,
              onEnter: () => undefined,
              onLeave: () => undefined,
            }}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
    </div>
  );
}
