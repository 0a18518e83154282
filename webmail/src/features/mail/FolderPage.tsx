import { type EmailRowDto, listEmails, sendEmail } from '@selvage/core/contracts/mail';
import { Button, makeStyles, mergeClasses } from '@fluentui/react-components';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { Pagination } from '../../components/list/Pagination.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { MailDrawing } from '../../components/drawings.tsx';
import { useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { useSelection } from '../../hooks/use-selection.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { useWithPending } from '../../lib/pending-changes.ts';
import { notify } from '../../components/feedback/notify.ts';
import { ProgressLine } from '../../components/feedback/ProgressLine.tsx';
import { mailListWords } from '../../words/mail-list.ts';
import { openCompose } from './compose/compose-store.ts';
import { FolderHeader } from './FolderHeader.tsx';
import { belongsTo, type Folder, isFolder } from './folders.ts';
import { mailKeys } from './keys.ts';
import { ListSkeleton } from './ListSkeleton.tsx';
import { MessageList } from './MessageList.tsx';
import { mailChoices, useMailChoices } from './mail-choices.ts';
import { askedPage, folderFilter, folderQuery, mailListOptions } from './page-of-mail.ts';
import { pendingStatus } from './use-change-status.ts';
import { useHeldRows } from './use-held-rows.ts';

const VacationBanner = lazyExtra(() => import('../rules/VacationBanner.tsx'));
const ShortcutHelp = lazyExtra(() => import('./ShortcutHelp.tsx'));

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  rest: { flexGrow: 1, minHeight: 0, overflow: 'hidden', display: 'flex', flexDirection: 'column' },
  scrolls: { overflowY: 'auto' },
});

function folderAt(pathname: string): Folder {
  const [, , name] = pathname.split('/');
  return isFolder(name) ? name : 'inbox';
}

const keyOf = (row: EmailRowDto): string => row._id;

/** Asks for the first page of the folder beside the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  const folder = folderAt(window.location.pathname);
  void client.prefetchQuery(folderQuery(folder, askedPage(search), mailChoices().isGrouped));
}

/**
 * A folder of the mailbox: the page that the address names, its rows, and what can be done with
 * them.
 */
export default function FolderPage() {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const { pathname } = useLocation();
  const folder = folderAt(pathname);
  const person = useCurrentUser();
  const canCompose = can(person, sendEmail);
  const list = useListState(mailListOptions());
  const { isGrouped } = useMailChoices();
  const asked = { ...list, query: folderFilter(folder, list.query, isGrouped) };
  const { data, error, isFetching, isPlaceholderData, refetch, totalPages } = useListQuery(
    listEmails,
    mailKeys.folder(folder),
    asked,
  );
  const [isBusy, setBusy] = useState(false);
  const [hasSelection, setHasSelection] = useState(false);
  const address = JSON.stringify([folder, asked.query]);
  const held = useHeldRows(data?.rows ?? noRows, {
    address,
    isHeld: list.page === 1 && !isPlaceholderData && (isBusy || hasSelection),
  });
  const rows = useWithPending(pendingStatus, held.rows).filter((row) => belongsTo(folder, row));
  const selection = useSelection(rows, keyOf);
  if (hasSelection !== selection.chosen.length > 0) setHasSelection(!hasSelection);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const total = data ? Math.max(0, data.pagination.totalData - (held.rows.length - rows.length)) : undefined;
  const compose = canCompose ? () => openCompose({ kind: 'new' }) : undefined;
  const showHelp = (): void => setHelpOpen(true);
  useShortcuts({ '?': showHelp, ...(compose ? { c: compose } : {}) });

  const handleRefresh = async (): Promise<void> => {
    const { error: problem } = await refetch();
    // the old rows stay; without a word they would look like the newest
    if (problem) notify.error(problem);
  };
  const isEmpty = data !== undefined && rows.length === 0 && data.pagination.totalData <= data.rows.length;
  return (
    <div className={styles.root}>
      <FolderHeader
        folder={folder}
        total={total}
        isGrouped={isGrouped && folder !== 'starred'}
        selection={selection}
        isRefreshing={isFetching}
        onRefresh={() => void handleRefresh()}
        onCompose={compose}
        onHelp={showHelp}
      />
      {person?.vacation_on && <VacationBanner />}
      <ProgressLine isShown={isPlaceholderData} label={t.loading} />
      {rows.length > 0 && (
        <MessageList
          key={list.page}
          folder={folder}
          rows={rows}
          selection={selection}
          canCompose={canCompose}
          waiting={held.waiting}
          onShowWaiting={held.show}
          onBusy={setBusy}
        />
      )}
      {rows.length === 0 && (
        <div className={mergeClasses(styles.rest, data && styles.scrolls)}>
          {isEmpty && <EmptyFolder folder={folder} onCompose={compose} />}
          {!data && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!isEmpty && !(error && !data) && <ListSkeleton rows={Math.min(list.limit, 20)} />}
        </div>
      )}
      {data && !isEmpty && <Pagination list={list} total={total ?? 0} totalPages={totalPages} />}
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

const noRows: EmailRowDto[] = [];

function EmptyFolder({ folder, onCompose }: { folder: Folder; onCompose: (() => void) | undefined }) {
  const t = useWords(mailListWords);
  const hints: Record<Folder, string> = {
    inbox: t.inboxHint,
    starred: t.starredHint,
    sent: t.sentHint,
    archive: t.archiveHint,
    junk: t.junkHint,
    trash: t.trashHint,
  };
  const hasCompose = onCompose && (folder === 'inbox' || folder === 'sent');
  return (
    <StatusPage
      icon={<MailDrawing />}
      title={t.none}
      hint={hints[folder]}
      action={hasCompose && <Button onClick={onCompose}>{t.writeOne}</Button>}
    />
  );
}
