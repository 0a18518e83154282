import { readStored } from '../../../lib/read-stored.ts';
import { OF_UNSENT } from '../../../lib/storage-keys.ts';
import { isAhead, rememberedTime } from '../send-times.ts';
import type { Composition } from './composition.ts';

/*
 * When a closed draft was to be sent, and its reminder. The drafts of the server have neither, so
 * this browser keeps both until they have passed, by the person and the id of the draft, without
 * any text. They stay through a logout, as unsent messages do.
 */

const KEY = `${OF_UNSENT}-times`;

interface DraftTimes {
  sendAt: string | null;
  remindAt: string | null;
}

const keyOf = (owner: string, draftId: string): string => `${owner}/${draftId}`;

/** The times of a draft that are still ahead. */
export function timesOf(owner: string, draftId: string): DraftTimes {
  return aheadOf(readStored(KEY)[keyOf(owner, draftId)]);
}

/** Keeps the times of a message that is a draft of the server and leaves this tab. */
export function keepTimes({ owner, origin, sendAt, remindAt }: Composition): void {
  if (origin.kind !== 'draft') return;
  const all = { ...readStored(KEY), [keyOf(owner, origin.draftId)]: { sendAt, remindAt } };
  const ahead = Object.entries(all)
    .map(([key, stored]) => [key, aheadOf(stored)] as const)
    .filter(([, times]) => times.sendAt !== null || times.remindAt !== null);
  try {
    if (ahead.length > 0) localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(ahead)));
    else localStorage.removeItem(KEY);
  } catch {
    // The device is full. The person is told that the message is not scheduled
  }
}

function aheadOf(stored: unknown): DraftTimes {
  const [sendAt, remindAt] = [timeIn(stored, 'sendAt'), timeIn(stored, 'remindAt')];
  return { sendAt: rememberedTime({ sendAt }) && sendAt, remindAt: isAhead(remindAt) ? remindAt : null };
}

function timeIn(stored: unknown, name: keyof DraftTimes): string | null {
  const time: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : null;
  return typeof time === 'string' ? time : null;
}
