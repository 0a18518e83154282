import { type DraftRowDto, listDrafts, removeDrafts } from '@selvage/core/contracts/drafts';
import { makeStyles, mergeClasses } from '@fluentui/react-components';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { MailDrawing } from '../../components/drawings.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { ProgressLine } from '../../components/feedback/ProgressLine.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Pagination } from '../../components/list/Pagination.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { listQuery, useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { useSelection } from '../../hooks/use-selection.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { scrollPane } from '../../theme/styles.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { draftWords } from '../../words/drafts.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { openSavedDraft } from './compose/unsent.ts';
import { mailKeys } from './keys.ts';
import { ListHeader } from './ListHeader.tsx';
import { ListSkeleton } from './ListSkeleton.tsx';
import { MailRow } from './MailRow.tsx';
import { askedPage, mailListOptions } from './page-of-mail.ts';
import { recipientsIn } from './row-words.ts';
import { UnsentButton } from './UnsentButton.tsx';
import { useRowFocus } from './use-row-focus.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  rest: { flexGrow: 1, minHeight: 0, overflow: 'hidden', display: 'flex', flexDirection: 'column' },
  scrolls: { overflowY: 'auto' },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  pane: scrollPane,
  actions: { flexGrow: 1 },
});

/** Asks for the first page beside the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  void client.prefetchQuery(listQuery(listDrafts, mailKeys.drafts, askedPage(search)));
}

const keyOf = (row: DraftRowDto): string => row._id;
const noRows: DraftRowDto[] = [];

/** The drafts of the person. A press on one opens it to go on writing. */
export default function DraftsPage() {
  const styles = useStyles();
  const t = useWords(draftWords);
  const words = useWords(mailListWords);
  const list = useListState(mailListOptions());
  const { data, error, isFetching, isPlaceholderData, refetch, totalPages } = useListQuery(
    listDrafts,
    mailKeys.drafts,
    list,
  );
  const rows = data?.rows ?? noRows;
  const selection = useSelection(rows, keyOf);
  const total = data?.pagination.totalData;
  const [isAsking, setAsking] = useState(false);
  const mayDelete = can(useCurrentUser(), removeDrafts);
  const handleRefresh = async (): Promise<void> => {
    const { error: problem } = await refetch();
    // the old rows stay; without a word they would look like the newest
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
            {mayDelete && <IconButton label={t.delete} icon={<DeleteRegular />} onClick={() => setAsking(true)} />}
          </Toolbar>
        }
        isRefreshing={isFetching}
        onRefresh={() => void handleRefresh()}
      >
        <UnsentButton />
      </ListHeader>
      <ProgressLine isShown={isPlaceholderData} label={words.loading} />
      {rows.length > 0 && (
        <DraftList
          key={list.page}
          rows={rows}
          selection={selection}
          onDelete={mayDelete ? () => selection.chosen.length > 0 && setAsking(true) : undefined}
        />
      )}
      {rows.length === 0 && (
        <div className={mergeClasses(styles.rest, data && styles.scrolls)}>
          {isEmpty && <StatusPage icon={<MailDrawing />} title={words.none} hint={t.hint} />}
          {!data && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!isEmpty && !(error && !data) && <ListSkeleton rows={Math.min(list.limit, 20)} />}
        </div>
      )}
      {data && !isEmpty && <Pagination list={list} total={total ?? 0} totalPages={totalPages} />}
      {isAsking && <DeleteQuestion drafts={selection.chosen} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface ListProps {
  rows: DraftRowDto[];
  selection: ReturnType<typeof useSelection<DraftRowDto>>;
  onDelete: (() => void) | undefined;
}

/** The rows of a page and the keys that work on them. */
function DraftList({ rows, selection, onDelete }: ListProps) {
  const styles = useStyles();
  const t = useWords(draftWords);
  const paneRef = useRef<HTMLDivElement>(null);
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, paneRef, fromHere(useLocation()).from);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const row = focusedRow();
      if (row) selection.choose(row._id, !selection.isChosen(row._id));
    },
    ...(onDelete ? { '#': onDelete } : {}),
  });
  return (
    <div ref={paneRef} className={styles.pane}>
      <ul className={styles.list} aria-label={t.title}>
        {rows.map((row) => (
          <MailRow
            key={row._id}
            row={row}
            people={recipientsIn(row)}
            date={row.updatedAt}
            open={{ onPress: () => void openSavedDraft(row) }}
            isChosen={selection.isChosen(row._id)}
            onChoose={(isChosen, isRange) => selection.choose(row._id, isChosen, isRange)}
            onFocus={() => rememberFocus(row._id)}
          />
        ))}
      </ul>
    </div>
  );
}

function DeleteQuestion({ drafts, onClose }: { drafts: readonly DraftRowDto[]; onClose: () => void }) {
  const t = useWords(draftWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const [asked] = useState(drafts);
  const remove = async (): Promise<void> => {
    await api(removeDrafts, { body: { draft_ids: asked.map(keyOf) } });
    await tellChanged(t.deleted(asked.length));
  };
  return (
    <ConfirmDialog
      isDangerous
      title={t.deleteTitle(asked.length)}
      text={t.deleteText}
      confirmLabel={t.delete}
      cancelLabel={cancel}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
