import { snooze } from '@selvage/core/contracts/snooze';
import { api } from '../../lib/api.ts';
import { untilNoneIsLeft } from '../../lib/changed-in-part.ts';
import { inParts } from '../../lib/in-parts.ts';
import { expectNotice } from '../../lib/own-changes.ts';
import { serverNow } from '../../lib/server-clock.ts';

/** A message with the end of its sleep before a change: ISO 8601, or null. */
export interface Slept {
  _id: string;
  until: string | null;
}

interface Asked {
  ids: string[];
  until: string | null;
  isWhole: boolean;
  as: string | null;
}

async function call({ ids, until, isWhole, as }: Asked) {
  const forget = expectNotice();
  try {
    const body = { email_id: ids, until, ...(isWhole && { whole_threads: true }) };
    const answer = await api(snooze, { body, as });
    // The server announces no change that changes nothing
    if (answer.touched.length === 0) forget();
    return answer;
  } catch (error) {
    forget();
    throw error;
  }
}

/** Snoozes messages, or wakes them where `until` is null. */
export async function setSnooze(ids: string[], until: string | null, as: string | null): Promise<void> {
  await call({ ids, until, isWhole: false, as });
}

/** As `setSnooze`, for the conversations that messages stand for. Returns the changed messages. */
export async function setSnoozeOfThreads(
  ids: string[],
  until: string | null,
  as: string | null,
): Promise<{ slept: Slept[] }> {
  const slept: Slept[] = [];
  return await untilNoneIsLeft({ slept }, slept, async () => {
    const answer = await call({ ids, until, isWhole: true, as });
    slept.push(...answer.touched);
    return { isLeft: answer.is_left };
  });
}

/** Restores the former times of messages. One whose former time is over wakes. */
export async function takeBackSnooze(slept: readonly Slept[], as: string | null): Promise<void> {
  const former = ({ until }: Slept) => (until !== null && Date.parse(until) > serverNow() ? until : null);
  for (const [until, rows] of Map.groupBy(slept, former)) {
    const ids = rows.map(({ _id }) => _id);
    await inParts(ids, (part) => setSnooze(part, until, as));
  }
}
