import { type BackupEmailRowDto, backupMailbox } from '@selvage/core/contracts/mail-backups';
import { Button, makeStyles } from '@fluentui/react-components';
import { useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { MailDrawing, WeaveDrawing } from '../../components/drawings.tsx';
import { clearByButton } from '../../components/list/clear-by-button.ts';
import { CountBadge } from '../../components/list/CountBadge.tsx';
import { ListToolbar } from '../../components/list/ListToolbar.tsx';
import { Pagination } from '../../components/list/Pagination.tsx';
import { TableSkeleton } from '../../components/list/TableSkeleton.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Page } from '../../components/page/Page.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { useTabs } from '../../components/page/Tabs.tsx';
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import { useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { useWords } from '../../lib/i18n.ts';
import { originOf } from '../../lib/origin.ts';
import { backupsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { focusRingInside, scrollPane } from '../../theme/styles.ts';
import { backupWords } from '../../words/backups.ts';
import { listWords } from '../../words/lists.ts';
import { BackupCards } from './BackupCards.tsx';

const useStyles = makeStyles({
  scroll: { ...scrollPane, ...focusRingInside, display: 'flex', flexDirection: 'column' },
});

const sizes = [5, 10, 25, 50];

type Part = 'received' | 'send';

/**
 * The messages of one backup.
 * @param id the newest backup of the address unless given
 */
export function BackupMailbox({ email, id }: { email: string; id: string }) {
  const styles = useStyles();
  const t = useWords(backupWords);
  const shared = useWords(listWords);
  // On a phone the address stands above, and both tabs have to be in sight
  const isNarrow = useMedia(NARROW);
  const navigate = useNavigate();
  const scrollRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(scrollRef);
  const [parameters] = useSearchParams();
  const back = originOf(useLocation()) ?? '/dashboard/backup';
  const part: Part = parameters.get('status') === 'send' ? 'send' : 'received';
  const state = useListState({ name: 'backup-mail', sizes, defaultSize: 10 });
  const query = { ...state.query, user_email: email, status: part, ...(id === '' ? {} : { backup_id: id }) };
  const list = { ...state, query };
  const { data, error, refetch, isPlaceholderData, totalPages } = useListQuery(
    backupMailbox,
    [...backupsKey, 'mail'],
    list,
  );
  // While another part loads, the rows of the previous part must not stand for it
  const shown = data && (!isPlaceholderData || isSamePart(data.rows, part)) ? data : undefined;
  const total = shown?.pagination.totalData;
  const address = shownAddress(email);
  const { row, panel } = useTabs<Part>(
    {
      label: t.parts,
      parameter: 'status',
      resets: ['page'],
      tabs: [
        { name: 'received', label: isNarrow ? t.receivedShort : t.received({ email: address }) },
        { name: 'send', label: isNarrow ? t.sentShort : t.sent({ email: address }) },
      ],
      children: () => (
        <>
          {shown && shown.rows.length > 0 && <BackupCards rows={shown.rows} isStale={isPlaceholderData} />}
          {shown && shown.rows.length === 0 && <Empty part={part} search={list.search} onClear={list.clear} />}
          {!shown && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!shown && !error && <TableSkeleton label={shared.loading({ what: t.title })} rows={8} />}
        </>
      ),
    },
    false,
  );
  return (
    <Page
      title={address}
      width="fill"
      aside={total !== undefined && <CountBadge count={total} label={t.messages(total)} />}
      actions={<Button onClick={() => void navigate(back)}>{t.back}</Button>}
      above={
        <>
          <ListToolbar list={list} filters={[]} searchLabel={t.searchMail} />
          {row}
        </>
      }
    >
      <div ref={scrollRef} className={styles.scroll}>
        {panel}
      </div>
      {shown && shown.rows.length > 0 && (
        <Pagination list={list} total={shown.pagination.totalData} totalPages={totalPages} />
      )}
    </Page>
  );
}

function isSamePart(rows: readonly BackupEmailRowDto[], part: Part): boolean {
  return rows.length > 0 && rows.every((row) => row.send_status === (part === 'send'));
}

function Empty({ part, search, onClear }: { part: Part; search: string; onClear: () => void }) {
  const t = useWords(backupWords);
  const { clearFilters } = useWords(listWords);
  if (search !== '') {
    const action = <Button onClick={clearByButton(onClear)}>{clearFilters}</Button>;
    return <StatusPage icon={<WeaveDrawing />} title={t.noMailFound} action={action} />;
  }
  const type = part === 'send' ? t.typeSend : t.typeReceived;
  return <StatusPage icon={<MailDrawing />} title={t.noMail({ type })} />;
}
