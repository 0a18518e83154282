import type { Ctx } from '../context/context.ts';
import { AppError } from '../errors.ts';
import { isUnreadable, type MessageSummary } from '../mail/parsed-message.ts';
import type { Draft } from '../models/draft.ts';
import { blobOf, type EntryWithMessage, findEntry } from './find-entry.ts';

/** The place of a message in its conversation (D21), by Message-IDs. */
export interface Ancestry {
  inReplyTo: string | null;
  references: string[];
}

/** The place of a draft in its conversation. */
export interface DraftAncestry extends Ancestry {
  isForwarded: boolean;
}

/** RFC 5322 3.6.4: the references of the original, or its In-Reply-To, then the original itself. */
export async function ancestryOfAnswer(ctx: Ctx, original: EntryWithMessage): Promise<Ancestry> {
  const { messageIdHeader: inReplyTo, references, inReplyTo: answered } = await readAncestry(ctx, original);
  const earlier = references.length > 0 ? references : answered ? [answered] : [];
  return { inReplyTo, references: inReplyTo ? [...earlier, inReplyTo] : earlier };
}

/**
 * A draft is sent as the answer or the forward that it is, even when the original message no longer
 * exists.
 */
export async function ancestryOfDraft(ctx: Ctx, draft: Draft): Promise<DraftAncestry> {
  const { originalEntryId, isReply, inReplyTo, referenceIds } = draft;
  const userId = String(draft.userId);
  if (referenceIds !== null) {
    return { inReplyTo, references: referenceIds, isForwarded: originalEntryId !== null && !isReply };
  }
  if (draft.entryId) {
    const item = await findEntry(ctx, { userId, entryId: String(draft.entryId) });
    const { inReplyTo: answered, references } = await readAncestry(ctx, item);
    return { inReplyTo: answered, references, isForwarded: item.message.isForwarded };
  }
  // An old draft, from before drafts had bytes or references of their own
  const original = isReply && originalEntryId ? await findIfThere(ctx, userId, String(originalEntryId)) : null;
  const ancestry = original ? await ancestryOfAnswer(ctx, original) : { inReplyTo: null, references: [] };
  return { ...ancestry, isForwarded: false };
}

async function findIfThere(ctx: Ctx, userId: string, entryId: string): Promise<EntryWithMessage | null> {
  try {
    return await findEntry(ctx, { userId, entryId });
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}

/** If an original can't be read, or is too complex, the answer refers to what its row says. */
async function readAncestry(
  ctx: Ctx,
  { entry, message }: EntryWithMessage,
): Promise<Pick<MessageSummary, 'messageIdHeader' | 'references' | 'inReplyTo'>> {
  try {
    return await ctx.app.content.summarise(blobOf(message), `user:${entry.userId}`);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // A long id was cut when it was stored
    const id = message.messageIdHeader?.endsWith('>') ? message.messageIdHeader : null;
    return { messageIdHeader: id, references: [], inReplyTo: null };
  }
}
