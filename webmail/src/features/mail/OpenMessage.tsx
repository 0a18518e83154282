import type { AttachmentDto, EmailDto } from '@selvage/core/contracts/email';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowForwardRegular } from '@fluentui/react-icons/svg/arrow-forward';
import { ArrowReplyRegular } from '@fluentui/react-icons/svg/arrow-reply';
import { ArrowReplyAllRegular } from '@fluentui/react-icons/svg/arrow-reply-all';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { useWords } from '../../lib/i18n.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { readingWords } from '../../words/reading.ts';
import { AttachmentList } from './AttachmentList.tsx';
import { openCompose } from './compose/compose-store.ts';
import { MessageFrame } from './MessageFrame.tsx';
import { MessageHeader } from './MessageHeader.tsx';
import type { SwitchText } from './MessageMenu.tsx';
import { asTextQuery } from './queries.ts';
import { subjectOf } from './row-words.ts';

const DeliveryTable = lazyExtra(() => import('./DeliveryTable.tsx'));
const InvitationCard = lazyExtra(() => import('./invitation/InvitationCard.tsx'));

const useStyles = makeStyles({
  answers: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

interface Props {
  email: EmailDto;
  /** One of several: it takes less room, and can be answered by itself. */
  isOneOfMany?: boolean;
  canCompose?: boolean;
}

/** The sender, the files and the text of one message. */
export function OpenMessage({ email, isOneOfMany = false, canCompose = false }: Props) {
  const t = useWords(readingWords);
  const { shown, switchText } = useAsText(email);
  return (
    <>
      <MessageHeader email={shown} isOneOfMany={isOneOfMany} onSwitchText={switchText} />
      {email.send_status && <DeliveryTable deliveries={email.deliveries} />}
      {email.invitation && <InvitationCard email={email} invitation={email.invitation} />}
      <AttachmentList attachments={filesBeside(email)} allPath={email.files_path} />
      <MessageFrame message={shown} title={t.textOf({ subject: subjectOf(email) })} />
      {isOneOfMany && canCompose && <Answers email={email} />}
    </>
  );
}

/**
 * The files without the calendar file of an invitation: the invitation's card shows and saves that
 * one.
 */
function filesBeside({ attachments, invitation }: EmailDto): AttachmentDto[] {
  return attachments.filter(({ file_path }) => file_path !== invitation?.file_path);
}

/**
 * The message as it is shown: first as it was sent, and without its markup when the reader asks. A
 * message without markup has nothing to switch.
 */
function useAsText(email: EmailDto): { shown: EmailDto; switchText: SwitchText | undefined } {
  const [isText, setText] = useState(false);
  const { data, error } = useQuery({ ...asTextQuery(email._id), enabled: isText });
  useEffect(() => {
    // A failure that is remembered from an earlier visit was told then
    if (!isText || !error) return;
    setText(false);
    notify.error(error);
  }, [isText, error]);
  if (email.look === 'plain') return { shown: email, switchText: undefined };
  const switchText = { isText, run: () => setText(!isText) };
  if (!isText || !data) return { shown: email, switchText };
  const { body, sheet, look, hasRemoteContent } = data;
  return { shown: { ...email, body, sheet, look, hasRemoteContent }, switchText };
}

function Answers({ email }: { email: EmailDto }) {
  const styles = useStyles();
  const t = useWords(mailActionWords);
  const reply = (isToAll: boolean) => (): void => openCompose({ kind: 'reply', email, isToAll });
  return (
    <div className={styles.answers}>
      <Button size="small" icon={<ArrowReplyRegular />} onClick={reply(false)}>
        {t.reply}
      </Button>
      <Button size="small" icon={<ArrowReplyAllRegular />} onClick={reply(true)}>
        {t.replyAll}
      </Button>
      <Button size="small" icon={<ArrowForwardRegular />} onClick={() => openCompose({ kind: 'forward', email })}>
        {t.forward}
      </Button>
    </div>
  );
}
