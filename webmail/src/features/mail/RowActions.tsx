import type { EmailRowDto } from '@selvage/core/contracts/email';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { DeleteDismissRegular } from '@fluentui/react-icons/svg/delete-dismiss';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { IconButton } from '../../components/IconButton.tsx';
import { useWords } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { deleting, useMayDeleteForGood } from './deleting.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { subjectOf } from './row-words.ts';
import { askSnooze, awake, maySnooze } from './snoozing.ts';
import type { StatusPatch } from './use-change-status.ts';

interface Props {
  row: EmailRowDto;
  /** Says what was done, unless it is told not to. */
  onChange: (patch: StatusPatch, isSaid?: boolean) => void;
}

/** What can be done with the row under the pointer. */
export function RowActions({ row, onChange }: Props) {
  const t = useWords(mailListWords);
  const snooze = useWords(snoozeWords);
  const subject = subjectOf(row);
  const mayDeleteForGood = useMayDeleteForGood();
  const { archive_status: isArchived, trash_status: isTrashed, junk_status: isJunk, read_status: isRead } = row;
  return (
    <>
      {mayBeArchived(row) && (
        <IconButton
          size="small"
          label={(isArchived ? t.unArchiveRow : t.archiveRow)({ subject })}
          icon={isArchived ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
          onClick={() => onChange({ archive_status: !isArchived })}
        />
      )}
      <IconButton
        size="small"
        label={(isTrashed ? t.restoreRow : t.deleteRow)({ subject })}
        icon={isTrashed ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={() => onChange({ trash_status: !isTrashed })}
      />
      {mayDeleteForGood([row]) && (
        <IconButton
          size="small"
          label={t.forGoodRow({ subject })}
          icon={<DeleteDismissRegular />}
          onClick={() => deleting.set([row])}
        />
      )}
      {maySnooze(row) && (
        <IconButton
          size="small"
          label={(row.snoozed_status ? snooze.wakeRow : snooze.row)({ subject })}
          icon={row.snoozed_status ? <MailInboxArrowUpRegular /> : <ClockAlarmRegular />}
          onClick={() => (row.snoozed_status ? onChange(awake) : askSnooze([row], onChange))}
        />
      )}
      {mayBeJunk(row) && (
        <IconButton
          size="small"
          label={(isJunk ? t.notJunkRow : t.junkRow)({ subject })}
          icon={isJunk ? <MailInboxArrowUpRegular /> : <MailProhibitedRegular />}
          onClick={() => onChange({ junk_status: !isJunk })}
        />
      )}
      <IconButton
        size="small"
        label={(isRead ? t.unreadRow : t.readRow)({ subject })}
        icon={isRead ? <MailUnreadRegular /> : <MailReadRegular />}
        onClick={() => onChange({ read_status: !isRead }, false)}
      />
    </>
  );
}
