import type { EmailRowDto } from '@selvage/core/contracts/email';
import { listEmails } from '@selvage/core/contracts/mail';
import { Button } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { MailDrawing } from '../../components/drawings.tsx';
import { useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { useSelection } from '../../hooks/use-selection.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { useWithPending } from '../../lib/pending-changes.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { composeNew } from './ComposeButton.tsx';
import { FolderHeader } from './FolderHeader.tsx';
import { isListedIn } from './folder-rules.ts';
import { type MailPlace, ownFolderIn, placeAt } from './mail-place.ts';
import { mailKeys } from './keys.ts';
import { ListFrame } from './ListFrame.tsx';
import { MessageList } from './MessageList.tsx';
import { mailChoices, useMailChoices } from './mail-choices.ts';
import { askedPage, folderFilter, folderQuery, mailListOptions, mayBeGrouped } from './page-of-mail.ts';
import { hasTicked, usePane } from './pane.ts';
import { pendingStatus } from './use-change-status.ts';
import { useCompose } from './use-compose.ts';
import { refreshOf } from './refresh-of.ts';
import { useFollowCounts } from './use-follow-counts.ts';
import { useHeldRows } from './use-held-rows.ts';
import { useWholeFolder } from './use-whole-folder.ts';
import { isWholeFolder } from './whole-folder.ts';

const SelectAllLine = lazyExtra(() => import('./SelectAllLine.tsx'));
const WholeFolderDialog = lazyExtra(() => import('./WholeFolderDialog.tsx'));
const NothingOpen = lazyExtra(() => import('./NothingOpen.tsx'));
const VacationBanner = lazyExtra(() => import('../rules/VacationBanner.tsx'));
const ShortcutHelp = lazyExtra(() => import('./ShortcutHelp.tsx'));

const keyOf = (row: EmailRowDto): string => row._id;

/** Loads the first page of the folder in parallel with the other requests of a first load. */
export function fetchAhead({ client, search }: FetchAheadContext): void {
  const folder = placeAt(window.location.pathname) ?? 'inbox';
  void client.prefetchQuery(folderQuery(folder, askedPage(search), mailChoices().isGrouped));
}

/** A folder of the mailbox, as /dashboard/{folder}, or a label, as /dashboard/label/{id}. */
export default function FolderPage() {
  // With a reading pane, MailAround shows the list
  return usePane() ? <NothingOpen /> : <FolderList />;
}

/** The page of a folder that the address names, its rows, and what can be done with them. */
export function FolderList() {
  const { pathname } = useLocation();
  const folder = placeAt(pathname) ?? 'inbox';
  const person = useCurrentUser();
  const canCompose = useCompose();
  const list = useListState(mailListOptions());
  const { isGrouped } = useMailChoices();
  const asked = { ...list, query: folderFilter(folder, list.query, isGrouped) };
  const answered = useListQuery(listEmails, mailKeys.folder(folder), asked);
  const { data, isPlaceholderData, totalPages } = answered;
  useFollowCounts(answered);
  const [isBusy, setBusy] = useState(false);
  const [hasSelection, setHasSelection] = useState(false);
  const fresh = data?.rows ?? noRows;
  const held = useHeldRows(fresh, {
    // While a page loads, the rows are still those of another one
    address: JSON.stringify([folder, asked.query, isPlaceholderData]),
    isHeld: !isPlaceholderData && (isBusy || hasSelection),
    isFirst: list.page === 1,
  });
  const rows = useWithPending(pendingStatus, held.rows).filter((row) => isListedIn(folder, row));
  const selection = useSelection(rows, keyOf, folder);
  if (hasSelection !== selection.chosen.length > 0) setHasSelection(!hasSelection);
  const whole = useWholeFolder(folder, selection);
  useEffect(() => hasTicked.set(hasSelection), [hasSelection]);
  useEffect(() => () => hasTicked.set(false), []);
  const [isHelpOpen, setHelpOpen] = useState(false);
  // The rows of another folder stay while this one loads, and none of them may belong here
  const own = isPlaceholderData && rows.length === 0 ? undefined : data;
  const leaving = useLeaving(folder, fresh);
  const total = own && Math.max(0, own.pagination.totalData - leaving);
  const showHelp = (): void => setHelpOpen(true);

  // Starred and labels show messages of several folders, and are never changed as one
  const hasMore = selection.share === true && isWholeFolder(folder) && (whole.chosen !== null || totalPages > 1);
  const isEmpty = own !== undefined && rows.length === 0 && own.pagination.totalData <= own.rows.length;
  return (
    <>
      <ListFrame
        list={list}
        answered={answered}
        total={total ?? 0}
        totalPages={totalPages}
        isEmpty={isEmpty}
        empty={<EmptyFolder folder={folder} canCompose={canCompose} />}
        header={
          <FolderHeader
            folder={folder}
            total={total}
            isGrouped={isGrouped && mayBeGrouped(folder)}
            selection={selection}
            whole={whole}
            canCompose={canCompose}
            onHelp={showHelp}
            {...refreshOf(answered)}
          />
        }
        above={
          <>
            {person?.vacation_on && <VacationBanner />}
            {hasMore && (
              <SelectAllLine
                folder={folder}
                rows={rows.length}
                total={total ?? 0}
                isGrouped={isGrouped}
                whole={whole}
              />
            )}
          </>
        }
      >
        {rows.length > 0 ? (
          <MessageList
            key={`${folder} ${list.page}`}
            folder={folder}
            rows={rows}
            selection={selection}
            canCompose={canCompose}
            waiting={held.waiting}
            onShowWaiting={held.show}
            onBusy={setBusy}
            whole={whole}
            total={total ?? 0}
          />
        ) : null}
      </ListFrame>
      {whole.asked && <WholeFolderDialog {...whole.asked} onCancel={whole.cancel} onDone={whole.clear} />}
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

const noRows: EmailRowDto[] = [];

/** How many of a list's rows are about to leave it, as a change that is under way says. */
function useLeaving(folder: MailPlace, rows: readonly EmailRowDto[]): number {
  return useWithPending(pendingStatus, rows).filter((row) => !isListedIn(folder, row)).length;
}

function EmptyFolder({ folder, canCompose }: { folder: MailPlace; canCompose: boolean }) {
  const t = useWords(mailListWords);
  const hints: Partial<Record<MailPlace, string>> = {
    inbox: t.inboxHint,
    snoozed: t.snoozedHint,
    starred: t.starredHint,
    sent: t.sentHint,
    archive: t.archiveHint,
    junk: t.junkHint,
    trash: t.trashHint,
  };
  const hasCompose = canCompose && (folder === 'inbox' || folder === 'sent');
  return (
    <StatusPage
      icon={<MailDrawing />}
      title={t.none}
      hint={hints[folder] ?? (ownFolderIn(folder) === null ? t.labelHint : t.folderHint)}
      action={hasCompose && <Button onClick={composeNew}>{t.writeOne}</Button>}
    />
  );
}
