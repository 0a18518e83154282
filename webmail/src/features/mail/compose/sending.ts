import { notify } from '../../../components/feedback/notify.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import type { Composition } from './composition.ts';
import { postMessage } from './finished-message.ts';
import {
  askOutcome,
  askUntilKnown,
  createPatience,
  type Outcome,
  outcomeOfSending,
  type Patience,
  type Sent,
} from './send-outcome.ts';
import { leaveDraft } from './lost-files.ts';
import { currentOwner } from './owner.ts';
import { removeUnknownDraft } from './server-drafts.ts';
import { announceSent } from './sent-messages.ts';
import { openUnsent, refreshUnsent, replaceByDraft } from './unsent.ts';
import { dropMessage, messages, type OpenMessage } from './windows.ts';

/*
 * Sending a message:
 *
 *   writing -- send --> sending --- the server has it -------------> gone
 *      ^                  |  \----- the server refuses it, or a file is missing --> writing
 *      |                  no answer
 *      |                  v
 *      +-- not sent ---- asking --- the server has it -------------> gone
 *
 * A message that is gone can be taken back for a moment.
 *
 * A message goes under its key, whatever is changed in it, until the person says that it is to be
 * sent once more. So what the server has got without our knowing is never sent a second time in
 * silence. What is known is kept with the message: a tab that comes after a crash goes on asking.
 */

const LONGEST_KEEP_MS = 2_000;
const patience = new WeakMap<OpenMessage, Patience>();

/**
 * Sends a message, and sees to what becomes of it.
 * @param sendAt when it is to leave, ISO 8601; null for at once
 */
export async function sendMessage(message: OpenMessage, sendAt: string | null): Promise<void> {
  message.state.set({ phase: 'sending', progress: null });
  const problems = await prepare(message);
  if (problems.length > 0) {
    update(message, { sendAt });
    await conclude(message, { kind: 'refused', text: problems.join(' ') });
    return;
  }
  message.takeText?.();
  update(message, { attempt: { isChanged: false }, sendAt });
  // a crash from here on must leave the word that it was sent off; a browser that keeps nothing
  // must not hold it up
  await Promise.race([message.keeper.flush(), new Promise((resolve) => setTimeout(resolve, LONGEST_KEEP_MS))]);
  const outcome = await post(message);
  await conclude(message, outcome.kind === 'unknown' ? await learn(message, outcome.text) : outcome);
}

/**
 * Waits for what is on its way into a message, and into its draft. Gives why files were left out
 * meanwhile: the person has not read that, and may not want to send the message without them.
 */
async function prepare({ preparing, saver, fileProblems }: OpenMessage): Promise<string[]> {
  const known = new Set(fileProblems.get());
  await preparing;
  // What is sent must be the draft that it is becoming, or the draft would stay
  await saver.settle();
  return fileProblems.get().filter((problem) => !known.has(problem));
}

/** Goes on asking about a message that was sent off before this page was opened. */
export async function resumeAsking(message: OpenMessage): Promise<void> {
  await conclude(message, await learn(message, wordsOf(unsentWords).noAnswer));
}

/** Asks the server now rather than after the wait. */
export function askNow(message: OpenMessage): void {
  patience.get(message)?.wake();
}

/** Sends a message whose key was used: the person knows that, and wants it sent once more. */
export async function sendAgain(message: OpenMessage): Promise<void> {
  update(message, { key: uniqueId() });
  await sendMessage(message, message.composition.get().sendAt ?? null);
}

async function post(message: OpenMessage): Promise<Outcome> {
  const composition = message.composition.get();
  const hasFiles = composition.files.length > 0;
  const onProgress = (share: number): void => {
    if (hasFiles && message.state.get().phase === 'sending') message.state.set({ phase: 'sending', progress: share });
  };
  try {
    return { kind: 'sent', sent: await postMessage(composition, { files: message.files, onProgress }) };
  } catch (error) {
    message.saver.noteRefusal(error);
    // the address in From was taken away: its field says so with the next answer
    if (error instanceof ApiError && error.fields['from']) {
      void queryClient.invalidateQueries({ queryKey: currentUserKey });
    }
    return outcomeOfSending(error);
  }
}

/** Asks until it is known; null when the person is gone. */
async function learn(message: OpenMessage, text: string): Promise<Outcome | null> {
  const composition = message.composition.get();
  const waits = createPatience();
  patience.set(message, waits);
  message.state.set({ phase: 'asking' });
  const isOver = (): boolean => currentOwner() !== composition.owner || !messages.get().includes(message);
  return askUntilKnown({ ask: () => askOutcome(composition, text), wait: waits.wait, isOver });
}

async function conclude(message: OpenMessage, outcome: Outcome | null): Promise<void> {
  if (outcome === null || outcome.kind === 'unknown') {
    message.say(null);
    return;
  }
  if (outcome.kind === 'sent') {
    await finish(message, outcome.sent);
    return;
  }
  if (outcome.kind === 'used' && outcome.draftId !== null && message.composition.get().attempt?.isTakenBack) {
    await goOnAsDraft(message, outcome.draftId, outcome.text);
    return;
  }
  const t = wordsOf(unsentWords);
  update(message, { attempt: null });
  if (outcome.kind === 'used') message.state.set({ phase: 'writing', problem: outcome.text, asks: 'again' });
  else message.say(t.nothingSent({ reason: outcome.text }));
  if (message.isShown) return;
  await message.keeper.flush();
  tellUnsent(message.composition.get(), outcome.text);
}

/** Its page ended before its undo was answered. The draft that it has become has all of it. */
async function goOnAsDraft(message: OpenMessage, draftId: string, text: string): Promise<void> {
  await replaceByDraft(message, draftId);
  const composition = message.composition.get();
  if (message.isShown) {
    await openUnsent(composition);
    return;
  }
  await refreshUnsent();
  tellUnsent(composition, text);
}

/** A message that was closed meanwhile was not sent after all. */
function tellUnsent({ subject, owner, id }: Pick<Composition, 'subject' | 'owner' | 'id'>, reason: string): void {
  // another person may be signed in by now
  if (owner !== currentOwner()) return;
  const t = wordsOf(unsentWords);
  notify.failure(t.closedUnsent({ subject: subject || t.noSubject, reason }), {
    label: t.open,
    run: () => void openUnsent({ owner, id }),
  });
}

async function finish(message: OpenMessage, sent: Sent): Promise<void> {
  message.takeText?.();
  const composition = message.composition.get();
  void queryClient.invalidateQueries({ queryKey: ['mail'] });
  announceSent(sent, { composition, files: message.files });
  if (composition.attempt?.isChanged) {
    // The draft is gone once it was sent. One that a save without an answer has made is there, and
    // the message goes on as that
    const unanswered = composition.origin.kind === 'draft' ? null : composition.unanswered;
    leaveDraft(message);
    update(message, { key: uniqueId(), attempt: null, unanswered });
    message.say(wordsOf(unsentWords).sentBeforeChange);
    return;
  }
  message.isShown = false;
  dropMessage(message);
  await message.keeper.forget();
  await refreshUnsent();
  await removeUnknownDraft(message);
}

/** A change that is not the person's. */
function update({ composition }: OpenMessage, change: Partial<Composition>): void {
  composition.set({ ...composition.get(), ...change });
}
