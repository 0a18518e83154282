import { remindMe } from '@selvage/core/contracts/snooze';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { queryClient } from '../../lib/query-client.ts';
import { snoozeWords } from '../../words/snooze.ts';
import { mailKeys } from './keys.ts';
import { patchLoaded } from './loaded-messages.ts';
import { timeInWords } from './time-in-words.ts';

/** Reminds the sender of a message at a time, unless an answer comes. @throws when it fails */
export async function setReminder(id: string, at: Date): Promise<void> {
  await change(id, at.toISOString());
  notify.success(wordsOf(snoozeWords).reminderSet({ when: timeInWords(at) }));
}

/** Removes the reminder of a message. Tells the person about a failure. */
export async function removeReminder(id: string): Promise<void> {
  try {
    await change(id, null);
    notify.success(wordsOf(snoozeWords).reminderRemoved);
  } catch (error) {
    notify.error(error);
  }
}

async function change(id: string, at: string | null): Promise<void> {
  const { remind_at } = await api(remindMe, { params: { id }, body: { at } });
  for (const key of [mailKeys.detail(id), mailKeys.alone(id)]) {
    patchLoaded(queryClient, key, (email) => ({ ...email, remind_at }));
  }
}
