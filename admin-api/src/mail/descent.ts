import { isContentLost } from '@selvage/core/errors';
import type { ComposedAttachment } from '@selvage/core/mail/compose-message';
import { type MessageSummary, MessageTooComplex } from '@selvage/core/mail/parsed-message';
import { blobOf, type EntryWithMessage, findEntry } from '@selvage/core/mailstore/find-entry';
import type { Draft } from '@selvage/core/models/draft';
import type { SignedIn } from '../http/request-context.ts';
import type { Original } from './composed.ts';
import { forwardedFiles } from './message-files.ts';

/** The conversation that a reply belongs to (D21), and the files that a forward carries. */
interface Descent {
  inReplyTo: string | null;
  references: string[];
  files: ComposedAttachment[];
  isForwarded: boolean;
}

const noDescent: Descent = { inReplyTo: null, references: [], files: [], isForwarded: false };

/**
 * A draft is sent as the answer or the forward that it is, even when the message that it answers is
 * gone. The files of a forward belong to the draft by now.
 */
export async function descentOfDraft(ctx: SignedIn, draft: Draft): Promise<Descent> {
  const { entryId, originalEntryId, isReply } = draft;
  if (entryId) {
    const item = await findEntry(ctx, { userId: ctx.actor.userId, entryId: String(entryId) });
    const { inReplyTo, references } = await readAncestry(ctx, item);
    return { ...noDescent, inReplyTo, references, isForwarded: item.message.isForwarded };
  }
  if (draft.referenceIds !== null) {
    const isForwarded = originalEntryId !== null && !isReply;
    return { ...noDescent, inReplyTo: draft.inReplyTo, references: draft.referenceIds, isForwarded };
  }
  // A draft from before drafts had bytes or references of their own
  const original = isReply && originalEntryId ? { entryId: String(originalEntryId), isReply } : null;
  return await descentOf(ctx, original, new Set());
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
  if (!original.isReply) {
    return { ...noDescent, files: await forwardedFiles(ctx, item, without), isForwarded: true };
  }
  const parsed = await readAncestry(ctx, item);
  const inReplyTo = parsed.messageIdHeader;
  // RFC 5322 3.6.4: the references of the original, or its In-Reply-To, then the original itself
  const earlier = parsed.references.length > 0 ? parsed.references : parsed.inReplyTo ? [parsed.inReplyTo] : [];
  return { ...noDescent, inReplyTo, references: inReplyTo ? [...earlier, inReplyTo] : earlier };
}

/** An original that can't be read, or takes too much, is answered with what its row says. */
async function readAncestry(
  ctx: SignedIn,
  { message }: EntryWithMessage,
): Promise<Pick<MessageSummary, 'messageIdHeader' | 'references' | 'inReplyTo'>> {
  try {
    return await ctx.app.content.summarise(blobOf(message), `user:${ctx.actor.userId}`);
  } catch (error) {
    if (!(error instanceof MessageTooComplex) && !isContentLost(error)) throw error;
    return { messageIdHeader: message.messageIdHeader, references: [], inReplyTo: null };
  }
}
