import type { EmailRowDto } from '@selvage/core/contracts/email';
import {
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
} from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ArrowForwardRegular } from '@fluentui/react-icons/svg/arrow-forward';
import { ArrowReplyRegular } from '@fluentui/react-icons/svg/arrow-reply';
import { ArrowReplyAllRegular } from '@fluentui/react-icons/svg/arrow-reply-all';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { DeleteDismissRegular } from '@fluentui/react-icons/svg/delete-dismiss';
import { FolderArrowRightRegular } from '@fluentui/react-icons/svg/folder-arrow-right';
import { MailAttachRegular } from '@fluentui/react-icons/svg/mail-attach';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailReadRegular } from '@fluentui/react-icons/svg/mail-read';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { OpenRegular } from '@fluentui/react-icons/svg/open';
import { StarRegular } from '@fluentui/react-icons/svg/star';
import { StarOffRegular } from '@fluentui/react-icons/svg/star-off';
import { TagRegular } from '@fluentui/react-icons/svg/tag';
import { useWords } from '../../lib/i18n.ts';
import { labelWords } from '../../words/labels.ts';
import { listWords } from '../../words/lists.ts';
import { mailActionWords, rowMenuWords } from '../../words/mail-list.ts';
import { ownFolderWords } from '../../words/own-folders.ts';
import { mayBeArchived, mayBeJunk } from './folder-rules.ts';
import { subjectOf } from './row-words.ts';
import { askSnooze, maySnooze } from './snoozing.ts';
import type { AnswerKind } from './use-answers.ts';
import type { StatusPatch } from './use-change-status.ts';

interface Props {
  /** Where it was asked for. */
  at: { x: number; y: number };
  /** The row under the pointer or the focus. */
  row: EmailRowDto;
  /** What it acts on: this row, or all that are chosen. */
  rows: readonly EmailRowDto[];
  /** How many these are, when all of the folder is chosen. */
  number: number;
  isChosen: boolean;
  /** Left out for people who may not change any of them. */
  onChange: ((patch: StatusPatch) => void) | undefined;
  onMove: (() => void) | undefined;
  onLabel: (() => void) | undefined;
  /** Left out for what is neither in the trash nor in Junk. */
  onDeleteForGood: (() => void) | undefined;
  /** Left out for people who may not send. */
  onAnswer: ((kind: AnswerKind) => void) | undefined;
  /** Forwards the rows as files. Left out for people who may not send, and for all of a folder. */
  onForwardWhole: (() => void) | undefined;
  onOpen: () => void;
  onOpenTab: () => void;
  onSelect: () => void;
  onClose: () => void;
}

/** What can be done with a row, or with all chosen ones, where the pointer or the focus is. */
export default function RowContextMenu(props: Props) {
  const { at, row, number, onAnswer, onOpen, onOpenTab, onSelect, onClose, isChosen } = props;
  const t = useWords(rowMenuWords);
  const actions = useWords(mailActionWords);
  const lists = useWords(listWords);
  const target = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
  const isOne = number === 1;
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'start' }}
      onOpenChange={(_event, data) => !data.open && onClose()}
    >
      <MenuPopover>
        <MenuList hasIcons aria-label={isOne ? lists.actionsFor({ name: subjectOf(row) }) : lists.selected(number)}>
          {isOne ? (
            <>
              <MenuItem icon={<OpenRegular />} onClick={onOpen}>
                {t.open}
              </MenuItem>
              <MenuItem onClick={onOpenTab}>{t.openTab}</MenuItem>
              {onAnswer && (
                <>
                  <MenuDivider />
                  <MenuItem icon={<ArrowReplyRegular />} onClick={() => onAnswer('reply')}>
                    {actions.reply}
                  </MenuItem>
                  <MenuItem icon={<ArrowReplyAllRegular />} onClick={() => onAnswer('replyAll')}>
                    {actions.replyAll}
                  </MenuItem>
                  <MenuItem icon={<ArrowForwardRegular />} onClick={() => onAnswer('forward')}>
                    {actions.forward}
                  </MenuItem>
                  <ForwardWhole {...props} />
                </>
              )}
              <Changes {...props} />
            </>
          ) : (
            <MenuGroup>
              <MenuGroupHeader>{lists.selected(number)}</MenuGroupHeader>
              <ForwardWhole {...props} />
              <Changes {...props} />
            </MenuGroup>
          )}
          <MenuDivider />
          <MenuItem onClick={onSelect}>{isChosen ? t.unselect : t.select}</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function ForwardWhole({ number, onForwardWhole }: Props) {
  const t = useWords(mailActionWords);
  if (!onForwardWhole) return null;
  return (
    <MenuItem icon={<MailAttachRegular />} onClick={onForwardWhole}>
      {t.forwardWhole(number)}
    </MenuItem>
  );
}

/** The flags; each item does what changes at least one of the rows. */
function Changes({ rows, number, onChange, onMove, onLabel, onDeleteForGood }: Props) {
  const folders = useWords(ownFolderWords);
  const t = useWords(mailActionWords);
  const labels = useWords(labelWords);
  if (!onChange) return null;
  const isArchived = rows.every(({ archive_status }) => archive_status);
  const isTrashed = rows.every(({ trash_status }) => trash_status);
  const isJunk = rows.every(({ junk_status }) => junk_status);
  const isRead = rows.every(({ read_status }) => read_status);
  const isStarred = rows.every(({ star_status }) => star_status);
  return (
    <>
      <MenuDivider />
      {rows.some(mayBeArchived) && (
        <MenuItem
          icon={isArchived ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
          onClick={() => onChange({ archive_status: !isArchived })}
        >
          {isArchived ? t.unArchive : t.archive}
        </MenuItem>
      )}
      <MenuItem
        icon={isTrashed ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={() => onChange({ trash_status: !isTrashed })}
      >
        {isTrashed ? t.restore : t.delete}
      </MenuItem>
      {rows.length === number && rows.every(maySnooze) && (
        <MenuItem icon={<ClockAlarmRegular />} onClick={() => askSnooze(rows, onChange)}>
          {t.snooze}
        </MenuItem>
      )}
      {rows.some(mayBeJunk) && (
        <MenuItem
          icon={isJunk ? <MailInboxArrowUpRegular /> : <MailProhibitedRegular />}
          onClick={() => onChange({ junk_status: !isJunk })}
        >
          {isJunk ? t.notJunk : t.junk}
        </MenuItem>
      )}
      <MenuItem
        icon={isRead ? <MailUnreadRegular /> : <MailReadRegular />}
        onClick={() => onChange({ read_status: !isRead })}
      >
        {isRead ? t.markUnread : t.markRead}
      </MenuItem>
      <MenuItem
        icon={isStarred ? <StarOffRegular /> : <StarRegular />}
        onClick={() => onChange({ star_status: !isStarred })}
      >
        {isStarred ? t.removeStar : t.addStar}
      </MenuItem>
      {onMove && (
        <MenuItem icon={<FolderArrowRightRegular />} onClick={onMove}>
          {folders.moveMore}
        </MenuItem>
      )}
      {onLabel && (
        <MenuItem icon={<TagRegular />} onClick={onLabel}>
          {labels.labelMore}
        </MenuItem>
      )}
      {onDeleteForGood && (
        <MenuItem icon={<DeleteDismissRegular />} onClick={onDeleteForGood}>
          {t.deleteForGood}
        </MenuItem>
      )}
    </>
  );
}
