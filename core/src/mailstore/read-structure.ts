import { buffer } from 'node:stream/consumers';
import { type Ctx, turnOf } from '../context/context.ts';
import { unavailable } from '../errors.ts';
import { removeForgedResults } from '../mail/forged-results.ts';
import { type ByteRange, findSection } from '../mail/structure/find-section.ts';
import type { MessageStructure } from '../mail/structure/message-structure.ts';
import { parseStructure } from '../mail/structure/structure-json.ts';
import type { Message } from '../models/message.ts';
import { blobOf } from './find-entry.ts';
import { streamRange } from './read-blob.ts';
import { findStructure, saveStructure } from './structure-rows.ts';

/** The fields of a message that are needed to read its parts. */
export type MessageWithBlob = Pick<Message, 'id' | 'blobKey' | 'size' | 'traceHeaders'>;

/** The bytes of a section of a message, with their number. */
export interface SectionBytes {
  size: number;
  bytes: AsyncIterable<Buffer>;
}

/**
 * The MIME structure of a message. If none is stored, as for an old message, the message is read
 * once and its structure is stored.
 * @throws AppError `content_lost` when it has no structure yet and its blob is missing or damaged
 */
export async function readStructure(ctx: Ctx, message: MessageWithBlob): Promise<MessageStructure> {
  const messageId = String(message.id);
  const stored = await findStructure(ctx, messageId);
  if (stored) return stored;
  const structure = await ctx.app.content.readStructure(blobOf(message), turnOf(ctx));
  await saveStructure(ctx, { messageId, structure });
  const read = parseStructure(structure);
  // Only a process of another version writes another structure
  if (read === null) throw unavailable('a structure was read by another version');
  return read;
}

/**
 * The bytes of a section in their transfer encoding: `HEADER`, `TEXT`, `1.2`, `1.2.MIME`,
 * `1.2.HEADER` or `1.2.TEXT` (RFC 9051 6.4.5.1). An empty section means the whole message, as
 * `readSource` returns it. Null when the message has no such section. Only the bytes of the section
 * are read, so they can't be compared with the blob's key.
 *
 * The message's own header comes with the trace headers of this host, and without authentication
 * results that its sender forged in the name of this host.
 * @throws AppError `content_lost`, by the function or by the stream, when bytes are missing
 */
export async function readPart(ctx: Ctx, message: MessageWithBlob, section: string): Promise<SectionBytes | null> {
  const structure = await readStructure(ctx, message);
  const range = section === '' ? { start: 0, end: message.size } : findSection(structure, section);
  if (range === null) return null;
  const headerEnd = structure.root.body;
  if (range.start > 0 || message.size === 0) return ofRange(ctx, message, range);
  const header = await ownHeader(ctx, message, headerEnd);
  const rest = ofRange(ctx, message, { start: headerEnd, end: range.end });
  return { size: header.length + rest.size, bytes: joined(header, rest.bytes) };
}

function ofRange({ app }: Ctx, { blobKey }: MessageWithBlob, range: ByteRange): SectionBytes {
  return { size: range.end - range.start, bytes: streamRange(app.blobs, blobKey, range) };
}

async function ownHeader(ctx: Ctx, message: MessageWithBlob, end: number): Promise<Buffer> {
  const raw = await buffer(ofRange(ctx, message, { start: 0, end }).bytes);
  return Buffer.concat([Buffer.from(message.traceHeaders), removeForgedResults(raw, ctx.app.config.hostname)]);
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first;
  yield* rest;
}
