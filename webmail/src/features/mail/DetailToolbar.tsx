import type { EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ArrowForwardRegular } from '@fluentui/react-icons/svg/arrow-forward';
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left';
import { ArrowReplyRegular } from '@fluentui/react-icons/svg/arrow-reply';
import { ArrowReplyAllRegular } from '@fluentui/react-icons/svg/arrow-reply-all';
import { ChevronDownRegular } from '@fluentui/react-icons/svg/chevron-down';
import { ChevronUpRegular } from '@fluentui/react-icons/svg/chevron-up';
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { FolderArrowRightRegular } from '@fluentui/react-icons/svg/folder-arrow-right';
import { MailInboxArrowUpRegular } from '@fluentui/react-icons/svg/mail-inbox-arrow-up';
import { MailProhibitedRegular } from '@fluentui/react-icons/svg/mail-prohibited';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { Toolbar } from '../../components/Toolbar.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { useWords } from '../../lib/i18n.ts';
import { NARROW } from '../../theme/breakpoints.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { ownFolderWords } from '../../words/own-folders.ts';
import { readingWords } from '../../words/reading.ts';
import { ComposeButton } from './ComposeButton.tsx';
import { LabelButton } from './labels/LabelButton.tsx';
import { usePane } from './pane.ts';
import { subjectOf } from './row-words.ts';
import { DeleteForGoodButton } from './TrashActions.tsx';
import { StarButton } from './StarButton.tsx';
import type { DetailActions } from './use-detail-actions.ts';

const useStyles = makeStyles({
  root: {
    flexShrink: 0,
    minHeight: '52px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  space: { flexGrow: 1 },
});

interface Props {
  email: EmailDto;
  actions: DetailActions;
  canCompose: boolean;
}

/** What can be done with the open message. */
export function DetailToolbar({ email, actions, canCompose }: Props) {
  const styles = useStyles();
  const t = useWords(mailActionWords);
  const reading = useWords(readingWords);
  const folders = useWords(ownFolderWords);
  const isBeside = usePane() !== null;
  // On a phone the message's own menu has the actions that find no place here
  const isNarrow = useMedia(NARROW);
  const isArchived = email.archive_status;
  const isTrashed = email.trash_status;
  return (
    <Toolbar label={reading.message} className={styles.root}>
      <IconButton
        label={isBeside ? reading.close : reading.back}
        icon={isBeside ? <DismissRegular /> : <ArrowLeftRegular />}
        onClick={actions.back}
      />
      {actions.mayChange && (
        <>
          {actions.archive && (
            <IconButton
              label={isArchived ? t.unArchive : t.archive}
              icon={isArchived ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
              onClick={actions.archive}
            />
          )}
          <IconButton
            label={isTrashed ? t.restore : t.delete}
            icon={isTrashed ? <DeleteArrowBackRegular /> : <DeleteRegular />}
            onClick={actions.trash}
          />
          {/* Only this message: the others of its conversation in the trash are not on the screen */}
          {isTrashed && !isNarrow && <DeleteForGoodButton chosen={[email]} onDeleted={actions.goOn} />}
          {actions.snooze && !isNarrow && (
            <IconButton label={t.snooze} icon={<ClockAlarmRegular />} onClick={actions.snooze} />
          )}
          {actions.junk && !isNarrow && (
            <IconButton
              label={email.junk_status ? t.notJunk : t.junk}
              icon={email.junk_status ? <MailInboxArrowUpRegular /> : <MailProhibitedRegular />}
              onClick={actions.junk}
            />
          )}
          {!isNarrow && (
            <IconButton label={folders.move} icon={<FolderArrowRightRegular />} onClick={actions.askMove} />
          )}
          {!isNarrow && <LabelButton of="message" records={actions.labelled} />}
          <IconButton label={t.markUnread} icon={<MailUnreadRegular />} onClick={actions.markUnread} />
          <StarButton subject={subjectOf(email)} isStarred={email.star_status} onPress={actions.star} />
        </>
      )}
      <span className={styles.space} />
      <IconButton
        label={reading.previous}
        icon={<ChevronUpRegular />}
        disabledFocusable={!actions.previous}
        onClick={actions.previous ?? undefined}
      />
      <IconButton
        label={reading.next}
        icon={<ChevronDownRegular />}
        disabledFocusable={!actions.next}
        onClick={actions.next ?? undefined}
      />
      {canCompose && (
        <>
          <AnswerButton label={t.reply} icon={<ArrowReplyRegular />} onClick={actions.reply} />
          <AnswerButton label={t.replyAll} icon={<ArrowReplyAllRegular />} onClick={actions.replyAll} />
          <AnswerButton label={t.forward} icon={<ArrowForwardRegular />} onClick={actions.forward} />
          {/* the list beside it has its own */}
          {!isBeside && <ComposeButton isTight />}
        </>
      )}
    </Toolbar>
  );
}

interface AnswerProps {
  label: string;
  icon: ReactElement;
  onClick: () => void;
}

function AnswerButton({ label, icon, onClick }: AnswerProps) {
  const isNarrow = useMedia(NARROW);
  if (isNarrow) return <IconButton label={label} icon={icon} onClick={onClick} />;
  return (
    <Button appearance="subtle" icon={icon} onClick={onClick}>
      {label}
    </Button>
  );
}
