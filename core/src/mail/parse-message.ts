import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AttachmentStream } from 'mailparser';
import { unavailable } from '../errors.ts';
import { assembleBody, type Body, cutBody } from './assemble-body.ts';
import { safeFileName, typeByName } from './file-name.ts';
import { HeaderFields } from './header-fields.ts';
import { readListFields } from './list-fields.ts';
import { MimeReader, type TreeNode } from './mime-reader.ts';
import { leavePictures } from './named-pictures.ts';
import { findOtherForms } from './other-forms.ts';
import {
  defaultParseLimits,
  MessageTooComplex,
  type ParsedAttachment,
  type ParsedMessage,
  type ParseLimits,
} from './parsed-message.ts';
import { pictureType } from './picture-type.ts';
import { previewOf } from './preview.ts';
import { isSealed, signedContent } from './signed-content.ts';
import { rawParameter, readMimeValue } from './structure/mime-value.ts';
import { isTnef, type TnefRoom, tnefRoom, type Unpacked, unpackTnef } from './tnef.ts';
import { isAutomatic } from './vacation-rules.ts';

/** A message as bytes or as a stream of them. */
export type MessageSource = AsyncIterable<Uint8Array> | Buffer;

/** How to parse. */
export interface ParseOptions extends Partial<ParseLimits> {
  /** Keeps the bytes of all attachments, or of those that the function accepts. */
  keepContent?: KeepContent;
}

type KeepContent = boolean | ((index: number, contentType: string) => boolean);

/**
 * How much more may be read of a message. What is within its files counts as well, however many
 * files it is spread over.
 */
interface Room extends TnefRoom {
  parts: number;
}

/** How to read a message, or the content of a signed part. */
interface Reading {
  limits: ParseLimits;
  keepContent: KeepContent;
  room: Room;
  /** Set for the content of a signed part: it has no further signed parts unpacked. */
  isWithinSigned?: boolean;
}

const embeddedHeadBytes = 65_536;
/** Enough bytes to recognise the type of a picture. */
const pictureHeadBytes = 12;

/**
 * Parses a message in one pass over its bytes and hashes its attachments meanwhile.
 * @throws {MessageTooComplex} when a bound is exceeded
 * @throws AppError unavailable after the time limit. Errors of the source pass through
 */
export async function parseMessage(source: MessageSource, options: ParseOptions = {}): Promise<ParsedMessage> {
  const limits = { ...defaultParseLimits, ...definedOnly(options) };
  const room = { parts: limits.maxParts, ...tnefRoom() };
  const { reader, body, attachments } = await readContent(source, {
    limits,
    keepContent: options.keepContent ?? false,
    room,
  });
  const fields = new HeaderFields(reader.fields(), (text) => reader.decodeWords(text), reader.charset);
  return {
    ...readHeader(fields),
    ...body,
    attachments,
    headerBytes: reader.fields().reduce((sum, { line }) => sum + line.length + 2, 2),
    partCount: reader.partCount,
    preview: previewOf(body),
  };
}

/** Reads the text and the files, and lowers `room` by what they take. */
async function readContent(source: MessageSource, { limits, keepContent, room, isWithinSigned = false }: Reading) {
  const reader = new MimeReader({ ...limits, maxParts: room.parts });
  const attachments: ParsedAttachment[] = [];
  const packed = new Map<ParsedAttachment, Buffer>();
  const parts = new Map<object, ParsedAttachment>();
  const isPacked = (type: string, name: string): boolean =>
    isTnef(type, name) || (!isWithinSigned && isSealed(type, name));
  const collection = { attachments, keepContent, packed, parts, isPacked };
  await readThrough(reader, source, limits, (stream) => collect(stream, collection));
  room.parts -= reader.partCount;
  const own = assembleBody(reader.root(), limits.maxTextBytes);
  leavePictures(attachments, own.html);
  hideOtherForms(reader.root(), parts);
  const unpacked = await unpackAll(packed, limits, room);
  const within = addUnpacked(unpacked, attachments, keepContent);
  const isLacking = isBlank(own) || reader.hasNoFields();
  const found = isLacking ? (within ?? undivided(reader, attachments) ?? own) : own;
  const body = cutBody(found, limits.maxTextBytes);
  return { reader, body: { ...body, isCut: body.isCut || reader.isTextCut }, attachments };
}

/** A file of a message with its decoded bytes. */
export interface FoundAttachment {
  meta: ParsedAttachment;
  content: Buffer;
}

/** Finds one attachment again by its index; null when the message has no such attachment. */
export async function extractAttachment(
  source: MessageSource,
  index: number,
  limits: Partial<ParseLimits> = {},
): Promise<FoundAttachment | null> {
  const parsed = await parseMessage(source, { ...limits, keepContent: (candidate) => candidate === index });
  const found = parsed.attachments[index];
  if (!found?.content) return null;
  const { content, ...meta } = found;
  return { meta, content };
}

