import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context/context.ts';
import type { ComposedAttachment } from '../mail/compose-message.ts';
import { pictureType } from '../mail/picture-type.ts';
import { findAttachment } from './find-entry.ts';

/** Pictures of an editor's HTML, and the content ids that replace their addresses. */
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
  /** Told of the bytes of each quoted picture, which stay in memory. */
  hold?: (bytes: number) => void;
}

// Stops at the next tag, so that a text of nothing but `<img` takes linear time
const source = /<img\b[^<>]*?\ssrc=["']?([^"'\s<>]+)/gi;
const mostImages = 100;
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
  const addresses = new Set([...text.html.matchAll(source)].map((match) => match[1] ?? ''));
  for (const address of [...addresses].slice(0, mostImages)) {
    const content = pastedPicture(address) ?? (await quotedPicture(ctx, text, address));
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

function pastedPicture(address: string): Buffer | null {
  const data = /^data:image\/[\w.+-]+;base64,([a-z0-9+/=]+)$/i.exec(address)?.[1];
  return data ? Buffer.from(data, 'base64') : null;
}

async function quotedPicture(ctx: Ctx, { userId, quoted, hold }: WrittenText, address: string): Promise<Buffer | null> {
  const picture = quoted(address);
  const found = picture && (await findAttachment(ctx, { userId, ...picture }));
  if (found) hold?.(found.content.length);
  return found?.content ?? null;
}
