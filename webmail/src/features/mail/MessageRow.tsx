import type { EmailRowDto } from '@selvage/core/contracts/email';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
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
import { wordsForState } from './delivery-words.ts';
import { mayBeJunk } from './folder-rules.ts';
import { MailRow } from './MailRow.tsx';
import { subjectOf, writersOf } from './row-words.ts';
import { StarButton } from './StarButton.tsx';
import type { StatusPatch } from './use-change-status.ts';

interface Props {
  row: EmailRowDto;
  /** Address of the message's page. */
  to: string;
  state: FromList;
  heading: string | undefined;
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
export function MessageRow({ row, to, state, isRelaxed, onChange, onEnter, onLeave, ...rest }: Props) {
  const delivery = row.delivery_state && row.send_status ? wordsForState(row.delivery_state) : null;
  const toggleStar = onChange && (() => onChange({ star_status: !row.star_status }, false));
  return (
    <MailRow
      row={row}
      people={writersOf(row)}
      pictureOf={isRelaxed ? row.sender_name || row.sender_email || '?' : undefined}
      count={row.thread?.count ?? 1}
      date={row.createdAt}
      open={{ to, state, onEnter, onLeave }}
      isUnread={!row.read_status}
      star={<StarButton subject={subjectOf(row)} isStarred={row.star_status} onPress={toggleStar} />}
      state={delivery && <StateWord kind={delivery.kind}>{delivery.word}</StateWord>}
      actions={onChange && <RowActions row={row} onChange={onChange} />}
      {...rest}
    />
  );
}

/** What can be done with the row under the pointer. */
function RowActions({ row, onChange }: { row: EmailRowDto; onChange: NonNullable<Props['onChange']> }) {
  const t = useWords(mailListWords);
  const subject = subjectOf(row);
  const { archive_status: isArchived, trash_status: isTrashed, junk_status: isJunk, read_status: isRead } = row;
  return (
    <>
      <IconButton
        size="small"
        label={(isArchived ? t.unArchiveRow : t.archiveRow)({ subject })}
        icon={isArchived ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
        onClick={() => onChange({ archive_status: !isArchived })}
      />
      <IconButton
        size="small"
        label={(isTrashed ? t.restoreRow : t.deleteRow)({ subject })}
        icon={isTrashed ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={() => onChange({ trash_status: !isTrashed })}
      />
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
