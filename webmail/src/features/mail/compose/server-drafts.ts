import { type DraftDto, removeDrafts } from '@selvage/core/contracts/drafts';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { currentSubject } from '../../../lib/session.ts';
import { keepTimes } from './draft-times.ts';
import { reasonOf } from './send-outcome.ts';
import { dropMessage, type OpenMessage } from './windows.ts';

/*
 * Drafts of the server. A closed message becomes one, so that it can be finished on another device.
 * This browser keeps the message until the server has it.
 */

/**
 * The outcome of saving a closed message; `problem` says why it failed, in words for the person.
 */
export type DraftOutcome = { draft: DraftDto; isCopy: boolean } | { problem: string };

/** Makes a closed message a draft of the server, and lets go of it unless it is open again. */
export async function saveAsDraft(message: OpenMessage): Promise<DraftOutcome> {
  // A save may be making a draft of it
  await message.saver.settle();
  try {
    // An earlier save without an answer must be settled first
    if (message.composition.get().unanswered) await message.saver.post(false);
    const saved = await save(message);
    void queryClient.invalidateQueries({ queryKey: ['mail'] });
    if (!message.isShown && isSaved(message)) {
      keepTimes(message.composition.get());
      dropMessage(message);
      await message.keeper.forget();
    }
    return saved;
  } catch (error) {
    // The record must hold the save that was not answered
    await message.keeper.flush();
    return { problem: reasonOf(error) };
  }
}

function isSaved({ saver, composition }: OpenMessage): boolean {
  return saver.savedAs(composition.get()) !== null;
}

/** When two windows change one draft, the later one makes a separate draft. */
async function save({ saver, composition }: OpenMessage): Promise<{ draft: DraftDto; isCopy: boolean }> {
  const known = saver.savedAs(composition.get());
  if (known) return { draft: known, isCopy: false };
  try {
    return { draft: await saver.post(false), isCopy: false };
  } catch (error) {
    const isOvertaken =
      error instanceof ApiError && (error.code === 'changed_meanwhile' || error.code === 'draft_not_found');
    if (!isOvertaken) throw error;
    return { draft: await saver.post(true), isCopy: true };
  }
}

interface DraftVersion {
  draftId: string;
  version?: number | undefined;
}

/** `changed`: the draft was changed elsewhere since it was loaded here, so it stays. */
type Removal = 'removed' | 'changed' | 'failed';

/**
 * Deletes the draft of a message for good. A draft that is gone already counts as deleted. Tells
 * the person why it failed, unless the draft was changed elsewhere.
 */
export async function removeDraftOf({ composition, saver }: OpenMessage): Promise<Removal> {
  const { origin, owner } = composition.get();
  if (origin.kind !== 'draft') return 'removed';
  try {
    await remove(owner, origin);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'draft_not_found') {
      if (saver.noteOvertaken(error)) return 'changed';
      // Another person may be logged in by now
      if (owner === currentSubject()) notify.error(error);
      return 'failed';
    }
  }
  void queryClient.invalidateQueries({ queryKey: ['mail'] });
  return 'removed';
}

/**
 * Deletes the draft that a save may have made of a message that was sent since, where that save was
 * not answered.
 */
export async function removeUnknownDraft({ composition, saver }: OpenMessage): Promise<void> {
  try {
    const draft = await saver.learnDraft();
    if (!draft) return;
    await remove(composition.get().owner, { draftId: draft._id, version: draft.version });
    void queryClient.invalidateQueries({ queryKey: ['mail'] });
  } catch {
    // The message was sent. If its draft is left over, the person can delete it
  }
}

async function remove(owner: string, { draftId, version }: DraftVersion): Promise<void> {
  const versions = version ? { [draftId]: version } : {};
  await api(removeDrafts, { body: { draft_ids: [draftId], versions }, as: owner });
}
