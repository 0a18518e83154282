import type { ComposedAttachment } from '@selvage/core/mail/compose-message';
import { type Ancestry, ancestryOfAnswer, ancestryOfDraft } from '@selvage/core/mailstore/ancestry';
import { findEntry } from '@selvage/core/mailstore/find-entry';
import type { Draft } from '@selvage/core/models/draft';
import type { SignedIn } from '../http/request-context.ts';
import type { Original } from './composed.ts';
import { forwardedFiles } from './message-files.ts';

/** The conversation that a reply belongs to (D21), and the files that a forward carries. */
interface Descent extends Ancestry {
  files: ComposedAttachment[];
  isForwarded: boolean;
}

const noDescent: Descent = { inReplyTo: null, references: [], files: [], isForwarded: false };

/**
 * The conversation that a draft continues. `files` is empty, since the draft already has the files
 * of a forward.
 */
export async function descentOfDraft(ctx: SignedIn, draft: Draft): Promise<Descent> {
  return { ...(await ancestryOfDraft(ctx, draft)), files: [] };
}

/** The message that a draft answers or forwards; null when there is none. */
export function originalOfDraft({ originalEntryId, isReply }: Draft): Original | null {
  return originalEntryId === null ? null : { entryId: String(originalEntryId), isReply };
}

/**
 * What a message that answers or forwards another one takes over from it.
 * @throws 404 when the caller has no such message
 */
export async function descentOf(
  ctx: SignedIn,
  original: Original | null,
  without: ReadonlySet<string>,
): Promise<Descent> {
  if (!original) return noDescent;
  const item = await findEntry(ctx, { userId: ctx.actor.userId, entryId: original.entryId });
  if (original.isReply) return { ...noDescent, ...(await ancestryOfAnswer(ctx, item)) };
  const { withPictures = false } = original;
  return { ...noDescent, files: await forwardedFiles(ctx, item, { without, withPictures }), isForwarded: true };
}
