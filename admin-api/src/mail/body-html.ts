import { MessageTooComplex, type ParsedMessage } from '@selvage/core/mail/parsed-message';
import { sanitizeMailHtml } from '@selvage/core/mail/sanitize-html';
import { type EntryWithFiles, type ReadEntry, readBody } from '@selvage/core/mailstore/read-entry';
import type { Ctx } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { signPath } from './signed-path.ts';
import { textToHtml } from './text-to-html.ts';

/** The text of a message as safe HTML, and the parsed message if it was read. */
export interface ShownBody {
  html: string;
  hasRemoteContent: boolean;
  parsed: ParsedMessage | null;
}

/** Reads and cleans the text of a message (D20). */
export async function showBody(ctx: Ctx, item: EntryWithFiles): Promise<ShownBody> {
  const parsed = await readBody(ctx, item.message).catch((error: unknown) => {
    if (!(error instanceof MessageTooComplex)) throw error;
    log.info('message too complex to show', { mailId: item.message.mailId, reason: error.reason });
    return null;
  });
  if (parsed?.html) {
    const clean = sanitizeMailHtml(parsed.html, { inlineImages: inlineImages(ctx, item) });
    return { ...clean, parsed };
  }
  if (parsed === null) return showPreview(item);
  return { html: textToHtml(parsed.text ?? item.message.preview), hasRemoteContent: false, parsed };
}

/** Shows only the preview of the row. The blob is not read. */
function showPreview({ message }: EntryWithFiles): ShownBody {
  return { html: textToHtml(message.preview), hasRemoteContent: false, parsed: null };
}

/**
 * Limit of raw bytes that are read of a conversation beside the opened message: about four seconds
 * of work.
 */
const CONVERSATION_BYTES = 52_428_800;

/**
 * The text of a message, then the texts of its conversation in order. The newest are shown whole.
 * Of older ones beyond the limit of bytes only the preview is shown. They are read one after the
 * other, so that only one is in memory.
 */
export async function showConversation(ctx: Ctx, item: ReadEntry, bytes = CONVERSATION_BYTES): Promise<ShownBody[]> {
  let left = bytes;
  const isWhole = new Map<EntryWithFiles, boolean>();
  for (const reply of item.conversation.toReversed()) {
    left -= reply.message.size;
    isWhole.set(reply, left >= 0);
  }
  const shown = [await showBody(ctx, item)];
  for (const reply of item.conversation)
    shown.push(isWhole.get(reply) ? await showBody(ctx, reply) : showPreview(reply));
  return shown;
}

/** The paths of the pictures of a message, by their content id. */
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

/** Signed path of the page that shows an entry's text. */
export function framePath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'frame', [String(entry.userId), String(entry.id)]);
}
