import { undoSend } from '@selvage/core/contracts/mail';
import { reschedule, sendScheduledNow } from '@selvage/core/contracts/scheduled';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { loadModule } from '../../../lib/load-module.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { scheduledWords } from '../../../words/scheduled.ts';
import { mayOpenDrafts } from '../may-open-drafts.ts';
import { timeInWords } from '../time-in-words.ts';

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

/** Sends messages at once. @throws when one of them cannot be sent; the others are on their way */
export async function sendNow(messages: readonly Scheduled[]): Promise<void> {
  const { done, failures } = await each(messages, (id) => api(sendScheduledNow, { params: { id } }));
  if (done > 0) notify.success(wordsOf(scheduledWords).sent);
  throwFirst(failures);
}

/**
 * Turns messages into drafts.
 * @returns whether any became one
 * @throws when one of them cannot; the others are drafts
 */
export async function cancelScheduled(messages: readonly Scheduled[]): Promise<boolean> {
  const { done, failures } = await each(messages, (id) => api(undoSend, { params: { id } }));
  const { cancelled, stopped } = wordsOf(scheduledWords);
  if (done > 0) notify.success((mayOpenDrafts() ? cancelled : stopped)(done));
  throwFirst(failures);
  return done > 0;
}

export async function changeTime({ _id: id }: Scheduled, at: Date): Promise<void> {
  try {
    await api(reschedule, { params: { id }, body: { send_at: at.toISOString() } });
  } finally {
    await readAgain();
  }
  notify.success(wordsOf(scheduledWords).changed({ when: timeInWords(at) }));
}

/** Tries every message, and says how many of them no longer wait for their time. */
async function each(
  messages: readonly Scheduled[],
  run: (id: string) => Promise<unknown>,
): Promise<{ done: number; failures: unknown[] }> {
  let done = 0;
  let gone = 0;
  const failures: unknown[] = [];
  for (const { _id } of messages) {
    try {
      await run(_id);
      done += 1;
    } catch (error) {
      if (isGone(error)) gone += 1;
      else failures.push(error);
    }
  }
  await readAgain();
  if (gone > 0) notify.info(wordsOf(scheduledWords).noLonger(gone));
  return { done, failures };
}

/** Whether the message has left, or no longer waits for its time since it was changed elsewhere. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'too_late_to_undo' || error.code === 'message_not_found');
}

function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures[0];
}

async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['mail'] });
}
