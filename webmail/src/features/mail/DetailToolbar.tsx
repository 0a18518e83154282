import type { EmailDto } from '@selvage/core/contracts/mail';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArchiveRegular } from '@fluentui/react-icons/svg/archive';
import { ArchiveArrowBackRegular } from '@fluentui/react-icons/svg/archive-arrow-back';
import { ArrowForwardRegular } from '@fluentui/react-icons/svg/arrow-forward';
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left';
import { ArrowReplyRegular } from '@fluentui/react-icons/svg/arrow-reply';
import { ArrowReplyAllRegular } from '@fluentui/react-icons/svg/arrow-reply-all';
import { DeleteRegular } from '@fluentui/react-icons/svg/delete';
import { DeleteArrowBackRegular } from '@fluentui/react-icons/svg/delete-arrow-back';
import { MailUnreadRegular } from '@fluentui/react-icons/svg/mail-unread';
import { StarFilled, StarRegular } from '@fluentui/react-icons/svg/star';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import type { DetailActions } from './use-detail-actions.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  space: { flexGrow: 1 },
  star: { color: tokens.colorPaletteMarigoldForeground1 },
});

interface Props {
  email: EmailDto;
  actions: DetailActions;
  canCompose: boolean;
}

export function DetailToolbar({ email, actions, canCompose }: Props) {
  const styles = useStyles();
  const isArchived = email.archive_status;
  const isTrashed = email.trash_status;
  return (
    <div className={styles.root} role="toolbar" aria-label="Message">
      <IconButton label="Back" icon={<ArrowLeftRegular />} onClick={actions.back} />
      <IconButton
        label={isArchived ? 'Un Archive' : 'Archive'}
        icon={isArchived ? <ArchiveArrowBackRegular /> : <ArchiveRegular />}
        onClick={actions.archive}
      />
      <IconButton
        label={isTrashed ? 'Restore' : 'Delete'}
        icon={isTrashed ? <DeleteArrowBackRegular /> : <DeleteRegular />}
        onClick={actions.trash}
      />
      <IconButton label="Mark as unread" icon={<MailUnreadRegular />} onClick={actions.markUnread} />
      <IconButton
        label={email.star_status ? 'Remove star' : 'Add star'}
        aria-pressed={email.star_status}
        icon={email.star_status ? <StarFilled className={styles.star} /> : <StarRegular />}
        onClick={actions.star}
      />
      <span className={styles.space} />
      {canCompose && (
        <>
          <AnswerButton label="Reply" icon={<ArrowReplyRegular />} onClick={actions.reply} />
          <AnswerButton label="Reply all" icon={<ArrowReplyAllRegular />} onClick={actions.replyAll} />
          <AnswerButton label="Forward" icon={<ArrowForwardRegular />} onClick={actions.forward} />
        </>
      )}
    </div>
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
    <Button icon={icon} onClick={onClick}>
      {label}
    </Button>
  );
}
