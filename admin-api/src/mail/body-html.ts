import { MessageTooComplex, type ParsedMessage } from '@selvage/core/mail/parsed-message';
import { sanitizeMailHtml } from '@selvage/core/mail/sanitize-html';
import type { EntryWithFiles } from '@selvage/core/mailstore/read-entry';
import { readBody } from '@selvage/core/mailstore/read-entry';
import type { Ctx } from '@selvage/core/runtime/context';
import { log } from '@selvage/core/runtime/log';
import { signPath } from './signed-path.ts';
import { textToHtml } from './text-to-html.ts';

/** A message's text, fit to be shown, and what else its blob says. */
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
  return { html: textToHtml(parsed?.text ?? item.message.preview), hasRemoteContent: false, parsed };
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
