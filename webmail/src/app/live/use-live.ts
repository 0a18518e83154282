import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { reach } from '../../lib/connection.ts';
import { tellDesktop } from '../../lib/desktop-news.ts';
import { dutyOf } from '../../lib/duties.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { takeOwnNotice } from '../../lib/own-changes.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { noteVersion } from '../../lib/web-version.ts';
import { liveWords } from '../../words/live.ts';
import { catchUp } from '../connection/catch-up.ts';
import { LiveConnection, type LiveHandlers } from './live-connection.ts';
import { watchWake } from './watch-wake.ts';

/** Several messages that arrive within this time are fetched together. */
const TOGETHER_MS = 1_000;

/**
 * Owns the live connection: it is opened for the logged-in person, and closed when they log out or
 * another person logs in. While the person has a duty to do first, the server would refuse the
 * connection, so it is not opened.
 */
export function useLive(): void {
  const user = useCurrentUser();
  const email = user && dutyOf(user) === null ? user.email : null;
  const handlers = useHandlers();
  useEffect(() => {
    if (email === null) return;
    const live = new LiveConnection(email, handlers);
    const stopWatching = watchWake(() => {
      live.renew();
      catchUp();
    });
    return () => {
      stopWatching();
      live.close();
    };
  }, [email, handlers]);
}

function useHandlers(): LiveHandlers {
  const client = useQueryClient();
  const navigate = useNavigate();
  const go = useRef(navigate);
  go.current = navigate;
  const handlers = useRef<LiveHandlers>({
    onNewMail: ({ sender_name, sender_email, entry_id }) => {
      // The notice of the changed mailbox comes before this event, unless it was lost
      if (Date.now() - lastNotice > TOGETHER_MS) refreshMail(client);
      const t = wordsOf(liveWords);
      const said = t.newMail({ sender: sender_name || sender_email });
      const open = (): void => void go.current(`/dashboard/inbox/${entry_id}`);
      notify.news('new-mail', said, { label: t.open, run: open });
      tellDesktop(said, open);
    },
    onMailboxChanged: ({ folders }) => {
      // Each save of a draft changes its folder: the other lists and the open message are as before
      if (folders.length > 0 && folders.every((folder) => folder === 'draft')) {
        refreshMail(client, 'drafts');
        return;
      }
      // The page has fetched what it changed itself
      if (takeOwnNotice()) return;
      lastNotice = Date.now();
      refreshMail(client);
    },
    onDeliveriesChanged: ({ entry_ids: ids }) => {
      for (const id of ids) changedDeliveries.add(id);
      if (deliveryTimer === 0) refreshDeliveries(client);
    },
    onHello: ({ web }) => noteVersion(web),
    onJoined: catchUp,
    onPoll: () => {
      // A server that is away has its own probe, and a page in the background can wait
      if (reach.get() === 'away' || document.visibilityState !== 'visible') return;
      void client.invalidateQueries({ queryKey: ['mail', 'list'] });
      void client.invalidateQueries({ queryKey: ['mail', 'totals'] });
    },
    onRefused: () => void client.invalidateQueries({ queryKey: currentUserKey }),
  });
  return handlers.current;
}

/**
 * When another window, a device or new mail last changed more than drafts, in milliseconds since
 * 1970.
 */
let lastNotice = 0;
/** What is fetched again: all of the mail, or only what shows drafts. */
type Part = 'all' | 'drafts';
const keysOf: Record<Part, readonly QueryKey[]> = {
  all: [['mail']],
  drafts: [
    ['mail', 'list', 'draft'],
    ['mail', 'list', 'search'],
    ['mail', 'totals'],
  ],
};
let isRefreshing = false;
let wanted: Part | null = null;

/** Fetches this part of the mail again at once, and then at most once in `TOGETHER_MS`. */
function refreshMail(client: QueryClient, part: Part = 'all'): void {
  if (isRefreshing) {
    if (wanted !== 'all') wanted = part;
    return;
  }
  isRefreshing = true;
  for (const queryKey of keysOf[part]) void client.invalidateQueries({ queryKey });
  setTimeout(() => {
    isRefreshing = false;
    const next = wanted;
    wanted = null;
    if (next !== null) refreshMail(client, next);
  }, TOGETHER_MS);
}

/** Sent messages whose deliveries have changed and were not fetched since. */
const changedDeliveries = new Set<string>();
let deliveryTimer = 0;

/** Kinds of queries that show deliveries. Their keys hold the ids of the messages. */
const deliveryKinds: ReadonlySet<unknown> = new Set(['sent-deliveries', 'detail', 'alone']);

/** Fetches what is shown of these deliveries at once, and then at most once in `TOGETHER_MS`. */
function refreshDeliveries(client: QueryClient): void {
  const changed = new Set(changedDeliveries);
  changedDeliveries.clear();
  void client.invalidateQueries({
    queryKey: ['mail'],
    predicate: ({ queryKey: [, kind, ids] }) =>
      deliveryKinds.has(kind) &&
      String(ids)
        .split(',')
        .some((id) => changed.has(id)),
  });
  deliveryTimer = window.setTimeout(() => {
    deliveryTimer = 0;
    if (changedDeliveries.size > 0) refreshDeliveries(client);
  }, TOGETHER_MS);
}
