import { type SearchRowDto, searchMail } from '@selvage/core/contracts/search';
import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { MailDrawing } from '../../../components/drawings.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { ProgressLine } from '../../../components/feedback/ProgressLine.tsx';
import { Pagination } from '../../../components/list/Pagination.tsx';
import { LoadError } from '../../../components/page/LoadError.tsx';
import { StatusPage } from '../../../components/page/StatusPage.tsx';
import { type ListState, useListState } from '../../../hooks/use-list-state.ts';
import { useMedia } from '../../../hooks/use-media.ts';
import { useSelection } from '../../../hooks/use-selection.ts';
import { useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { fromHere } from '../../../lib/origin.ts';
import type { FetchAheadContext } from '../../../lib/page.ts';
import { useWithPending } from '../../../lib/pending-changes.ts';
import { NARROW } from '../../../theme/breakpoints.ts';
import { scrollPane } from '../../../theme/styles.ts';
import { searchWords } from '../../../words/search.ts';
import { mailKeys } from '../keys.ts';
import { ListHeader } from '../ListHeader.tsx';
import { ListSkeleton } from '../ListSkeleton.tsx';
import { askedPage, mailListOptions } from '../page-of-mail.ts';
import { pendingStatus } from '../use-change-status.ts';
import { useRowFocus } from '../use-row-focus.ts';
import SearchBox from './SearchBox.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { SearchRow } from './SearchRow.tsx';
import { SelectedActions } from './SelectedActions.tsx';
import { searchPath } from './use-search-box.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  rest: { flexGrow: 1, minHeight: 0, overflow: 'hidden', display: 'flex', flexDirection: 'column' },
  scrolls: { overflowY: 'auto' },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  pane: scrollPane,
  box: { padding: '8px 12px 0' },
});

function searchQuery(q: string, { page, limit }: { page: number; limit: number }) {
  const query = { q, page, limit, utc_offset_minutes: -new Date().getTimezoneOffset() };
  return queryOptions({
    queryKey: mailKeys.search(query),
    queryFn: ({ signal }) => api(searchMail, { query, signal }),
    placeholderData: keepPreviousData,
    // While the index is being built, more is found each time
    refetchInterval: ({ state }) => (state.data && !state.data.is_complete ? 3000 : false),
  });
}

/** Asks for the results beside the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  const q = search.get('q') ?? '';
  if (q.trim() !== '') void client.prefetchQuery(searchQuery(q, askedPage(search)));
}

const keyOf = (row: SearchRowDto): string => row._id;
const noRows: SearchRowDto[] = [];

/** What was found in one's mail, at /dashboard/search?q=…. */
export default function SearchPage() {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  const navigate = useNavigate();
  const location = useLocation();
  const list = useListState(mailListOptions());
  const q = new URLSearchParams(location.search).get('q') ?? '';
  const ask = (text: string): void => {
    const query = text.trim() === '' ? '' : `?${new URLSearchParams({ q: text.trim() }).toString()}`;
    void navigate(`${searchPath}${query}`, { state: location.state as unknown, replace: true });
  };
  return (
    <div className={styles.root}>
      {isNarrow && (
        <div className={styles.box}>
          <SearchBox takesFocus={q === ''} />
        </div>
      )}
      {q.trim() === '' ? <NothingAsked /> : <Results q={q} list={list} onAsk={ask} />}
    </div>
  );
}

function NothingAsked() {
  const t = useWords(searchWords);
  return <StatusPage icon={<MailDrawing />} title={t.empty} hint={t.emptyHint} />;
}

interface ResultsProps {
  q: string;
  list: ListState;
  onAsk: (text: string) => void;
}

function Results({ q, list, onAsk }: ResultsProps) {
  const styles = useStyles();
  const t = useWords(searchWords);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(searchQuery(q, list));
  const rows = useWithPending(pendingStatus, data?.rows ?? noRows);
  const selection = useSelection(rows, keyOf);
  const isEmpty = data?.total === 0 && !isPlaceholderData;
  const handleRefresh = async (): Promise<void> => {
    const { error: problem } = await refetch();
    // the old rows stay; without a word they would look like the newest
    if (problem) notify.error(problem);
  };
  return (
    <>
      <ListHeader
        title={t.results}
        count={data && { number: data.total, label: t.count(data.total) }}
        selection={selection}
        bulkActions={<SelectedActions selection={selection} />}
        isRefreshing={isFetching}
        onRefresh={() => void handleRefresh()}
      />
      <SearchFilters text={q} onChange={onAsk} />
      <ProgressLine isShown={isPlaceholderData} label={t.loading} />
      {data?.is_complete === false && (
        <FormMessage intent="info" text={t.building({ indexed: data.indexed, messages: data.messages })} />
      )}
      {data?.is_more && <FormMessage intent="info" text={t.countMore({ number: data.total })} />}
      {rows.length > 0 && <Rows key={`${q} ${list.page}`} rows={rows} selection={selection} />}
      {rows.length === 0 && (
        <div className={mergeClasses(styles.rest, data && styles.scrolls)}>
          {isEmpty && <StatusPage icon={<MailDrawing />} title={t.none} hint={t.noneHint} />}
          {!data && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!isEmpty && !(error && !data) && <ListSkeleton rows={Math.min(list.limit, 20)} />}
        </div>
      )}
      {data && !isEmpty && (
        <Pagination list={list} total={data.total} totalPages={Math.ceil(data.total / list.limit)} />
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly SearchRowDto[];
  selection: ReturnType<typeof useSelection<SearchRowDto>>;
}

/** The rows of a page and the keys that work on them. */
function Rows({ rows, selection }: RowsProps) {
  const styles = useStyles();
  const t = useWords(searchWords);
  const paneRef = useRef<HTMLDivElement>(null);
  const state = fromHere(useLocation());
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, paneRef, state.from);
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
      <ul className={styles.list} aria-label={t.results}>
        {rows.map((row) => (
          <SearchRow
            key={row._id}
            row={row}
            state={state}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
    </div>
  );
}
