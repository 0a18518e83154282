import { atom } from 'nanostores';
import { currentSubject, subscribeToSession } from '../../../lib/session.ts';
import { composeRequests } from './compose-store.ts';
import { forgetOld } from './kept-messages.ts';
import { resumeAsking } from './sending.ts';
import { sentMessages } from './sent-messages.ts';
import { joinTabs } from './tabs.ts';
import { refreshUnsent, takeMessage, type Unsent } from './unsent.ts';
import { dropMessage, findMessage, holdMessage, messages, type OpenMessage } from './windows.ts';

/**
 * Whether messages that were interrupted are offered: after a reload, a crash, or a session that
 * ended.
 */
export const isOffered = atom(false);

let owner: string | null = null;
let isFollowing = false;

/**
 * Follows logins and logouts, and other tabs, for the messages that are being written. Called once
 * for each page.
 */
export function followPerson(): void {
  if (isFollowing) return;
  isFollowing = true;
  joinTabs({
    openIds: () => messages.get().map(({ composition }) => composition.get().id),
    onTaken: (id) => findMessage(id)?.keeper.lose(),
    onChanged: () => void refreshUnsent(),
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refreshUnsent();
    else for (const { keeper } of messages.get()) void keeper.flush();
  });
  window.addEventListener('pagehide', () => {
    for (const { keeper } of messages.get()) keeper.flushNow();
  });
  subscribeToSession(checkOwner);
  checkOwner();
  // The next start of the page tries again
  forgetOld().catch(() => undefined);
}

function checkOwner(): void {
  const next = currentSubject();
  if (next === owner) return;
  if (owner !== null) leave(owner);
  owner = next;
  if (next !== null) void arrive();
}

/**
 * When a person logs out, their messages leave the screen and wait in this browser until they log
 * in again.
 */
function leave(person: string): void {
  isOffered.set(false);
  composeRequests.set([]);
  sentMessages.set([]);
  for (const message of messages.get()) if (message.composition.get().owner === person) void putAway(message);
  void refreshUnsent();
}

async function putAway(message: OpenMessage): Promise<void> {
  message.takeText?.();
  holdMessage(message);
  await message.keeper.flush();
  // A message that this browser can't keep, or that is being sent, stays in the tab
  const isSafe = message.keeping.get() !== 'memory' && message.state.get().phase !== 'sending';
  if (isSafe && !message.isShown) dropMessage(message);
}

async function arrive(): Promise<void> {
  const all = await refreshUnsent();
  const isSentOff = ({ composition }: Unsent): boolean => composition.attempt !== null;
  if (all.some((one) => !one.isParked && !isSentOff(one))) isOffered.set(true);
  for (const one of all.filter(isSentOff)) await learnAbout(one);
}

/**
 * A message that was sent by a page that has ended since: asks the server about it without a
 * question to the person.
 */
async function learnAbout({ composition }: Unsent): Promise<void> {
  const message = findMessage(composition.id) ?? (await takeMessage(composition).catch(() => null));
  if (!message) return;
  if (!message.isShown) holdMessage(message);
  if (message.state.get().phase === 'writing') void resumeAsking(message);
}
