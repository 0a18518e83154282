import type { EmailRowDto } from '@selvage/core/contracts/email';
import { attachmentLimits, sendEmail } from '@selvage/core/contracts/mail';
import { makeStyles } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { DeleteDismissRegular } from '@fluentui/react-icons/svg/delete-dismiss';
import { MailAttachRegular } from '@fluentui/react-icons/svg/mail-attach';
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
import { openCompose } from './compose/compose-store.ts';
import { useMayDeleteForGood } from './deleting.ts';
import { areIn, mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { LabelButton } from './labels/LabelButton.tsx';
import type { MailPlace } from './mail-place.ts';
import { toArchive } from './own-folders/move-calls.ts';
import { MoveButton } from './own-folders/MoveButton.tsx';
import { askSnooze, maySnooze } from './snoozing.ts';
import { DeleteForGoodButton } from './TrashActions.tsx';
import { useActOn } from './use-act-on.ts';
import type { StatusPatch } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';
import { labelsOfAll, type WholeFolderState } from './use-whole-folder.ts';

const useStyles = makeStyles({ space: { flexGrow: 1 } });

interface Props {
  /** Null where the ticked messages may be in any folder. */
  folder: MailPlace | null;
  selection: Selection<EmailRowDto>;
  whole: WholeFolderState;
}

/** What can be done with the ticked messages of a list, or with all of a folder. */
export function BulkActions({ folder, selection, whole }: Props) {
  const t = useWords(mailActionWords);
  const list = useWords(mailListWords);
  const styles = useStyles();
  const actOn = useActOn(selection, whole);
  const mayChange = useMayChange();
  const user = useCurrentUser();
  const mayDelete = useMayDeleteForGood();
  // A move needs this, whatever folder it leads out of (D63)
  const mayMove = can(user, { model: 'inbox', action: 'edit' });
  const { chosen } = selection;
  const mayForward = can(user, sendEmail) && !whole.chosen && chosen.length <= attachmentLimits.files;
  const act = (patch: StatusPatch) => (): void => actOn(selection.chosen, patch);
  const isArchive = areIn('archive', folder, chosen);
  const isTrash = areIn('trash', folder, chosen);
  const isJunk = areIn('junk', folder, chosen);
  // The whole of another folder may have messages that the person has sent
  const mayReport = whole.chosen ? isJunk || folder === 'inbox' : selection.chosen.some(mayBeJunk);
  const maySnoozeAll = !whole.chosen && selection.chosen.every(maySnooze);
  const isStarred = selection.chosen.every(({ star_status }) => star_status);
  if (!selection.chosen.some(mayChange)) return <span className={styles.space} />;
  return (
    <Toolbar label={list.selectedMessages} className={styles.space}>
      {(chosen.some(mayBeArchived) || (isTrash && mayMove && !whole.chosen)) && (
        <IconButton
          label={isArchive ? t.unArchive : t.archive}
          icon={isArchive ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
          onClick={act(isTrash ? toArchive : { archive_status: !isArchive })}
        />
      )}
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
      {maySnoozeAll && (
        <IconButton
          label={t.snooze}
          icon={<ClockAlarmRegular />}
          disabledFocusable={whole.isMarking}
          onClick={() => askSnooze(selection.chosen, (patch) => actOn(selection.chosen, patch))}
        />
      )}
      {!whole.chosen && <DeleteForGoodButton chosen={selection.chosen} isDisabled={whole.isMarking} />}
      {whole.chosen && mayDelete(chosen) && (
        <IconButton
          label={t.deleteForGood}
          icon={<DeleteDismissRegular />}
          onClick={() => whole.ask({ delete_status: true })}
        />
      )}
      {mayMove && (
        <MoveButton
          records={selection.chosen}
          number={whole.chosen?.total}
          isDisabled={whole.isMarking}
          onMove={(patch) => actOn(selection.chosen, patch)}
        />
      )}
      <LabelButton of="list" records={selection.chosen} ofAll={labelsOfAll(whole)} isDisabled={whole.isMarking} />
      {mayForward && (
        <IconButton
          label={t.forwardWhole(chosen.length)}
          icon={<MailAttachRegular />}
          onClick={() => openCompose({ kind: 'forwardWhole', messages: chosen })}
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
