import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import { MailInboxRegular } from '@fluentui/react-icons/svg/mail-inbox';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { Pagination } from '../../components/list/Pagination.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { isAllowed, useCurrentUser } from '../../lib/current-user.ts';
import { useCompose } from './compose/compose-context.ts';
import { BulkActions, FolderHeader } from './FolderHeader.tsx';
import { type Folder, folderInfo } from './folders.ts';
import { ListSkeleton } from './ListSkeleton.tsx';
import { MessageList } from './MessageList.tsx';
import { pageSizes } from './queries.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useFolderPage } from './use-folder-page.ts';
import { useListSelection } from './use-list-selection.ts';

const ShortcutHelp = lazy(() => import('./ShortcutHelp.tsx').then((m) => ({ default: m.ShortcutHelp })));

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  tools: {
    display: 'flex',
    alignItems: 'center',
    minHeight: '40px',
    gap: tokens.spacingHorizontalXS,
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 719px)': { padding: `0 ${tokens.spacingHorizontalXS}` },
  },
  count: { color: tokens.colorNeutralForeground2, marginRight: tokens.spacingHorizontalS },
  still: { overflowY: 'hidden' },
  scroll: { flexGrow: 1, minHeight: 0, overflowY: 'auto', display: 'flex', flexDirection: 'column' },
  progress: { height: '2px', overflow: 'hidden' },
  moving: {
    height: '100%',
    width: '33%',
    backgroundColor: tokens.colorCompoundBrandBackground,
    animationName: { from: { transform: 'translateX(-100%)' }, to: { transform: 'translateX(300%)' } },
    animationDuration: '1.6s',
    animationIterationCount: 'infinite',
  },
});

export function FolderView({ folder }: { folder: Folder }) {
  const styles = useStyles();
  const user = useCurrentUser();
  const compose = useCompose();
  const changeStatus = useChangeStatus();
  const { data, error, isFetching, isPlaceholderData, refetch, page, limit, totalPages, goTo } = useFolderPage(folder);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const rows = data?.rows ?? [];
  const selection = useListSelection(rows);
  const canCompose = isAllowed(user, 'sent', 'create');
  const total = data?.pagination.totalData;

  const handleRefresh = async (): Promise<void> => {
    const { error: problem } = await refetch();
    // the old rows stay; without a word they would look like the newest
    if (problem) notify.error(problem);
  };
  const handleBulk = (patch: StatusPatch, said: string): void => {
    changeStatus({ ids: selection.chosen.map((row) => row._id), patch, said });
    selection.chooseAll(false);
  };

  return (
    <div className={styles.root}>
      <FolderHeader
        folder={folder}
        total={total}
        isRefreshing={isFetching}
        canCompose={canCompose}
        onRefresh={() => void handleRefresh()}
        onCompose={() => compose({ kind: 'new' })}
        onHelp={() => setHelpOpen(true)}
      />
      {rows.length > 0 && (
        <div className={styles.tools} role="toolbar" aria-label="Selected messages">
          <Checkbox
            aria-label="Select all messages on this page"
            checked={selection.share}
            onChange={(_event, { checked }) => selection.chooseAll(checked === true)}
          />
          {selection.chosen.length > 0 && (
            <>
              <Text size={200} className={styles.count} aria-live="polite">
                {selection.chosen.length} selected
              </Text>
              <BulkActions folder={folder} onAct={handleBulk} />
            </>
          )}
        </div>
      )}
      <div className={styles.progress}>
        {isPlaceholderData && <div className={styles.moving} role="progressbar" aria-label="Loading messages" />}
      </div>
      <div className={mergeClasses(styles.scroll, !data && styles.still)}>
        {data && rows.length > 0 && (
          <MessageList
            folder={folder}
            rows={rows}
            selection={selection}
            canCompose={canCompose}
            changeStatus={changeStatus}
            onHelp={() => setHelpOpen(true)}
          />
        )}
        {data && rows.length === 0 && (
          <EmptyFolder folder={folder} onCompose={canCompose ? () => compose({ kind: 'new' }) : undefined} />
        )}
        {!data && error && <FailedList error={error} onRetry={() => void refetch()} />}
        {!data && !error && <ListSkeleton rows={Math.min(limit, 10)} />}
      </div>
      {data && rows.length > 0 && (
        <Pagination
          page={page}
          limit={limit}
          total={data.pagination.totalData}
          totalPages={totalPages}
          sizes={pageSizes}
          onChange={goTo}
        />
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function EmptyFolder({ folder, onCompose }: { folder: Folder; onCompose: (() => void) | undefined }) {
  const hasCompose = onCompose && (folder === 'inbox' || folder === 'sent');
  return (
    <StatusPage
      icon={<MailInboxRegular />}
      title="No emails found"
      hint={folderInfo[folder].emptyHint}
      action={hasCompose && <Button onClick={onCompose}>Write a message</Button>}
    />
  );
}

function FailedList({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <StatusPage
      isAlert
      icon={<ErrorCircleRegular />}
      title={`Error: ${messageOf(error)}`}
      action={
        <Button appearance="primary" onClick={onRetry}>
          Retry
        </Button>
      }
    />
  );
}
