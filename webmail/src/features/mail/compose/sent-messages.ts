import { undoSend } from '@selvage/core/contracts/mail';
import { atom } from 'nanostores';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/api-error.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { currentSubject } from '../../../lib/session.ts';
import { mayOpenDrafts } from '../may-open-drafts.ts';
import type { Composition } from './composition.ts';
import { askOutcome, askUntilKnown, createPatience, type Sent } from './send-outcome.ts';
import { forgetKept, keepMessage } from './kept-messages.ts';
import { tabId } from './tabs.ts';
import { openDraft, reopen } from './unsent.ts';

/** A message that was just sent, as it was written. */
export interface Written {
  composition: Composition;
  files: Map<string, File>;
}

/** A sent message that can still be taken back, or that has a notice. */
export interface SentMessage extends Written {
  id: string;
  /** When the server sends it, by the server's clock; milliseconds since 1970. */
  until: number;
  /** How long it was held in all; milliseconds. */
  heldMs: number;
  /** Until when the notice is shown: `until`, except for a scheduled message. */
  shownUntil: number;
  /** When the person sent it, by `performance.now()`. */
  doneAt: number;
  isScheduled: boolean;
  phase: 'counting' | 'undoing' | 'asking' | 'late';
}

/** The oldest first. */
export const sentMessages = atom<readonly SentMessage[]>([]);

const LATE_SHOWN_MS = 6_000;
const SCHEDULED_SHOWN_MS = 10_000;

/**
 * Offers to take a message back. When it is too late for that, it only says that the message was
 * sent.
 */
export function announceSent(sent: Sent, written: Written): void {
  const { _id: id, undo_until, undo_ms: heldMs } = sent;
  if (written.composition.owner !== currentSubject()) return;
  const until = Date.parse(undo_until);
  if (until > serverNow()) {
    const isScheduled = sent.scheduled_for !== null;
    const shownUntil = isScheduled ? Math.min(until, serverNow() + SCHEDULED_SHOWN_MS) : until;
    const times = { until, heldMs, shownUntil, doneAt: performance.now() };
    const announced: SentMessage = { ...written, id, ...times, isScheduled, phase: 'counting' };
    sentMessages.set([...sentMessages.get(), announced]);
  } else notify.success(wordsOf(unsentWords).wasSent);
}

export function dismissSent(id: string): void {
  sentMessages.set(sentMessages.get().filter((sent) => sent.id !== id));
}

/** Whether a message has left: it may have been taken back in another window. */
export async function hasLeft({ composition }: SentMessage): Promise<boolean> {
  const { kind } = await askOutcome(composition, '');
  return kind === 'sent';
}

function setPhase(id: string, phase: SentMessage['phase']): void {
  sentMessages.set(sentMessages.get().map((sent) => (sent.id === id ? { ...sent, phase } : sent)));
}

/** Takes a message back and opens it again, as the draft that it has become. */
export async function undoSent(sent: SentMessage): Promise<void> {
  const { id } = sent;
  // Under a new id, because the record of the sent message may still be in deletion
  const composition = { ...sent.composition, id: uniqueId() };
  setPhase(id, 'undoing');
  const forget = keepMeanwhile(composition);
  try {
    const { draft_id: draftId } = await api(undoSend, { params: { id }, as: composition.owner });
    dismissSent(id);
    if (mayOpenDrafts()) await openAs(composition, draftId);
    else {
      reopenHere(sent);
      await forget();
    }
  } catch (error) {
    if (isTooLate(error)) {
      sayLate(id);
      await forget();
    } else if (await learnUndone(sent, composition, error)) await forget();
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['mail'] });
  }
}

/**
 * Opens a message that was taken back from the copy here, for a person who may not open its draft.
 * It is another message to the server.
 */
function reopenHere({ composition, files }: Written): void {
  reopen({ ...composition, id: uniqueId(), key: uniqueId(), attempt: null }, files);
}

/** Opens the draft that a message has become. It is kept in the place of the message. */
async function openAs({ subject, owner, id, sendAt, remindAt }: Composition, draftId: string): Promise<void> {
  await openDraft({ draftId, subject, owner, id, sendAt, remindAt });
}

/**
 * Records that a message is being taken back, until the returned function is called. If the page
 * ends before the server answers, the next page asks for the outcome.
 */
function keepMeanwhile(composition: Composition): () => Promise<void> {
  const asked: Composition = { ...composition, attempt: { isChanged: false, isTakenBack: true } };
  // A browser that keeps nothing must not delay the undo
  const kept = keepMessage({ composition: asked, holder: tabId, keptAt: Date.now(), isParked: false }, true).catch(
    () => undefined,
  );
  return async () => {
    await kept;
    await forgetKept(composition).catch(() => undefined);
  };
}

/**
 * The times that a message keeps when it is taken back: when it was to be sent, and its reminder.
 * ISO 8601.
 */
interface Times {
  sendAt?: string | null;
  remindAt: string | null;
}

/**
 * As `undoSent`, for a message that was sent before this page was opened. True when it was taken
 * back.
 */
export async function undoById(id: string, subject: string, { sendAt = null, remindAt }: Times): Promise<boolean> {
  const owner = currentSubject();
  if (owner === null) return false;
  try {
    const { draft_id: draftId } = await api(undoSend, { params: { id }, as: owner });
    dismissSent(id);
    await openDraft({ draftId, subject, owner, id: uniqueId(), sendAt, remindAt });
    return true;
  } catch (error) {
    notify.failure(isTooLate(error) ? wordsOf(unsentWords).tooLate : messageOf(error));
    return false;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['mail'] });
  }
}

function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'too_late_to_undo';
}

function sayLate(id: string): void {
  setPhase(id, 'late');
  setTimeout(() => dismissSent(id), LATE_SHOWN_MS);
}

/**
 * No answer came to the undo, so the page asks the server whether it was done. If so, the message
 * continues as its draft, or from the copy here when the draft is gone. False when the record of
 * the message must stay.
 */
async function learnUndone(sent: SentMessage, composition: Composition, error: unknown): Promise<boolean> {
  const { id, shownUntil, files } = sent;
  setPhase(id, 'asking');
  const outcome = await askUntilKnown({
    ask: () => askOutcome(composition, ''),
    wait: createPatience().wait,
    isOver: () => currentSubject() !== composition.owner,
  });
  if (outcome === null) return false;
  if (outcome.kind === 'used') {
    dismissSent(id);
    if (outcome.draftId !== null) {
      await openAs(composition, outcome.draftId);
      return false;
    }
    reopenHere({ composition, files });
  } else if (outcome.kind === 'sent' && shownUntil > serverNow()) {
    setPhase(id, 'counting');
    notify.error(error);
  } else sayLate(id);
  return true;
}
