import type { EmailDto } from '@selvage/core/contracts/email';
import { sendEmail } from '@selvage/core/contracts/mail';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { cut } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { useWithPending } from '../../lib/pending-changes.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { arrivalHeading, scrollPane } from '../../theme/styles.ts';
import { readingWords } from '../../words/reading.ts';
import { Conversation } from './Conversation.tsx';
import { DetailToolbar } from './DetailToolbar.tsx';
import { OpenMessage } from './OpenMessage.tsx';
import { emailQuery } from './queries.ts';
import { subjectOf } from './row-words.ts';
import { UndoBanner } from './UndoBanner.tsx';
import { pendingStatus, useChangeStatus } from './use-change-status.ts';
import { useDetailActions } from './use-detail-actions.ts';
import { usePrintKey } from './use-print.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  pane: {
    ...scrollPane,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXL}`,
    [onNarrow]: { padding: tokens.spacingHorizontalM },
  },
  subject: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    ...arrivalHeading,
  },
});

/** Asks for the message beside the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(emailQuery(id));
}

/** One message, as /dashboard/{folder}/{id}. */
export default function DetailPage() {
  const { id = '' } = useParams();
  return <Detail key={id} id={id} />;
}

const nothing: EmailDto[] = [];

function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(emailQuery(id));
  const [email] = useWithPending(pendingStatus, useStable(data));
  useMarkRead(email);
  if (email) return <Message email={email} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <DetailSkeleton />;
}

/** The message as a list of one that stays the same while the message does. */
function useStable(email: EmailDto | undefined): EmailDto[] {
  const last = useRef<EmailDto[]>(nothing);
  if (last.current[0] !== email) last.current = email ? [email] : nothing;
  return last.current;
}

function Message({ email }: { email: EmailDto }) {
  const styles = useStyles();
  const canCompose = can(useCurrentUser(), sendEmail);
  const actions = useDetailActions(email, canCompose);
  usePrintKey(email);
  const subject = subjectOf(email);
  return (
    <div className={styles.root}>
      <DetailToolbar email={email} actions={actions} canCompose={canCompose} />
      <article className={styles.pane}>
        <Subject text={subject} />
        <UndoBanner email={email} onUndone={actions.back} />
        {email.replies.length > 0 ? (
          <Conversation email={email} canCompose={canCompose} />
        ) : (
          <OpenMessage email={email} />
        )}
      </article>
    </div>
  );
}

const LONG_SUBJECT = 200;

/** A subject that would push the message off the screen is shown in part until it is asked for. */
function Subject({ text }: { text: string }) {
  const styles = useStyles();
  const t = useWords(readingWords);
  const [isWhole, setWhole] = useState(text.length <= LONG_SUBJECT);
  return (
    <div>
      <h1 className={styles.subject} dir="auto" tabIndex={-1} ref={focusOnce} data-open-subject>
        {isWhole ? text : cut(text, LONG_SUBJECT)}
      </h1>
      {!isWhole && (
        <Button size="small" appearance="transparent" onClick={() => setWhole(true)}>
          {t.wholeSubject}
        </Button>
      )}
    </div>
  );
}

// a function that stays the same is called once a mount, so a refetch doesn't steal the focus
function focusOnce(heading: HTMLElement | null): void {
  // a person who goes through the list beside the message stays there
  if (document.activeElement?.closest('[data-entry]')) return;
  heading?.focus({ preventScroll: true });
}

/**
 * Opening reads the message and the others of its conversation, also when the address was typed.
 * Each once: marking one unread again must not be undone by this.
 */
function useMarkRead(email: EmailDto | undefined): void {
  const changeStatus = useChangeStatus();
  const done = useRef(new Set<string>());
  useEffect(() => {
    if (!email) return;
    const { replies, ...own } = email;
    const records = [own, ...replies].filter(({ _id, read_status }) => !read_status && !done.current.has(_id));
    for (const { _id } of [own, ...replies]) done.current.add(_id);
    if (records.length > 0) void changeStatus({ records, patch: { read_status: true } });
  }, [email, changeStatus]);
}

function DetailSkeleton() {
  const styles = useStyles();
  const t = useWords(readingWords);
  return (
    <Placeholder label={t.loading} className={styles.pane}>
      <Bar height={28} width="60%" />
      <Bar height={40} width="40%" />
      <Bar height={16} width="30%" />
      <Bar height={240} />
    </Placeholder>
  );
}
