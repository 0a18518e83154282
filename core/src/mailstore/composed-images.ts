import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context/context.ts';
import type { ComposedAttachment } from '../mail/compose-message.ts';
import { firstMatches } from '../mail/first-matches.ts';
import { pictureType } from '../mail/picture-type.ts';
import { findAttachments } from './find-entry.ts';

/** Pictures of a composed text, and the content ids that replace their addresses. */
export interface ComposedImages {
  contentIds: Map<string, string>;
  files: ComposedAttachment[];
}

/** A picture of a message that a text quotes. */
export interface QuotedPicture {
  entryId: string;
  /** Its position among the files of the message. */
  index: number;
}

/** A text of a person, and how its pictures are found. */
export interface WrittenText {
  userId: string;
  html: string;
  /** Reads the address of a quoted picture; null for any other address. */
  quoted: (address: string) => QuotedPicture | null;
  /** Called with the size of each quoted picture, which stays in memory. */
  hold?: (bytes: number) => void;
}

// A `>` or `src=` in the quoted words of a picture does not end its tag. The pattern stops at the
// next `<`, so that a text of nothing but `<img` takes linear time
const value = `\\s*?"[^"<]*?"|\\s*?'[^'<]*?'|(?!\\s*?["'])`;
const source = new RegExp(`<img\\b(?:[^<>=]*?=(?:${value})){0,100}?[^<>=]*?\\ssrc=["']?([^"'\\s<>]+)`, 'gi');
const mostImages = 100;
/**
 * The most tags that are looked at, since one address may stand in very many. A picture beyond them
 * is no part of the message, as one beyond the most pictures is none.
 */
const mostTags = 10_000;
const extension: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/**
 * Makes parts of a message from the pictures that its text shows: pasted ones (`data:`), which many
 * mail programs don't show, and those of a quoted message, whose addresses work on this host alone.
 */
export async function collectImages(ctx: Ctx, text: WrittenText): Promise<ComposedImages> {
  const images: ComposedImages = { contentIds: new Map(), files: [] };
  const addresses = firstAddresses(text.html);
  const quoted = await quotedPictures(ctx, text, addresses);
  for (const address of addresses) {
    const content = pastedPicture(address) ?? quoted.get(address);
    const contentType = content && pictureType(content);
    if (!content || !contentType) continue;
    const contentId = `${randomUUID()}@${ctx.app.config.hostname}`;
    images.contentIds.set(address, contentId);
    images.files.push({
      filename: `image-${images.files.length + 1}.${extension[contentType] ?? 'img'}`,
      contentType,
      content,
      contentId,
    });
  }
  return images;
}

function firstAddresses(html: string): string[] {
  const found = new Set<string>();
  for (const [, address = ''] of firstMatches(html, source, mostTags)) {
    found.add(address);
    if (found.size === mostImages) break;
  }
  return [...found];
}

function pastedPicture(address: string): Buffer | null {
  const data = /^data:image\/[\w.+-]+;base64,([a-z0-9+/=]+)$/i.exec(address)?.[1];
  return data ? Buffer.from(data, 'base64') : null;
}

/**
 * The quoted pictures by their addresses. Each message is read once, however many pictures it has.
 */
async function quotedPictures(
  ctx: Ctx,
  { userId, quoted, hold }: WrittenText,
  addresses: readonly string[],
): Promise<Map<string, Buffer>> {
  const pictures = addresses.flatMap((address) => {
    const picture = quoted(address);
    return picture ? [{ address, ...picture }] : [];
  });
  const contents = new Map<string, Buffer>();
  for (const [entryId, wanted] of Map.groupBy(pictures, (picture) => picture.entryId)) {
    const indexes = [...new Set(wanted.map(({ index }) => index))];
    const files = await findAttachments(ctx, { userId, entryId, indexes });
    for (const { address, index } of wanted) {
      const content = files.get(index)?.content;
      if (content === undefined) continue;
      hold?.(content.length);
      contents.set(address, content);
    }
  }
  return contents;
}
