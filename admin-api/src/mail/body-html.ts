import { isContentLost } from '@selvage/core/errors';
import { foldQuotes } from '@selvage/core/mail/fold-quotes';
import { fillPictures, showLost, type ShownMessage } from '@selvage/core/mail/show-message';
import { noList, type ParsedMessage } from '@selvage/core/mail/parsed-message';
import { textToHtml } from '@selvage/core/mail/text-to-html';
import { blobOf } from '@selvage/core/mailstore/find-entry';
import type { EntryWithFiles, ReadEntry } from '@selvage/core/mailstore/read-entry';
import type { Ctx } from '@selvage/core/context/context';
import { signPath } from './signed-path.ts';

/** The text of a message as safe HTML, with what the parser read from the message. */
export interface ShownBody {
  html: string;
  sheet: string;
  hasRemoteContent: boolean;
  look: ShownMessage['look'];
  replyTo: ParsedMessage['replyTo'];
  list: ShownMessage['list'];
  links: ShownMessage['links'];
  invitation: ShownMessage['invitation'];
}

/** Reads and cleans the text of a message (D20). */
async function showBody(ctx: Ctx, item: EntryWithFiles, asText = false): Promise<ShownBody> {
  const shown = await show(ctx, item, asText);
  return { ...shown, html: withPictures(ctx, item, shown) };
}

/** The text of a message for a page of its own, with long quotes collapsed. */
export async function showPage(ctx: Ctx, item: EntryWithFiles): Promise<Pick<ShownBody, 'html' | 'sheet' | 'look'>> {
  const shown = await show(ctx, item);
  const html = withPictures(ctx, item, { ...shown, html: foldQuotes(shown.html, shown.folds) });
  return { html, sheet: shown.sheet, look: shown.look };
}

/**
 * Reads and cleans a text. A sentence replaces a text whose blob is lost, so that the rest of the
 * page still works.
 */
async function show(ctx: Ctx, { entry, message }: EntryWithFiles, asText = false): Promise<ShownMessage> {
  try {
    return await ctx.app.content.show(blobOf(message), `user:${entry.userId}`, asText);
  } catch (error) {
    if (!isContentLost(error)) throw error;
    return showLost(message.preview);
  }
}

function withPictures(ctx: Ctx, item: EntryWithFiles, shown: ShownMessage): string {
  const images = inlineImages(ctx, item);
  return fillPictures(shown, (id) => images.get(id) ?? '');
}

/** Shows only the preview of the row. The blob is not read. */
function showPreview({ message }: EntryWithFiles): ShownBody {
  return {
    html: textToHtml(message.preview),
    sheet: '',
    hasRemoteContent: false,
    look: 'plain',
    replyTo: [],
    list: noList,
    links: [],
    invitation: null,
  };
}

/**
 * Limit of raw bytes that are read of a conversation besides the opened message. Reading these
 * takes some tenths of a second.
 */
const conversationBytes = 4_194_304;
/**
 * Limit of characters of all shown texts of an answer together, besides the text of the opened
 * message.
 */
const shownCharacters = 1_048_576;

/**
 * The text of a message, then the texts of its conversation in order. The newest are shown whole.
 * Of older ones beyond the limit of bytes read or of characters shown, only the preview is shown.
 * The messages are read one after the other, so that only one is in memory at a time.
 * @param asText shows the opened message without its markup
 */
export async function showConversation(
  ctx: Ctx,
  item: ReadEntry,
  { bytes = conversationBytes, asText = false } = {},
): Promise<ShownBody[]> {
  let left = bytes;
  let room = shownCharacters;
  const replies: ShownBody[] = [];
  for (const reply of item.conversation.toReversed()) {
    left -= reply.message.size;
    const shown = left >= 0 && room > 0 ? await showBody(ctx, reply) : showPreview(reply);
    room -= shown.html.length + shown.sheet.length;
    replies.push(room >= 0 ? shown : showPreview(reply));
  }
  return [await showBody(ctx, item, asText), ...replies.toReversed()];
}

/** The size in bytes of the largest of some messages, which are read one after the other. */
export function largestOf(items: readonly Pick<EntryWithFiles, 'message'>[]): number {
  return Math.max(...items.map(({ message }) => Number(message.size)));
}

/** The memory that shown texts take while they are sent: once themselves, and once as JSON. */
export function bytesOf(texts: readonly Pick<ShownBody, 'html' | 'sheet'>[]): number {
  return texts.reduce((sum, { html, sheet }) => sum + (html.length + sheet.length) * 2, 0);
}

/** The paths of the pictures in the text of a message, by their Content-ID. */
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

/** Signed path of all files of an entry as one archive. */
export function filesPath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'files', [String(entry.userId), String(entry.id)]);
}

/** Signed path of the page that shows an entry's text. */
export function framePath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'frame', [String(entry.userId), String(entry.id)]);
}

/** Signed path at which the remote pictures of an entry's text are fetched. */
export function imagesPath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'remote', [String(entry.userId), String(entry.id)]);
}

/** Signed path of an entry's whole message. */
export function sourcePath(ctx: Ctx, entry: { id: string; userId: string }): string {
  return signPath(ctx.app, 'source', [String(entry.userId), String(entry.id)]);
}
