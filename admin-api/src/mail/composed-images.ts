import { randomUUID } from 'node:crypto';
import type { ComposedAttachment } from '@selvage/core/mail/compose-message';
import { findAttachment } from '@selvage/core/mailstore/find-entry';
import type { Ctx } from '@selvage/core/context/context';
import { holdForCall } from '../http/call-memory.ts';
import { pictureType } from './download.ts';
import { readQuotedToken } from './signed-path.ts';

/** Pictures of an editor's HTML, and the content ids that replace their addresses. */
export interface ComposedImages {
  contentIds: Map<string, string>;
  files: ComposedAttachment[];
}

// Stops at the next tag, so that a text of nothing but `<img` takes linear time
const source = /<img\b[^<>]*?\ssrc=["']?([^"'\s<>]+)/gi;
const MAX_IMAGES = 100;
const extension: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/**
 * Makes parts of the message from the pictures that its text shows: pasted ones (`data:`), which
 * many mail programs don't show, and those of a quoted message, whose paths work for an hour and
 * only on this host.
 */
export async function collectImages(ctx: Ctx, userId: string, html: string): Promise<ComposedImages> {
  const images: ComposedImages = { contentIds: new Map(), files: [] };
  const addresses = new Set([...html.matchAll(source)].map((match) => match[1] ?? ''));
  for (const address of [...addresses].slice(0, MAX_IMAGES)) {
    const content = pastedPicture(address) ?? (await quotedPicture(ctx, userId, address));
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

async function quotedPicture(ctx: Ctx, userId: string, address: string): Promise<Buffer | null> {
  const token = /\/upload\/attachment\/([\w.-]+)$/.exec(address)?.[1];
  const [owner, entryId, index] = token ? (readQuotedToken(ctx.app, 'attachment', token) ?? []) : [];
  if (owner !== userId || !entryId || !index) return null;
  const found = await findAttachment(ctx, { userId, entryId, index: Number(index) });
  if (found) holdForCall(found.content.length);
  return found?.content ?? null;
}