function readHeader(fields: HeaderFields) {
  return {
    messageIdHeader: fields.messageId('message-id'),
    inReplyTo: fields.messageId('in-reply-to'),
    references: fields.messageIds('references'),
    subject: fields.text('subject'),
    from: fields.addresses('from')[0] ?? null,
    fromCount: fields.count('from'),
    sender: fields.addresses('sender')[0] ?? null,
    // Some programs write a name alone, and then the answer goes to the author
    replyTo: fields.addresses('reply-to').filter(({ address }) => address.includes('@')),
    to: fields.addresses('to'),
    cc: fields.addresses('cc'),
    date: fields.date(),
    list: readListFields(fields),
    isAutomatic: isAutomatic(fields),
  };
}

/**
 * Runs the bytes through the reader. Resolves when everything is read. Rejects after the time
 * limit.
 */
async function readThrough(
  reader: MimeReader,
  source: MessageSource,
  limits: ParseLimits,
  onAttachment: (stream: AttachmentStream) => Promise<void>,
): Promise<void> {
  // What is small enough for one turn of the event loop needs no stream around it
  const whole = Buffer.isBuffer(source) && source.length <= sliceBytes ? source : null;
  const input = whole ? null : Readable.from(Buffer.isBuffer(source) ? slices(source) : source);
  const collecting: Promise<void>[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(unavailable('a message took too long to read')), limits.timeoutMs);
      reader.on('data', (part) => {
        if (part.type !== 'attachment') return;
        const collected = onAttachment(part);
        collected.catch(reject);
        collecting.push(collected);
      });
      // The reader may end before its last attachment is read
      reader.once('end', () => {
        Promise.all(collecting).then(() => resolve(), reject);
      });
      reader.on('error', reject);
      input?.on('error', reject);
      if (input) input.pipe(reader);
      else reader.end(whole);
    });
  } catch (error) {
    throw asComplexity(error);
  } finally {
    clearTimeout(timer);
    input?.unpipe(reader);
    input?.destroy();
    reader.destroy();
  }
}

/**
 * One huge buffer would be handled in one turn of the event loop. Between slices, other work can
 * run.
 */
function* slices(buffer: Buffer): Generator<Buffer> {
  for (let start = 0; start < buffer.length; start += sliceBytes) yield buffer.subarray(start, start + sliceBytes);
}

const sliceBytes = 65_536;

function asComplexity(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EMAXLEN') return error;
  return new MessageTooComplex(/head/i.test(error.message) ? 'header_too_large' : 'too_many_parts');
}

interface Collection {
  attachments: ParsedAttachment[];
  keepContent: KeepContent;
  /** The bytes of files that contain other files, by file. */
  packed: Map<ParsedAttachment, Buffer>;
  /** The files, by the header object of their part. */
  parts: Map<object, ParsedAttachment>;
  /** Whether a file may contain other files, by its type and name. */
  isPacked: (contentType: string, filename: string) => boolean;
}

async function collect(
  stream: AttachmentStream,
  { attachments, keepContent, packed, parts, isPacked }: Collection,
): Promise<void> {
  const index = attachments.length;
  const contentType = cleanContentType(stream.contentType);
  const keep = isKept(keepContent, index, contentType);
  const attachment: ParsedAttachment = {
    index,
    filename: '',
    contentType,
    size: 0,
    contentId: cleanContentId(stream.cid),
    disposition:
      stream.contentDisposition === 'inline' || (!stream.contentDisposition && stream.related)
        ? 'inline'
        : 'attachment',
    related: Boolean(stream.related),
    sha256: '',
    ...charsetOf(stream),
  };
  attachments.push(attachment);
  parts.set(stream.headers, attachment);
  const holdsOthers = isPacked(contentType, stream.filename || '');
  const isMessage = contentType === 'message/rfc822';
  const headBytes = isMessage ? embeddedHeadBytes : pictureHeadBytes;
  const kept: Buffer[] = [];
  let head = Buffer.alloc(0);
  for await (const chunk of stream.content as Readable) {
    attachment.size += chunk.length;
    if (keep || holdsOthers) kept.push(chunk);
    if (head.length < headBytes) head = Buffer.concat([head, chunk]);
  }
  // The reader hashes the decoded bytes
  attachment.sha256 = stream.checksum;
  const name = stream.filename || (isMessage ? await subjectAsName(head) : null);
  attachment.filename = safeFileName(name, contentType, index);
  // Browsers show no other pictures, and a picture that is not shown must be listed as a file
  attachment.related &&= pictureType(head) !== null;
  const content = Buffer.concat(kept);
  if (keep) attachment.content = content;
  if (holdsOthers) packed.set(attachment, content);
  stream.release();
}

function hideOtherForms(root: TreeNode | null, parts: ReadonlyMap<object, ParsedAttachment>): void {
  for (const { headers } of root ? findOtherForms(root) : []) {
    const hidden = parts.get(headers);
    if (hidden) hidden.related = true;
  }
}

