import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ComposeRegular } from '@fluentui/react-icons/svg/compose';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { QuestionCircleRegular } from '@fluentui/react-icons/svg/question-circle';
import { TextDensityRegular } from '@fluentui/react-icons/svg/text-density';
import { IconButton } from '../../components/IconButton.tsx';
import { LazyMenu, lazyMenu } from '../../components/LazyMenu.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { mailActionWords, mailListWords } from '../../words/mail-list.ts';
import { type Folder, mayBeJunk } from './folders.ts';
import { ListHeader } from './ListHeader.tsx';
import { DeleteForGoodButton, EmptyTrashButton } from './TrashActions.tsx';
import { UnsentButton } from './UnsentButton.tsx';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';

const ViewMenu = lazyMenu(() => import('./ViewMenu.tsx'));

const useStyles = makeStyles({
  space: { flexGrow: 1 },
  compose: { whiteSpace: 'nowrap', flexShrink: 0 },
  round: {
    position: 'fixed',
    right: tokens.spacingHorizontalL,
    bottom: 'calc(112px + env(safe-area-inset-bottom))',
    zIndex: 5,
    // Fluent gives a button that knows its icon alone a width of its own, in all three
    width: '52px',
    minWidth: '52px',
    maxWidth: '52px',
    height: '52px',
    padding: 0,
    borderRadius: tokens.borderRadiusCircular,
    boxShadow: tokens.shadow16,
  },
});

interface Props {
  folder: Folder;
  total: number | undefined;
  /** The total counts conversations. */
  isGrouped: boolean;
  selection: Selection<EmailRowDto>;
  isRefreshing: boolean;
  onRefresh: () => void;
  /** Left out for people who may not send. */
  onCompose: (() => void) | undefined;
  onHelp: () => void;
}

/** Heading of a folder. While messages are ticked, what can be done with them takes its place. */
export function FolderHeader(props: Props) {
  const { folder, total, isGrouped, selection, isRefreshing, onRefresh, onCompose, onHelp } = props;
  const styles = useStyles();
  const t = useWords(mailListWords);
  const isNarrow = useMedia(NARROW);
  const hasEmptyTrash = folder === 'trash' && total !== undefined && total > 0 && selection.chosen.length === 0;
  const hasCompose = folder !== 'trash' && onCompose !== undefined;
  return (
    <ListHeader
      title={t[folder]}
      count={
        total === undefined
          ? undefined
          : { number: total, label: (isGrouped ? t.conversationCount : t.messageCount)(total) }
      }
      selection={selection}
      bulkActions={<BulkActions folder={folder} selection={selection} />}
      extra={
        <>
          {!isNarrow && <IconButton label={t.shortcuts} icon={<QuestionCircleRegular />} onClick={onHelp} />}
          <LazyMenu label={t.viewOptions} icon={<TextDensityRegular />} menu={ViewMenu} />
        </>
      }
      isRefreshing={isRefreshing}
      onRefresh={onRefresh}
    >
      {hasEmptyTrash && <EmptyTrashButton total={total} />}
      {onCompose && <UnsentButton />}
      {hasCompose && !isNarrow && (
        <Button className={styles.compose} appearance="primary" icon={<ComposeRegular />} onClick={onCompose}>
          {t.compose}
        </Button>
      )}
      {hasCompose && isNarrow && (
        <Button
          className={styles.round}
          appearance="primary"
          icon={<ComposeRegular />}
          aria-label={t.compose}
          onClick={onCompose}
        />
      )}
    </ListHeader>
  );
}

/** What can be done with the ticked messages of a folder. */
function BulkActions({ folder, selection }: Pick<Props, 'folder' | 'selection'>) {
  const t = useWords(mailActionWords);
  const list = useWords(mailListWords);
  const styles = useStyles();
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  const act = (patch: StatusPatch) => (): void => {
    const { chosen } = selection;
    const records = patch.junk_status === undefined ? chosen : chosen.filter(mayBeJunk);
    void changeStatus({ records, patch, isSaid: true });
    selection.chooseAll(false);
  };
  const isArchive = folder === 'archive';
  const isTrash = folder === 'trash';
  const isJunk = folder === 'junk';
  if (!selection.chosen.some(mayChange)) return <span className={styles.space} />;
  return (
    <Toolbar label={list.selectedMessages} className={styles.space}>
      <IconButton
        label={isArchive ? t.unArchive : t.archive}
        icon={isArchive ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
        onClick={act({ archive_status: !isArchive })}
      />
      <IconButton
        label={isTrash ? t.restore : t.delete}
        icon={isTrash ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={act({ trash_status: !isTrash })}
      />
      {selection.chosen.some(mayBeJunk) && (
        <IconButton
          label={isJunk ? t.notJunk : t.junk}
          icon={isJunk ? <MailInboxArrowUpRegular /> : <MailProhibitedRegular />}
          onClick={act({ junk_status: !isJunk })}
        />
      )}
      {isTrash && <DeleteForGoodButton chosen={selection.chosen} />}
      <IconButton label={t.markRead} icon={<MailReadRegular />} onClick={act({ read_status: true })} />
      <IconButton label={t.markUnread} icon={<MailUnreadRegular />} onClick={act({ read_status: false })} />
    </Toolbar>
  );
}
