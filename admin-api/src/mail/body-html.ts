import { foldQuotes } from '@selvage/core/mail/fold-quotes';
import { fillPictures, type ShownMessage } from '@selvage/core/mail/show-message';
import type { ParsedMessage } from '@selvage/core/mail/parsed-message';
import { textToHtml } from '@selvage/core/mail/text-to-html';
import { blobOf } from '@selvage/core/mailstore/find-entry';
import type { EntryWithFiles, ReadEntry } from '@selvage/core/mailstore/read-entry';
import type { Ctx } from '@selvage/core/context/context';
import { signPath } from './signed-path.ts';

/** A message's text, fit to be shown, and what else its blob says. */
export interface ShownBody {
  html: string;
  hasRemoteContent: boolean;
  replyTo: ParsedMessage['replyTo'];
}

/** Reads and cleans the text of a message (D20). */
export async function showBody(ctx: Ctx, item: EntryWithFiles): Promise<ShownBody> {
  const shown = await ctx.app.content.show(blobOf(item.message));
  return { ...shown, html: withPictures(ctx, item, shown) };
}

/** The same as a page of its own, with long quotes folded away. */
export async function showPage(ctx: Ctx, item: EntryWithFiles): Promise<string> {
  const shown = await ctx.app.content.show(blobOf(item.message));
  return withPictures(ctx, item, { ...shown, html: foldQuotes(shown.html, shown.folds) });
}

function withPictures(ctx: Ctx, item: EntryWithFiles, shown: ShownMessage): string {
  const images = inlineImages(ctx, item);
  return fillPictures(shown, (id) => images.get(id) ?? '');
}

/** Only what the row says: the blob is not read. */
function showPreview({ message }: EntryWithFiles): ShownBody {
  return { html: textToHtml(message.preview), hasRemoteContent: false, replyTo: [] };
}

/** Raw bytes of a conversation that are read at most beside the opened message: about four seconds of work. */
const CONVERSATION_BYTES = 52_428_800;
/** What all texts of an answer take at most together, in characters, beside that of the opened message. */
const SHOWN_CHARACTERS = 8_388_608;

/**
 * The text of a message, then those of its conversation in its order. The newest are shown whole; of older ones that are too
 * much to read, with their files, or to show, the first words. One after the other, so that only one is in memory.
 */
export async function showConversation(ctx: Ctx, item: ReadEntry, bytes = CONVERSATION_BYTES): Promise<ShownBody[]> {
  let left = bytes;
  let room = SHOWN_CHARACTERS;
  const replies: ShownBody[] = [];
  for (const reply of item.conversation.toReversed()) {
    left -= reply.message.size;
    const shown = left >= 0 && room > 0 ? await showBody(ctx, reply) : showPreview(reply);
    room -= shown.html.length;
    replies.push(room >= 0 ? shown : showPreview(reply));
  }
  return [await showBody(ctx, item), ...replies.toReversed()];
}

/** Where the pictures of a message are, by their content id. */
function inlineImages(ctx: Ctx, { entry, attachments }: EntryWithFiles): Map<string, string> {
  const images = new Map<string, string>();
  for (const { contentId, partIndex } of attachments) {
    if (contentId && !images.has(contentId)) images.set(contentId, attachmentPath(ctx, entry, partIndex));
  }
  return images;
}

/** Signed path of a file of an entry. */
export function attachmentPath(ctx: Ctx, entry: { id: string; userId: string }, partIndex: number): string {
  return signPath(ctx.app, 'attachment', [String(entry.userId), String(entry.id), partIndex]);
}

/** Signed path of an entry's text as a page of its own. */
export function framePath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'frame', [String(entry.userId), String(entry.id)]);
}