/** The contents of files that contain other files. */
async function unpackAll(
  packed: ReadonlyMap<ParsedAttachment, Buffer>,
  limits: ParseLimits,
  room: Room,
): Promise<Map<ParsedAttachment, Unpacked>> {
  const unpacked = new Map<ParsedAttachment, Unpacked>();
  for (const [file, bytes] of packed) {
    const isOfOutlook = isTnef(file.contentType, file.filename);
    unpacked.set(file, isOfOutlook ? unpackTnef(bytes, room) : await unpackSigned(bytes, limits, room));
  }
  return unpacked;
}

/**
 * Reads the content of a signed part. `isWhole` is false, so that the part stays listed as a file:
 * it has the signature, which other programs can check.
 */
async function unpackSigned(bytes: Buffer, limits: ParseLimits, room: Room): Promise<Unpacked> {
  const entity = signedContent(bytes);
  if (!entity) return { files: [], text: null, html: null, isWhole: false };
  const { body, attachments } = await readContent(entity, { limits, keepContent: true, room, isWithinSigned: true });
  const files = attachments
    .filter(({ related, contentId }) => !related || contentId !== null)
    .map(({ content = Buffer.alloc(0), ...file }) => ({ ...file, content }));
  return { files, ...body, isWhole: false };
}

/**
 * Lists the files within others after those that came by themselves. A file that was wholly
 * unpacked is hidden, like a picture of the text. A damaged one stays listed, so that nothing gets
 * lost.
 * @returns the text that was within, if there is one
 */
function addUnpacked(
  unpacked: ReadonlyMap<ParsedAttachment, Unpacked>,
  attachments: ParsedAttachment[],
  keepContent: KeepContent,
): Body | null {
  let body: Body | null = null;
  for (const [outer, { files, text, html, isCut = false, isWhole }] of unpacked) {
    body ??= text === null && html === null ? null : { text, html, isCut };
    outer.related = isWhole && (files.length > 0 || text !== null || html !== null);
    for (const { content, ...file } of files) {
      const index = attachments.length;
      const known = cleanContentType(file.contentType ?? '');
      const filename = safeFileName(file.filename, known, index);
      const contentId = cleanContentId(file.contentId ?? '');
      const contentType = known === 'application/octet-stream' ? typeByName(filename) : known;
      attachments.push({
        index,
        filename,
        contentType,
        size: content.length,
        contentId,
        disposition: 'attachment',
        related: contentId !== null && pictureType(content) !== null && (html?.includes(`cid:${contentId}`) ?? false),
        sha256: createHash('sha256').update(content).digest('hex'),
        ...(isKept(keepContent, index, contentType) && { content }),
      });
    }
  }
  return body;
}

function isKept(keepContent: KeepContent, index: number, contentType: string): boolean {
  return typeof keepContent === 'function' ? keepContent(index, contentType) : keepContent;
}

/**
 * A message whose boundaries are missing or wrong would open empty, so its source is shown instead.
 * So would one without a header, or with no blank line behind it: its text is taken for a header.
 */
function undivided(reader: MimeReader, attachments: readonly ParsedAttachment[]): Body | null {
  const text = attachments.length === 0 ? reader.undividedBody() : null;
  return text?.trim() ? { text, html: null, isCut: false } : null;
}

function isBlank({ text, html }: Body): boolean {
  return html === null && (text ?? '').trim() === '';
}

/** An embedded message has no file name, so its subject becomes its name. */
async function subjectAsName(head: Buffer): Promise<string | null> {
  if (head.length === 0) return null;
  // The lines of a message in Base64 may end with a bare LF. Its parts must not be read here
  const end = head.toString('latin1', 0, embeddedHeadBytes).search(/\n\r?\n/);
  const header = head.subarray(0, end < 0 ? embeddedHeadBytes : end + 1);
  const { subject } = await parseMessage(header, { maxParts: 10 });
  return subject === '' ? null : `${subject.replace(/[/\\]/g, '-').slice(0, 120)}.eml`;
}

function cleanContentType(type: string | undefined): string {
  const text = (type || 'application/octet-stream').toLowerCase();
  return /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(text) ? text : 'application/octet-stream';
}

/** The charset that a part names; left out when there is none, or its name is not well-formed. */
function charsetOf({ headers }: AttachmentStream): Pick<ParsedAttachment, 'charset'> {
  const field = headers.get('content-type');
  const charset = typeof field === 'string' && rawParameter(readMimeValue(field).raw, 'charset');
  return charset && /^[\w.+-]{1,40}$/.test(charset) ? { charset } : {};
}

function cleanContentId(cid: string | undefined): string | null {
  const text = (cid ?? '').trim().replace(/^<|>$/g, '');
  return /^[^\s<>"'\p{Cc}]{1,255}$/u.test(text) ? text : null;
}

function definedOnly(options: ParseOptions): Partial<ParseLimits> {
  const { keepContent: _content, ...limits } = options;
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
