import type { DraftDto } from '@selvage/core/contracts/drafts';
import { notify } from '../../../components/feedback/notify.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { uniqueId } from '../../../lib/unique-id.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import { currentSubject } from '../../../lib/session.ts';
import { type Composition, isChanged, isDraftChanged, isWritten } from './composition.ts';
import { keepTimes } from './draft-times.ts';
import { removeDraftOf, saveAsDraft } from './server-drafts.ts';
import { keepMessage, takeKept } from './kept-messages.ts';
import { lostFiles } from './lost-files.ts';
import { sayChanged, tabId } from './tabs.ts';
import { dropMessage, findMessage, holdMessage, messages, type OpenMessage, showMessage } from './windows.ts';
import { refreshUnsent, openUnsent, openDraft, openSavedDraft, takeMessage } from './unsent.ts';

/**
 * Closes the window of a message. A written message becomes a draft, and this browser keeps it
 * until the server has it. An empty message is dropped.
 */
export async function closeMessage(message: OpenMessage): Promise<void> {
  message.takeText?.();
  holdMessage(message);
  // Pictures and files that are still being attached are included
  await message.preparing;
  if (isTakenUp(message)) return;
  const composition = message.composition.get();
  if (!isWritten(composition) || isEmptyAgain(composition) || isOnServer(message)) {
    await closeUnchanged(message);
    return;
  }
  message.isParked = true;
  await message.keeper.keepAgain();
  sayChanged();
  // While it is not known whether the message was sent, it must not become a draft, which the
  // person might send again
  const canBeDraft = composition.attempt === null && message.state.get().phase === 'writing';
  const outcome = canBeDraft ? await saveAsDraft(message) : { problem: '' };
  // By now the person may have opened it again, or another person may be logged in
  if (!message.isShown && composition.owner === currentSubject()) {
    if ('draft' in outcome) saySaved(message, outcome, lostFiles(composition, outcome.draft));
    else sayKeptHere(message, outcome.problem);
  }
  await refreshUnsent();
}

/** Whether the person has opened a message again, or discarded it, since it was closed. */
function isTakenUp(message: OpenMessage): boolean {
  return message.isShown || !messages.get().includes(message);
}

/** Whether autosave made the message a draft, and it is again as it was when it began. */
function isEmptyAgain(composition: Composition): boolean {
  const { origin } = composition;
  return origin.kind === 'draft' && origin.begunAs !== undefined && !isChanged(composition);
}

/** Whether the server's draft is the same as the message, so that this browser need not keep it. */
function isOnServer({ composition, saver }: OpenMessage): boolean {
  const now = composition.get();
  return now.origin.kind === 'draft' && !isDraftChanged(now) && !saver.isBehind();
}

/**
 * Closes a message without changes. If autosave made it a draft and the person has taken all
 * changes back, the draft is deleted, unless it was changed elsewhere.
 */
async function closeUnchanged(message: OpenMessage): Promise<void> {
  await message.saver.settle();
  // A save may have taken its time
  if (isTakenUp(message)) return;
  const { origin, owner, subject } = message.composition.get();
  const isDeleted = origin.kind === 'draft' && origin.begunAs !== undefined;
  if (!isDeleted) keepTimes(message.composition.get());
  dropMessage(message);
  await message.keeper.forget();
  if (isDeleted) await removeDraftOf(message);
  else if (origin.kind === 'draft' && isUnscheduled(message) && owner === currentSubject()) {
    saySaved(message, { draft: { _id: origin.draftId, subject }, isCopy: false });
  }
  await refreshUnsent();
}

/**
 * Whether the message had a time to be sent, and nothing sends it then. A scheduled message is
 * taken back before it is edited.
 */
function isUnscheduled({ composition, state }: OpenMessage): boolean {
  const { sendAt, attempt } = composition.get();
  return Boolean(sendAt) && attempt === null && state.get().phase === 'writing';
}

interface Saved {
  draft: Pick<DraftDto, '_id' | 'subject'>;
  isCopy: boolean;
}

