import type { EmailDto } from '@selvage/core/contracts/email';
import { sendEmail } from '@selvage/core/contracts/mail';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router-dom';
import { LoadError } from '../../components/page/LoadError.tsx';
import { useIsInView } from '../../hooks/use-is-in-view.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { useWithPending } from '../../lib/pending-changes.ts';
import { Conversation } from './Conversation.tsx';
import { endsOf } from './conversation-ends.ts';
import { DetailToolbar } from './DetailToolbar.tsx';
import { OpenActions } from './open-actions.ts';
import { OpenFrame, OpenSkeleton } from './OpenFrame.tsx';
import { emailQuery, useEmail } from './queries.ts';
import { subjectOf } from './row-words.ts';
import { UndoBanner } from './UndoBanner.tsx';
import { pendingStatus, useChangeStatus } from './use-change-status.ts';
import { useDetailActions } from './use-detail-actions.ts';
import { useRest } from './use-rest.ts';
import { usePrintKey } from './use-print.ts';

/** Loads the message in parallel with the other requests of a first load. */
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
  const { data, error, refetch } = useEmail(id);
  const [email] = useWithPending(pendingStatus, useStable(data));
  useMarkRead(email);
  if (email) return <Message email={email} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <OpenSkeleton />;
}

/** The message as a list of one that stays the same while the message does. */
function useStable(email: EmailDto | undefined): EmailDto[] {
  const last = useRef<EmailDto[]>(nothing);
  if (last.current[0] !== email) last.current = email ? [email] : nothing;
  return last.current;
}

function Message({ email: whole }: { email: EmailDto }) {
  const email = useRest(whole);
  const canCompose = can(useCurrentUser(), sendEmail);
  const actions = useDetailActions(email, canCompose);
  usePrintKey(email);
  return (
    <OpenFrame
      subject={subjectOf(email)}
      bar={<DetailToolbar email={email} actions={actions} canCompose={canCompose} />}
    >
      <UndoBanner email={email} onUndone={actions.back} />
      <OpenActions value={{ email, actions }}>
        <Conversation email={email} canCompose={canCompose} />
      </OpenActions>
    </OpenFrame>
  );
}

/**
 * Opening a message marks it and the others of its conversation as read, those that were not
 * fetched included. Each is marked once, so that a person can mark one unread again. Messages that
 * arrive while the page is out of view stay unread until the person comes back to it.
 */
function useMarkRead(email: EmailDto | undefined): void {
  const changeStatus = useChangeStatus();
  const isInView = useIsInView();
  const done = useRef(new Set<string>());
  useEffect(() => {
    if (!email || !isInView) return;
    const { replies, twins, ...own } = email;
    const items = [own, ...replies, ...twins];
    // The newest message of each folder stands for older messages that were not fetched
    const ends = email.earlier_replies > 0 && done.current.size === 0 ? endsOf(email) : [];
    const unread = items.filter(({ _id, read_status }) => !read_status && !done.current.has(_id));
    for (const { _id } of items) done.current.add(_id);
    const records = [...new Set([...ends, ...unread])];
    const patch = { read_status: true };
    if (records.length > 0) void changeStatus({ records, patch, ...(ends.length > 0 && { ends }) });
  }, [email, isInView, changeStatus]);
}
