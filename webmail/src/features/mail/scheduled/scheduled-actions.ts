import { undoSend } from '@selvage/core/contracts/mail';
import { reschedule, sendScheduledNow } from '@selvage/core/contracts/scheduled';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { loadModule } from '../../../lib/load-module.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { scheduledWords } from '../../../words/scheduled.ts';
import { timeInWords } from '../send-times.ts';

/** A message that waits for its time. */
export interface Scheduled {
  _id: string;
  subject: string;
  /** ISO 8601. */
  send_at: string;
}

/** Takes a message back and opens it to go on writing; its time and its reminder are remembered. */
export async function editScheduled(
  { _id, subject, send_at: sendAt }: Scheduled,
  remindAt: string | null,
): Promise<boolean> {
  try {
    const { undoById } = await loadModule(() => import('../compose/sent-messages.ts'));
    return await undoById(_id, subject, { sendAt, remindAt });
  } catch (error) {
    notify.error(error);
    return false;
  }
}

/**
 * Sends messages at once. Messages that were sent meanwhile are skipped, so that a second try
 * continues after them.
 * @throws when one of them cannot be sent; those before it are on their way
 */
export async function sendNow(messages: readonly Scheduled[]): Promise<void> {
  await each(messages, async (id) => {
    try {
      await api(sendScheduledNow, { params: { id } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'too_late_to_undo') throw error;
    }
  });
  notify.success(wordsOf(scheduledWords).sent);
}

/** Turns messages into drafts. @throws when one of them cannot be; those before it are drafts */
export async function cancelScheduled(messages: readonly Scheduled[]): Promise<void> {
  await each(messages, (id) => api(undoSend, { params: { id } }));
  notify.success(wordsOf(scheduledWords).cancelled(messages.length));
}

export async function changeTime({ _id: id }: Scheduled, at: Date): Promise<void> {
  await each([{ _id: id }], () => api(reschedule, { params: { id }, body: { send_at: at.toISOString() } }));
  notify.success(wordsOf(scheduledWords).changed({ when: timeInWords(at) }));
}

async function each(messages: readonly Pick<Scheduled, '_id'>[], run: (id: string) => Promise<unknown>): Promise<void> {
  try {
    for (const { _id } of messages) await run(_id);
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['mail'] });
  }
}
