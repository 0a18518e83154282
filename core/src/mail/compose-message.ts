import { isAscii } from 'node:buffer';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import { type Addr, cleanName, parseAddress } from './addresses.ts';
import { bodyOffset, normaliseLineEnds } from './crlf.ts';
import { headerDate } from './complete-headers.ts';
import { safeFileName } from './file-name.ts';
import { hasLongLine } from './fit-lines.ts';
import { measureHeader } from './header-guard.ts';
import { oneLine } from './one-line.ts';
import { textFromHtml } from './text-from-html.ts';

/** A file of a message to be sent. */
export interface ComposedAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Set for pictures that the HTML shows by `cid:`. */
  contentId?: string;
}

/** Everything that goes into a message. */
export interface ComposeInput {
  from: Addr;
  sender?: Addr;
  replyTo?: Addr[];
  to: Addr[];
  cc?: Addr[];
  subject: string;
  /** Already sanitised. */
  html?: string;
  /** Made from the HTML when it is missing. */
  text?: string;
  attachments?: ComposedAttachment[];
  /** A calendar object, which is an alternative to the text (RFC 6047 2.4). */
  calendar?: { method: 'REPLY'; content: string };
  /** With angle brackets. */
  messageId: string;
  date: Date;
  inReplyTo?: string | null;
  references?: string[];
}

/** Thrown when a part of the input can't be put into a message. */
export class UnfitForMessage extends Error {
  readonly field: string;

  constructor(field: string) {
    super(`not fit for a message: ${field}`);
    this.name = 'UnfitForMessage';
    this.field = field;
  }
}

const maxSubjectLength = 998;
/** One octet shorter than a line, since a folded field begins its lines with a space. */
const messageIdForm = /^<[^<>\s\p{Cc}]{1,995}>$/u;
const contentTypeForm = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/i;

/**
 * Builds a message: CRLF, lines of at most 998 bytes, no Bcc.
 * @throws {UnfitForMessage} when an address, an id or a content type is not well-formed.
 */
export async function composeMessage(input: ComposeInput): Promise<Buffer> {
  const composer = new MailComposer({
    from: mailbox('from', input.from),
    ...(input.sender && { sender: mailbox('sender', input.sender) }),
    ...(input.replyTo?.length && { replyTo: mailboxes('replyTo', input.replyTo) }),
    to: mailboxes('to', input.to),
    cc: mailboxes('cc', input.cc ?? []),
    subject: oneLine(input.subject, maxSubjectLength).toWellFormed(),
    text: textPart(input.text ?? textFromHtml(input.html ?? '')),
    ...(input.html !== undefined && { html: textPart(input.html) }),
    attachments: (input.attachments ?? []).map(attachmentPart),
    ...(input.calendar && { alternatives: [calendarPart(input.calendar)] }),
    messageId: checkedId('messageId', input.messageId),
    date: headerDate(input.date),
    ...(input.inReplyTo && { inReplyTo: checkedId('inReplyTo', input.inReplyTo) }),
    ...(input.references?.length && { references: threadReferences(input.references) }),
    // All content is given as bytes, so files and addresses must not be opened
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  return normaliseLineEnds(await composer.compile().build());
}

/**
 * RFC 5322 3.6.4: the conversation so far. When it is too long, its first and its newest ids are
 * kept.
 */
function threadReferences(references: string[]): string[] {
  const ids = references.map((id) => checkedId('references', id));
  return ids.length <= 50 ? ids : [...ids.slice(0, 1), ...ids.slice(-49)];
}

function mailboxes(field: string, list: Addr[]): { name: string; address: string }[] {
  return list.map((entry) => mailbox(field, entry));
}

function mailbox(field: string, entry: Addr): { name: string; address: string } {
  const parsed = parseAddress(entry.address);
  if (!parsed) throw new UnfitForMessage(field);
  return { name: cleanName(entry.name), address: parsed.address };
}

function attachmentPart(attachment: ComposedAttachment, index: number) {
  const contentType = contentTypeForm.test(attachment.contentType) ? attachment.contentType.toLowerCase() : null;
  if (contentType === null) throw new UnfitForMessage('attachments');
  if (attachment.contentId !== undefined && !/^[^\s<>"'\p{Cc}]{1,255}$/u.test(attachment.contentId)) {
    throw new UnfitForMessage('attachments');
  }
  const isMessage = contentType === 'message/rfc822' && isWholeMessage(attachment.content);
  return {
    filename: safeFileName(attachment.filename, contentType, index),
    // A part of another type message/* or multipart/* would have to be valid. As plain bytes it
    // always arrives whole
    contentType: /^(?:message|multipart)\//.test(contentType) && !isMessage ? 'application/octet-stream' : contentType,
    content: inPieces(attachment.content, filePieceBytes),
    // RFC 2046 5.2.1: a message that is part of another one is never encoded
    contentTransferEncoding: isMessage ? (isAscii(attachment.content) ? '7bit' : '8bit') : 'base64',
    contentDisposition: attachment.contentId === undefined ? 'attachment' : 'inline',
    ...(attachment.contentId !== undefined && { cid: attachment.contentId }),
  } as const;
}

/**
 * A text of the message. The composer looks through all of a text three times at once to choose its
 * encoding. For a long one, its beginning decides.
 */
function textPart(text: string) {
  if (text.length <= textPieceBytes) return text;
  const sample = text.slice(0, textPieceBytes);
  const letters = sample.replace(/[^a-z]/gi, '').length;
  const others = sample.replace(/[\t\n\r -~]/g, '').length;
  return {
    content: inPieces(Buffer.from(text), textPieceBytes),
    contentTransferEncoding: others < letters ? 'quoted-printable' : 'base64',
  } as const;
}

const filePieceBytes = 1_048_576;
/** Quoted-printable takes far longer than base64. */
const textPieceBytes = 131_072;

/**
 * Large files and texts are encoded in pieces, so that the event loop can do other work in between.
 */
function inPieces(content: Buffer, pieceBytes: number): Buffer | Readable {
  return content.length <= pieceBytes ? content : Readable.from(piecesOf(content, pieceBytes), { objectMode: false });
}

async function* piecesOf(content: Buffer, pieceBytes: number): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < content.length; from += pieceBytes) {
    yield content.subarray(from, from + pieceBytes);
    await setImmediate();
  }
}

const headerField = /^[!-9;-~]{1,255}[ \t]*:/;

/**
 * Whether bytes can be embedded as a message: lines end with CRLF and are short enough, and the
 * header has its fields. A file that a sender attaches as a message may be anything.
 */
function isWholeMessage(content: Buffer): boolean {
  const header = content.subarray(0, bodyOffset(content));
  // A file may be one endless header. It is looked at no further than a message's is
  if (measureHeader(header).problem !== null) return false;
  if (normaliseLineEnds(content) !== content || hasLongLine(content)) return false;
  const lines = header.toString('latin1').split('\r\n');
  const fields = lines.filter((line) => line !== '' && !/^[ \t]/.test(line));
  return fields.every((line) => headerField.test(line)) && fields.some((line) => /^(?:from|date)[ \t]*:/i.test(line));
}

function calendarPart({ method, content }: { method: string; content: string }) {
  const contentType = `text/calendar; charset=utf-8; method=${method}`;
  return { contentType, content, contentTransferEncoding: 'base64' } as const;
}

function checkedId(field: string, id: string): string {
  if (!messageIdForm.test(id)) throw new UnfitForMessage(field);
  return id;
}
