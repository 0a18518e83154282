import { contentLost, notFound } from '@selvage/core/errors';
import { safeFileName } from '@selvage/core/mail/file-name';
import { type ZippedFile, zipFiles } from '@selvage/core/mail/zip-files';
import { blobOf, type EntryRef, type EntryWithMessage, findEntry } from '@selvage/core/mailstore/find-entry';
import { Attachment } from '@selvage/core/models/attachment';
import type { Ctx } from '@selvage/core/context/context';
import { largeMessage } from '@selvage/core/memory-budget';
import { type InTurn, wholeBytes } from './message-readers.ts';

/**
 * How many bytes of files are read at once. Each read parses the whole message again, and the bytes
 * stay in memory until the person's connection takes them.
 */
const batchBytes = 8 * 1_048_576;
/** Archiving larger pieces in one go would block the event loop. */
const pieceBytes = 262_144;

/** All files of a message as one archive, which is made while it is sent. */
export interface ZipOfMessage {
  filename: string;
  bytes: AsyncGenerator<Buffer, void>;
}

/**
 * The files of a person's own message, except those that are part of its text.
 * @throws AppError notFound when there is no such message, or it has no files
 */
export async function zipAttachments(ctx: Ctx, ref: EntryRef, inTurn: InTurn): Promise<ZipOfMessage> {
  const { item, rows } = await inTurn(() => findFiles(ctx, ref));
  if (rows.length === 0) throw notFound('file');
  const title = item.message.subject.replace(/[/\\]/g, '-').slice(0, 120) || 'attachments';
  const filename = safeFileName(`${title}.zip`, 'application/zip', 0);
  return { filename, bytes: inPieces(zipFiles(readInBatches(ctx, item, rows, inTurn), item.entry.arrivedAt)) };
}

async function findFiles(ctx: Ctx, ref: EntryRef): Promise<{ item: EntryWithMessage; rows: Attachment[] }> {
  const item = await findEntry(ctx, ref);
  const rows = await Attachment.findAll({
    where: { messageId: item.message.id, isInline: false },
    order: [['partIndex', 'ASC']],
    transaction: ctx.tx,
  });
  return { item, rows };
}

async function* readInBatches(
  ctx: Ctx,
  { entry, message }: EntryWithMessage,
  rows: Attachment[],
  inTurn: InTurn,
): AsyncGenerator<ZippedFile, void> {
  for (const batch of batchesOf(rows)) {
    const indexes = batch.map(({ partIndex }) => partIndex);
    const bytes = batch.reduce((sum, file) => sum + wholeBytes(file), 0);
    // Held until the client has the files of the batch
    const share = await ctx.app.memory.wait(`user:${entry.userId}`, bytes, undefined, bytes > largeMessage);
    try {
      const { attachments } = await inTurn(() =>
        ctx.app.content.readFiles(blobOf(message), indexes, `user:${entry.userId}`),
      );
      share.keep(bytes / 2);
      for (const { partIndex, filename } of batch) {
        const content = attachments[partIndex]?.content;
        if (content === undefined) throw contentLost('a file of a message is not where it was');
        yield { name: filename, content };
        delete attachments[partIndex]?.content;
      }
    } finally {
      // Also when the client disconnects halfway
      share.release();
    }
  }
}

function batchesOf(rows: Attachment[]): Attachment[][] {
  const batches: Attachment[][] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.size;
    const last = batches.at(-1);
    if (last !== undefined && bytes <= batchBytes) last.push(row);
    else {
      batches.push([row]);
      bytes = row.size;
    }
  }
  return batches;
}

async function* inPieces(buffers: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const bytes of buffers) {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
}
