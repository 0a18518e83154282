import { changeDelivery, changeQueue, type QueueActionName } from '@selvage/core/contracts/queue';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { currentSubject } from '../../lib/session.ts';
import { queueWords } from '../../words/mail-queue.ts';
import { tracedKey } from '../../lib/record-keys.ts';
import { queueKey } from './queries.ts';

/** What is done with the mail that waits for a domain: of one reason, or all of it. */
export interface QueueAct {
  action: QueueActionName;
  domain: string;
  reason?: string;
  /** How much there was to do when the list was read. */
  count: number;
}

/** What is done with all mail of a sender that waits. */
export interface SenderAct {
  action: QueueActionName;
  sender: string;
}

/** How far it has come. */
export interface QueueProgress {
  changed: number;
  /** Names the run to the server; empty before the first part, null at the end. */
  until: string | null;
}

export const notBegun: QueueProgress = { changed: 0, until: '' };

/** The server changes a part of them with each call. */
export async function changePart(
  act: QueueAct | SenderAct,
  { changed, until }: QueueProgress,
  as: string | null,
): Promise<QueueProgress> {
  const run = until ? { before: until } : {};
  const answer = await api(changeQueue, { body: { ...mailOf(act), ...run }, as });
  return { changed: changed + answer.changed, until: answer.has_more ? answer.before : null };
}

function mailOf(act: QueueAct | SenderAct) {
  if ('sender' in act) return { action: act.action, sender: act.sender };
  const { action, domain, reason } = act;
  return { action, domain, ...(reason === undefined ? {} : { reason }) };
}

function said(action: QueueActionName, changed: number): string {
  const t = wordsOf(queueWords);
  if (changed === 0) return t.nothing;
  return { retry: t.retried, hold: t.held, release: t.released, give_up: t.gaveUp }[action](changed);
}

/** What can be done with mail that waits. Each says what it has done. */
export function useQueueActions() {
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    await Promise.all([queueKey, tracedKey].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const tell = async (action: QueueActionName, changed: number): Promise<void> => {
    notify.success(said(action, changed));
    await refresh();
  };
  return {
    tell,
    /** Also where a part fails, it says what was changed until then. */
    changeMany: async (act: QueueAct | SenderAct): Promise<void> => {
      const as = currentSubject();
      let now = notBegun;
      try {
        while (now.until !== null) now = await changePart(act, now, as);
      } catch (error) {
        // What was done for one person is not told to the next
        if (currentSubject() !== as) return;
        notify.error(error);
        if (now.changed === 0) return await refresh();
      }
      await tell(act.action, now.changed);
    },
    /** The caller handles a failure. */
    changeOne: async (action: QueueActionName, id: string): Promise<void> => {
      await api(changeDelivery, { params: { id }, body: { action } });
      await tell(action, 1);
    },
  };
}
