import { readFile } from 'node:fs/promises';
import type { ComposedAttachment } from '@selvage/core/mail/compose-message';
import { mediaTypeOf } from '@selvage/core/mail/media-type';
import { blobOf, type EntryWithMessage } from '@selvage/core/mailstore/find-entry';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { Attachment } from '@selvage/core/models/attachment';
import { holdForCall } from '../http/call-memory.ts';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import type { DraftWithFiles } from './drafts.ts';
import { wholeBytes } from './message-readers.ts';
import { fileType } from './presenter.ts';

interface Forwarding {
  /** Files that the sender removed. */
  without: ReadonlySet<string>;
  /** Whether the pictures of the text are files as well. */
  withPictures: boolean;
}

/** The files that a message carries when it is forwarded. */
export async function forwardedFiles(
  ctx: SignedIn,
  { message }: EntryWithMessage,
  { without, withPictures }: Forwarding,
): Promise<ComposedAttachment[]> {
  const rows = await Attachment.findAll({ where: { messageId: message.id } });
  const isFile = ({ isInline, contentType }: Attachment) =>
    !isInline || (withPictures && fileType(contentType) === 'image');
  const kept = new Set(rows.filter((row) => isFile(row) && !without.has(String(row.id))).map((row) => row.partIndex));
  if (kept.size === 0) return [];
  holdForCall(wholeBytes(message));
  const parsed = await ctx.app.content.readFiles(blobOf(message), [...kept], `user:${ctx.actor.userId}`);
  return parsed.attachments.flatMap(({ index, filename, contentType, content }) =>
    kept.has(index) && content ? [{ filename, contentType: mediaTypeOf(contentType), content }] : [],
  );
}

/** The files of a draft, except those that its writer removed. */
export async function filesOfDraft(
  ctx: SignedIn,
  { files }: DraftWithFiles,
  without: ReadonlySet<string>,
): Promise<ComposedAttachment[]> {
  const kept = files.filter(({ id }) => !without.has(String(id)));
  const read: ComposedAttachment[] = [];
  for (const { filename, contentType, blobKey, size } of kept) {
    holdForCall(wholeBytes({ size }));
    read.push({ filename, contentType: mediaTypeOf(contentType), content: await readBlob(ctx.app.blobs, blobKey) });
  }
  return read;
}

/**
 * The files of a form. The call already holds memory for its body. It takes more here, for the
 * message that is made of them.
 */
export async function readUploads(files: UploadedFile[]): Promise<ComposedAttachment[]> {
  holdForCall(files.reduce((sum, { size }) => sum + size, 0));
  return await Promise.all(
    files.map(async ({ name, contentType, path }) => ({
      filename: name,
      contentType: mediaTypeOf(contentType),
      content: await readFile(path),
    })),
  );
}
