import type { EmailDto } from '@selvage/core/contracts/mail';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { StatusPage } from '../../components/page/StatusPage.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { isAllowed, useCurrentUser } from '../../lib/current-user.ts';
import { cut } from '../../lib/format.ts';
import { AttachmentList } from './AttachmentList.tsx';
import { Conversation } from './Conversation.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { DetailToolbar } from './DetailToolbar.tsx';
import { MessageFrame } from './MessageFrame.tsx';
import { MessageHeader } from './MessageHeader.tsx';
import { emailQuery } from './queries.ts';
import { subjectOf } from './row-words.ts';
import { UndoBanner } from './UndoBanner.tsx';
import { useChangeStatus } from './use-change-status.ts';
import { useDetailActions } from './use-detail-actions.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  pane: {
    display: 'flex',
    flexDirection: 'column',
    flexGrow: 1,
    minHeight: 0,
    overflowY: 'auto',
    gap: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalL,
    '@media (max-width: 719px)': { padding: tokens.spacingHorizontalM },
  },
  subject: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    ':focus': { outlineStyle: 'none' },
  },
});

/** One message, as /dashboard/{folder}/{id}. */
export function DetailPage() {
  const { id = '' } = useParams();
  return <Detail key={id} id={id} />;
}

function Detail({ id }: { id: string }) {
  const styles = useStyles();
  const canCompose = isAllowed(useCurrentUser(), 'sent', 'create');
  const { data: email, error, refetch } = useQuery(emailQuery(id));
  const actions = useDetailActions(email, canCompose);
  useMarkRead(email);
  useEffect(() => {
    if (error && !email) document.title = 'Message not shown · Selvage';
  }, [error, email]);

  if (error && !email) {
    return (
      <StatusPage
        isAlert
        icon={<ErrorCircleRegular />}
        title={`Error: ${messageOf(error)}`}
        action={
          <span>
            <Button appearance="primary" onClick={() => void refetch()}>
              Retry
            </Button>{' '}
            <Button onClick={actions.back}>Back</Button>
          </span>
        }
      />
    );
  }
  if (!email) return <DetailSkeleton />;
  return (
    <div className={styles.root}>
      <DetailToolbar email={email} actions={actions} canCompose={canCompose} />
      <article className={styles.pane}>
        <Subject text={subjectOf(email)} />
        <UndoBanner id={email._id} undoUntil={email.undo_until} onUndone={actions.back} />
        <MessageHeader email={email} />
        {email.send_status && <DeliveryTable deliveries={email.deliveries} />}
        <AttachmentList attachments={email.attachments} />
        <MessageFrame
          body={email.body}
          framePath={email.frame_path}
          hasRemoteContent={email.hasRemoteContent}
          title={`Text of ${subjectOf(email)}`}
        />
        <Conversation replies={email.replies} />
      </article>
    </div>
  );
}

const LONG_SUBJECT = 200;

/** A subject that would push the message off the screen is shown in part until it is asked for. */
function Subject({ text }: { text: string }) {
  const styles = useStyles();
  const [isWhole, setWhole] = useState(text.length <= LONG_SUBJECT);
  return (
    <div>
      <h1 className={styles.subject} dir="auto" tabIndex={-1} ref={focusOnce}>
        {isWhole ? text : cut(text, LONG_SUBJECT)}
      </h1>
      {!isWhole && (
        <Button size="small" appearance="transparent" onClick={() => setWhole(true)}>
          Show the whole subject
        </Button>
      )}
    </div>
  );
}

// a function that stays the same is called once a mount, so a refetch doesn't steal the focus
function focusOnce(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
}

/** Opening reads, also when the address was typed. Once: marking it unread again must not be undone by this. */
function useMarkRead(email: EmailDto | undefined): void {
  const changeStatus = useChangeStatus();
  const isDone = useRef(false);
  useEffect(() => {
    if (!email || isDone.current) return;
    isDone.current = true;
    document.title = `${subjectOf(email)} · Selvage`;
    if (!email.read_status) changeStatus({ ids: [email._id], patch: { read_status: true } });
  }, [email, changeStatus]);
}

function DetailSkeleton() {
  const styles = useStyles();
  return (
    <Placeholder label="Loading the message" className={styles.pane}>
      <Bar height={28} width="60%" />
      <Bar height={40} width="40%" />
      <Bar height={16} width="30%" />
      <Bar height={240} />
    </Placeholder>
  );
}
