import { Readable } from 'node:stream';
import { notFound } from '../errors.ts';
import { extractAttachment } from '../mail/parse-message.ts';
import { Attachment } from '../models/attachment.ts';
import { Message } from '../models/message.ts';
import type { Ctx } from '../runtime/context.ts';

/** A file of a message, open for reading. */
export interface OpenAttachment {
  filename: string;
  contentType: string;
  /** Bytes that the stream gives. */
  size: number;
  stream: Readable;
}

/**
 * Opens a file of a message by its position. Whether the asker may have it was decided before.
 * @throws AppError notFound when the message or the file doesn't exist
 */
export async function readAttachment(
  ctx: Ctx,
  { messageId, partIndex }: { messageId: string; partIndex: number },
): Promise<OpenAttachment> {
  const where = { messageId, partIndex };
  const attachment = await Attachment.findOne({ where, transaction: ctx.tx });
  const message = attachment && (await Message.findByPk(messageId, { attributes: ['blobKey'], transaction: ctx.tx }));
  const found = message && (await extractAttachment(ctx.app.blobs.get(message.blobKey), partIndex));
  if (!attachment || !found) throw notFound('attachment');
  const { filename, contentType } = attachment;
  return { filename, contentType, size: found.content.length, stream: Readable.from([found.content]) };
}
