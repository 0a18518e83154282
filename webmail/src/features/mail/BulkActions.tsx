import type { EmailRowDto } from '@selvage/core/contracts/email';
import { emptyTrash } from '@selvage/core/contracts/mail-folders';
import { makeStyles } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { DeleteDismissRegular } from '@fluentui/react-icons/svg/delete-dismiss';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { StarRegular } from '@fluentui/react-icons/svg/star';
import { StarOffRegular } from '@fluentui/react-icons/svg/star-off';
import { IconButton } from '../../components/IconButton.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import type { Selection } from '../../hooks/use-selection.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailActionWords, mailListWords } from '../../words/mail-list.ts';
import { mayBeJunk } from './folder-rules.ts';
import type { Folder } from './folders.ts';
import { DeleteForGoodButton } from './TrashActions.tsx';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';
import type { WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({ space: { flexGrow: 1 } });

interface Props {
  folder: Folder;
  selection: Selection<EmailRowDto>;
  whole: WholeFolderState;
}

/** What can be done with the ticked messages of a folder, or with all of the folder. */
export function BulkActions({ folder, selection, whole }: Props) {
  const t = useWords(mailActionWords);
  const list = useWords(mailListWords);
  const styles = useStyles();
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  const mayDelete = can(useCurrentUser(), emptyTrash);
  const act = (patch: StatusPatch) => (): void => {
    // all of the folder was asked for and is being counted: the page alone is not meant
    if (whole.isMarking) return;
    if (whole.chosen) {
      whole.ask(patch);
      return;
    }
    const { chosen } = selection;
    const records = patch.junk_status === undefined ? chosen : chosen.filter(mayBeJunk);
    void changeStatus({ records, patch, isSaid: true });
    selection.chooseAll(false);
  };
  const isArchive = folder === 'archive';
  const isTrash = folder === 'trash';
  const isJunk = folder === 'junk';
  // The whole of another folder may have messages that the person has sent
  const mayReport = whole.chosen ? isJunk || folder === 'inbox' : selection.chosen.some(mayBeJunk);
  const isStarred = selection.chosen.every(({ star_status }) => star_status);
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
      {mayReport && (
        <IconButton
          label={isJunk ? t.notJunk : t.junk}
          icon={isJunk ? <MailInboxArrowUpRegular /> : <MailProhibitedRegular />}
          onClick={act({ junk_status: !isJunk })}
        />
      )}
      {isTrash && !whole.chosen && <DeleteForGoodButton chosen={selection.chosen} />}
      {isTrash && whole.chosen && mayDelete && (
        <IconButton
          label={t.deleteForGood}
          icon={<DeleteDismissRegular />}
          onClick={() => whole.ask({ delete_status: true })}
        />
      )}
      <IconButton label={t.markRead} icon={<MailReadRegular />} onClick={act({ read_status: true })} />
      <IconButton label={t.markUnread} icon={<MailUnreadRegular />} onClick={act({ read_status: false })} />
      {!isTrash && (
        <IconButton
          label={isStarred ? t.removeStar : t.addStar}
          icon={isStarred ? <StarOffRegular /> : <StarRegular />}
          onClick={act({ star_status: !isStarred })}
        />
      )}
    </Toolbar>
  );
}
