import { Badge, Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { ComposeRegular } from '@fluentui/react-icons/svg/compose';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { QuestionCircleRegular } from '@fluentui/react-icons/svg/question-circle';
import { IconButton } from '../../components/IconButton.tsx';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { type Folder, folderInfo } from './folders.ts';
import type { StatusPatch } from './use-change-status.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    '@media (max-width: 479px)': { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    whiteSpace: 'nowrap',
    '@media (max-width: 479px)': { fontSize: tokens.fontSizeBase400 },
  },
  space: { flexGrow: 1 },
  compose: { whiteSpace: 'nowrap', flexShrink: 0 },
  count: { flexShrink: 0 },
  secondWord: { '@media (max-width: 479px)': { display: 'none' } },
});

interface Props {
  folder: Folder;
  total: number | undefined;
  isRefreshing: boolean;
  canCompose: boolean;
  onRefresh: () => void;
  onCompose: () => void;
  onHelp: () => void;
}

export function FolderHeader({ folder, total, isRefreshing, canCompose, onRefresh, onCompose, onHelp }: Props) {
  const styles = useStyles();
  const isNarrow = useMedia(NARROW);
  return (
    <header className={styles.root}>
      <h1 className={styles.title}>{folderInfo[folder].title}</h1>
      {total !== undefined && (
        <Badge className={styles.count} appearance="tint" color="informative" aria-label={`${total} messages`}>
          {total.toLocaleString()}
        </Badge>
      )}
      <span className={styles.space} />
      {!isNarrow && <IconButton label="Keyboard shortcuts" icon={<QuestionCircleRegular />} onClick={onHelp} />}
      {isNarrow ? (
        <IconButton
          label="Refresh"
          icon={<ArrowClockwiseRegular />}
          disabledFocusable={isRefreshing}
          onClick={onRefresh}
        />
      ) : (
        <Button icon={<ArrowClockwiseRegular />} disabledFocusable={isRefreshing} onClick={onRefresh}>
          Refresh
        </Button>
      )}
      {folder !== 'trash' && canCompose && (
        <Button
          className={styles.compose}
          appearance="primary"
          icon={<ComposeRegular />}
          aria-label="Compose Email"
          onClick={onCompose}
        >
          Compose<span className={styles.secondWord}>&nbsp;Email</span>
        </Button>
      )}
    </header>
  );
}

interface ActionsProps {
  folder: Folder;
  onAct: (patch: StatusPatch, said: string) => void;
}

/** What can be done with the selected messages of a folder. */
export function BulkActions({ folder, onAct }: ActionsProps) {
  const isArchive = folder === 'archive';
  const isTrash = folder === 'trash';
  return (
    <>
      <IconButton
        label={isArchive ? 'Un Archive' : 'Archive'}
        icon={isArchive ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
        onClick={() => onAct({ archive_status: !isArchive }, isArchive ? 'Moved out of the archive' : 'Archived')}
      />
      <IconButton
        label={isTrash ? 'Restore' : 'Delete'}
        icon={isTrash ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={() => onAct({ trash_status: !isTrash }, isTrash ? 'Restored' : 'Moved to trash')}
      />
      <IconButton
        label="Mark as read"
        icon={<MailReadRegular />}
        onClick={() => onAct({ read_status: true }, 'Marked as read')}
      />
      <IconButton
        label="Mark as unread"
        icon={<MailUnreadRegular />}
        onClick={() => onAct({ read_status: false }, 'Marked as unread')}
      />
    </>
  );
}
