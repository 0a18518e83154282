import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { IconButton } from '../../components/IconButton.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { useWords } from '../../lib/i18n.ts';
import type { FromList } from '../../lib/origin.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { describeSent, wordsForState } from './delivery-words.ts';
import { belongsTo, mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { LabelChips } from './labels/LabelChips.tsx';
import { labelsOf } from './labels/row-labels.ts';
import { MailRow } from './MailRow.tsx';
import { placedAt, subjectOf, writersOf } from './row-words.ts';
import { timeInWords } from './send-times.ts';
import { askSnooze, awake, maySnooze } from './snoozing.ts';
import { StarButton } from './StarButton.tsx';
import type { StatusPatch } from './use-change-status.ts';

interface Props {
  row: EmailRowDto;
  /** How it stands with all of its recipients, in the list of what was sent. */
  sent: SentDeliveryDto | undefined;
  /** Address of the message's page. */
  to: string;
  state: FromList;
  heading: string | undefined;
  /** The list is Snoozed: its rows show when they come back, in place of when they came. */
  isInSnoozed: boolean;
  isRelaxed: boolean;
  /** In a narrow list beside the open message. */
  isStacked: boolean;
  /** It is the open message. */
  isOpen: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  /** Left out for people who may not change it. */
  onChange: ((patch: StatusPatch, isSaid?: boolean) => void) | undefined;
  onEnter: () => void;
  onLeave: () => void;
  onFocus: () => void;
}

/**
 * One message of a folder, or the newest of a conversation. Opening it marks it read, which the
 * message's own page does.
 */
export function MessageRow(props: Props) {
  const { row, sent, to, state: from, isInSnoozed, isRelaxed, onChange, onEnter, onLeave, ...rest } = props;
  const t = useWords(snoozeWords);
  const known = row.delivery_state && row.send_status ? wordsForState(row.delivery_state) : null;
  const delivery = sent ? describeSent(sent) : known;
  const until = belongsTo('snoozed', row) && row.snoozed_until ? timeInWords(new Date(row.snoozed_until)) : null;
  // A message that has come back says so until it is read
  const isBack = row.returned_at !== null && !row.read_status;
  const sleep = until !== null && !isInSnoozed ? t.sleeps({ when: until }) : isBack && until === null && t.returned;
  const state = delivery ? (
    <StateWord kind={delivery.kind}>{delivery.word}</StateWord>
  ) : (
    sleep && <StateWord kind="waiting">{sleep}</StateWord>
  );
  const labels = labelsOf(row);
  const toggleStar = onChange && (() => onChange({ star_status: !row.star_status }, false));
  return (
    <MailRow
      row={row}
      people={writersOf(row)}
      pictureOf={isRelaxed ? row.sender_name || row.sender_email || '?' : undefined}
      count={row.thread?.count ?? 1}
      date={(isInSnoozed ? row.snoozed_until : null) ?? placedAt(row)}
      {...(isInSnoozed && until !== null && { when: until })}
      open={{ to, state: from, onEnter, onLeave }}
      isUnread={!row.read_status}
      star={<StarButton subject={subjectOf(row)} isStarred={row.star_status} onPress={toggleStar} />}
      state={state}
      labels={labels.length > 0 && <LabelChips ids={labels} />}
      actions={onChange && <RowActions row={row} onChange={onChange} />}
      {...rest}
    />
  );
}

/** What can be done with the row under the pointer. */
function RowActions({ row, onChange }: { row: EmailRowDto; onChange: NonNullable<Props['onChange']> }) {
  const t = useWords(mailListWords);
  const snooze = useWords(snoozeWords);
  const subject = subjectOf(row);
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
