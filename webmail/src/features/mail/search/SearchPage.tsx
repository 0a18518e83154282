import type { SearchRowDto, searchMail } from '@selvage/core/contracts/search';
import { makeStyles } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { z } from 'zod';
import { MailDrawing } from '../../../components/drawings.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { StatusPage } from '../../../components/page/StatusPage.tsx';
import { useLastPage } from '../../../hooks/use-list-query.ts';
import { type ListState, useListState } from '../../../hooks/use-list-state.ts';
import { useMedia } from '../../../hooks/use-media.ts';
import { useSelection } from '../../../hooks/use-selection.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { FetchAheadContext } from '../../../lib/page.ts';
import { useWithPending } from '../../../lib/pending-changes.ts';
import { NARROW } from '../../../theme/breakpoints.ts';
import { searchWords } from '../../../words/search.ts';
import { ComposeButton } from '../ComposeButton.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { ListHeader } from '../ListHeader.tsx';
import { askedPage, mailListOptions } from '../page-of-mail.ts';
import { pendingStatus } from '../use-change-status.ts';
import { refreshOf } from '../refresh-of.ts';
import { useCompose } from '../use-compose.ts';
import { useHeldRows } from '../use-held-rows.ts';
import { FoundList } from './FoundList.tsx';
import SearchBox from './SearchBox.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { SelectedActions } from './SelectedActions.tsx';
import { SEARCH_PATH } from './search-path.ts';
import { searchQuery } from './search-query.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  box: { padding: '8px 12px 0' },
});

/** Loads the results in parallel with the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  const q = search.get('q') ?? '';
  if (q.trim() !== '') void client.prefetchQuery(searchQuery(q, askedPage(search)));
}

const keyOf = (row: SearchRowDto): string => row._id;
const noRows: SearchRowDto[] = [];

/** The results of a mail search, at /dashboard/search?q=…. */
export default function SearchPage() {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  const navigate = useNavigate();
  const location = useLocation();
  const list = useListState(mailListOptions());
  const canCompose = useCompose();
  const q = new URLSearchParams(location.search).get('q') ?? '';
  const ask = (text: string): void => {
    const query = text.trim() === '' ? '' : `?${new URLSearchParams({ q: text.trim() }).toString()}`;
    void navigate(`${SEARCH_PATH}${query}`, { state: location.state as unknown, replace: true });
  };
  return (
    <div className={styles.root}>
      {isNarrow && (
        <div className={styles.box}>
          <SearchBox takesFocus={q === ''} />
        </div>
      )}
      {q.trim() === '' ? (
        <NothingAsked canCompose={canCompose} />
      ) : (
        <Results q={q} list={list} canCompose={canCompose} onAsk={ask} />
      )}
    </div>
  );
}

function NothingAsked({ canCompose }: { canCompose: boolean }) {
  const t = useWords(searchWords);
  const action = canCompose && <ComposeButton />;
  return <StatusPage icon={<MailDrawing />} title={t.empty} hint={t.emptyHint} action={action} />;
}

interface ResultsProps {
  q: string;
  list: ListState;
  canCompose: boolean;
  onAsk: (text: string) => void;
}

function Results({ q, list, canCompose, onAsk }: ResultsProps) {
  const t = useWords(searchWords);
  const answered = useQuery(searchQuery(q, list));
  const { data, isSuccess, isPlaceholderData } = answered;
  const [isBusy, setBusy] = useState(false);
  const [hasSelection, setHasSelection] = useState(false);
  const held = useHeldRows(data?.rows ?? noRows, {
    address: JSON.stringify([q, list.query, isPlaceholderData]),
    isHeld: !isPlaceholderData && (isBusy || hasSelection),
    isFirst: list.page === 1,
    placeOf: ({ createdAt }) => createdAt,
  });
  const rows = useWithPending(pendingStatus, held.rows);
  const selection = useSelection(rows, keyOf, q);
  if (hasSelection !== selection.chosen.length > 0) setHasSelection(!hasSelection);
  const total = data?.total ?? 0;
  const totalPages = Math.ceil(total / list.limit);
  useLastPage(list, { totalPages, isSettled: isSuccess && !isPlaceholderData });
  return (
    <ListFrame
      list={list}
      answered={answered}
      total={total}
      totalPages={totalPages}
      isEmpty={data?.total === 0 && !isPlaceholderData}
      empty={<StatusPage icon={<MailDrawing />} title={t.none} hint={t.noneHint} />}
      header={
        <>
          <ListHeader
            title={t.results}
            count={data && { number: data.total, label: t.count(data.total) }}
            selection={selection}
            bulkActions={<SelectedActions selection={selection} />}
            {...refreshOf(answered)}
          >
            {canCompose && <ComposeButton />}
          </ListHeader>
          <SearchFilters text={q} onChange={onAsk} />
        </>
      }
      above={data && <Completeness found={data} />}
    >
      {rows.length > 0 ? (
        <FoundList
          key={`${q} ${list.page}`}
          rows={rows}
          selection={selection}
          total={total}
          waiting={held.waiting}
          onShowWaiting={held.show}
          onBusy={setBusy}
        />
      ) : null}
    </ListFrame>
  );
}

/** Says when there may be more results than are shown. */
function Completeness({ found }: { found: z.output<typeof searchMail.answer> }) {
  const t = useWords(searchWords);
  return (
    <>
      {!found.is_complete && (
        <FormMessage intent="info" text={t.building({ indexed: found.indexed, messages: found.messages })} />
      )}
      {found.is_more && <FormMessage intent="info" text={t.countMore({ number: found.total })} />}
    </>
  );
}
