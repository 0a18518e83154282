import { notify } from '../../../components/feedback/notify.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { currentSubject } from '../../../lib/session.ts';
import { type Composition, listNames } from './composition.ts';
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
import { removeUnknownDraft } from './server-drafts.ts';
import { announceSent } from './sent-messages.ts';
import { openUnsent, refreshUnsent, replaceByDraft } from './unsent.ts';
import { dropMessage, messages, type OpenMessage } from './windows.ts';
import { leaveOutUnreadable } from './unreadable-files.ts';

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
 * A message keeps its idempotency key through all changes, until the person decides to send it once
 * more. So a message that reached the server without an answer is never silently sent twice. The
 * state is kept with the message: after a crash, the next tab goes on asking.
 */

const LONGEST_KEEP_MS = 2_000;
const patience = new WeakMap<OpenMessage, Patience>();

/**
 * Sends a message and follows it until its outcome is known.
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
  // A recipient that was typed meanwhile, and is not complete, does not go along
  const { typed } = message.composition.get();
  update(message, { attempt: { isChanged: listNames.some((name) => typed[name].trim() !== '') }, sendAt });
  // The record must say that the message was sent, in case this page crashes. A browser that keeps
  // nothing must not delay the sending
  await Promise.race([message.keeper.flush(), new Promise((resolve) => setTimeout(resolve, LONGEST_KEEP_MS))]);
  const outcome = await post(message);
  await conclude(message, outcome.kind === 'unknown' ? await learn(message, outcome.text) : outcome);
}

/**
 * Waits for files that are being attached, and for a save of the draft. Returns why files were left
 * out meanwhile: the person has not read that yet, and may not want to send the message without
 * them.
 */
async function prepare(message: OpenMessage): Promise<string[]> {
  const { preparing, saver, fileProblems } = message;
  const known = new Set(fileProblems.get());
  await preparing;
  await leaveOutUnreadable(message);
  // The call to send must name the draft that a save is making, or that draft would stay behind
  await saver.settle();
  return fileProblems.get().filter((problem) => !known.has(problem));
}

/** Goes on asking about a message that was sent before this page was opened. */
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
    message.saver.noteOvertaken(error);
    // The person no longer has the address in From. Its field says so after the refetch
    if (error instanceof ApiError && error.fields['from']) {
      void queryClient.invalidateQueries({ queryKey: currentUserKey });
    }
    return outcomeOfSending(error);
  }
}

/** Asks until the outcome is known; null when the person has logged out. */
async function learn(message: OpenMessage, text: string): Promise<Outcome | null> {
  const composition = message.composition.get();
  const waits = createPatience();
  patience.set(message, waits);
  message.state.set({ phase: 'asking' });
  const isOver = (): boolean => currentSubject() !== composition.owner || !messages.get().includes(message);
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

/** The page ended before its undo was answered. The draft that the message became has all of it. */
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

/** Tells the person that a message was not sent, although its window is closed. */
function tellUnsent({ subject, owner, id }: Pick<Composition, 'subject' | 'owner' | 'id'>, reason: string): void {
  // Another person may be logged in by now
  if (owner !== currentSubject()) return;
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
    // The server deletes the draft of a sent message. If an unanswered save has made a draft, that
    // one is still there, and the message continues as that draft
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

/** Changes a composition without a change by the person. */
function update({ composition }: OpenMessage, change: Partial<Composition>): void {
  composition.set({ ...composition.get(), ...change });
}