/** `lost` says which files are not in the draft. */
function saySaved(message: OpenMessage, { draft, isCopy }: Saved, lost: readonly string[] = []): void {
  const t = wordsOf(unsentWords);
  const saved = isCopy ? t.savedAsCopy : t.savedAsDraft;
  const all = [saved, ...(isUnscheduled(message) ? [t.noLongerScheduled] : []), ...lost];
  notify.info(all.join(' '), { label: t.open, run: () => void openSavedDraft(draft) });
}

/** Says that a closed message stays in this browser, and why it is no draft of the server. */
function sayKeptHere(message: OpenMessage, problem: string): void {
  const isSafe = message.keeping.get() !== 'memory';
  if (isSafe && message.state.get().phase === 'writing') dropMessage(message);
  const t = wordsOf(unsentWords);
  const { owner, id } = message.composition.get();
  const kept = isSafe ? t.keptHere : t.keptInTab;
  const text = problem ? t.notSaved({ problem, kept }) : kept;
  notify.info(isUnscheduled(message) ? `${text} ${t.noLongerScheduled}` : text, {
    label: t.open,
    run: () => void openUnsent({ owner, id }),
  });
}

/**
 * Discards an open message and its draft. If the draft was changed elsewhere, the window asks the
 * person which of the two to keep.
 */
export async function discardMessage(message: OpenMessage): Promise<void> {
  await message.saver.settle();
  const removal = await removeDraftOf(message);
  if (removal === 'removed') await forgetMessage(message);
  if (removal === 'changed' && !message.isShown) showMessage(message);
  await refreshUnsent();
}

/** Removes the message and its files from this browser. */
async function forgetMessage(message: OpenMessage): Promise<void> {
  message.takeText = null;
  dropMessage(message);
  await message.keeper.forget();
}

/** Discards the changes made here, and opens the draft as it was saved elsewhere. */
export async function takeOther(message: OpenMessage): Promise<void> {
  const { origin, owner, subject, sendAt, remindAt } = message.composition.get();
  if (origin.kind !== 'draft') return;
  await forgetMessage(message);
  await openDraft({ draftId: origin.draftId, subject, owner, id: uniqueId(), sendAt, remindAt });
}

/**
 * Throws away an unsent message and its draft, unless another tab has opened it. What autosave has
 * put among the drafts of the server is part of what was written.
 */
export async function discardUnsent(place: Pick<Composition, 'owner' | 'id'>): Promise<void> {
  const message = findMessage(place.id) ?? (await takeMessage(place));
  if (message) await discardMessage(message);
  else await refreshUnsent();
}

/** How many unsent messages the person has in this tab and in this browser. */
export async function unsentOfOwner(): Promise<number> {
  const all = await refreshUnsent();
  return all.length + shownOfOwner().filter(({ composition }) => isWritten(composition.get())).length;
}

/**
 * Discards all unsent messages of the person, except those that other tabs have open. A draft that
 * was changed elsewhere stays on the server.
 */
export async function discardAll(): Promise<void> {
  for (const message of messages.get().filter(isOfOwner)) {
    await message.saver.settle();
    if ((await removeDraftOf(message)) !== 'failed') await forgetMessage(message);
  }
  for (const { composition } of await refreshUnsent()) {
    if (findMessage(composition.id)) continue;
    const message = await takeMessage(composition);
    if (!message) continue;
    await message.saver.settle();
    await removeDraftOf(message);
    // The next person at this device must not find it, even if its draft could not be deleted
    await forgetMessage(message);
  }
}

/**
 * Keeps all unsent messages of the person for later. The app does not offer them by itself then.
 */
export async function parkAll(): Promise<void> {
  for (const message of shownOfOwner()) {
    message.isParked = true;
    await message.keeper.keepAgain();
  }
  for (const { composition, isParked } of await refreshUnsent()) {
    if (isParked || findMessage(composition.id)) continue;
    const kept = await takeKept(composition, tabId);
    if (kept) await keepMessage({ ...kept, isParked: true }, false);
  }
}

function shownOfOwner(): OpenMessage[] {
  return messages.get().filter((message) => message.isShown && isOfOwner(message));
}

function isOfOwner({ composition }: OpenMessage): boolean {
  return composition.get().owner === currentSubject();
}
