import { isContentLost } from '../errors.ts';
import type { Addr } from './addresses.ts';

/** A file of a message. */
export interface ParsedAttachment {
  /**
   * Position among the attachments of the message, from 0. `extractAttachment` finds the file by
   * it.
   */
  index: number;
  /**
   * Safe to show and to save: no path, no control or direction characters, at most 255 bytes, never
   * empty.
   */
  filename: string;
  contentType: string;
  /** The charset that its sender names, as the sender writes it. */
  charset?: string;
  /** The number of decoded bytes. */
  size: number;
  /** Content-ID without its angle brackets. */
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  /**
   * Whether it belongs to the text and is not shown as a file: it is a picture that the text shows
   * (multipart/related, by its Content-ID) and that browsers can show, or another form of the text.
   */
  related: boolean;
  /** Hash of the decoded bytes, hexadecimal. */
  sha256: string;
  /** Present only with `keepContent`. */
  content?: Buffer;
}

/** The header fields of a message about its mailing list. */
export interface ListFields {
  /** The id of the mailing list (RFC 2919); null when there is no list, or it names no id. */
  id: string | null;
  unsubscribe: Unsubscribe;
  /** The address for mail to the whole list (RFC 2369 3.4); null when the message names none. */
  post: string | null;
}

/**
 * The ways to unsubscribe from the list that a message names (RFC 2369), the first of each kind.
 */
export interface Unsubscribe {
  https: string | null;
  mailto: string | null;
  /** Whether one request is enough, without further action of the person (RFC 8058). */
  isOneClick: boolean;
}

export const noList: ListFields = {
  id: null,
  unsubscribe: { https: null, mailto: null, isOneClick: false },
  post: null,
};

/**
 * The parsed contents of a message. No text has a NUL, and no header text has control characters.
 */
export interface ParsedMessage {
  /** With angle brackets; null when missing or not of that form. */
  messageIdHeader: string | null;
  inReplyTo: string | null;
  /** The newest 100, oldest first, each with angle brackets. */
  references: string[];
  subject: string;
  /** The first mailbox of the first From field. */
  from: Addr | null;
  /** Number of From fields. Any number but 1 makes the sender ambiguous. */
  fromCount: number;
  sender: Addr | null;
  replyTo: Addr[];
  to: Addr[];
  cc: Addr[];
  date: Date | null;
  list: ListFields;
  /** Whether the header says that a program or a list has sent it (RFC 3834). */
  isAutomatic: boolean;
  text: string | null;
  html: string | null;
  /** Whether the text or the HTML lacks its end, because it is too long. */
  isCut: boolean;
  attachments: ParsedAttachment[];
  headerBytes: number;
  partCount: number;
  /** At most 200 characters of plain text. */
  preview: string;
}

/** Bounds of one parse. */
export interface ParseLimits {
  maxParts: number;
  maxDepth: number;
  /** The most bytes of the header block of one part. */
  maxHeaderBytes: number;
  /** The most bytes of the text and of the HTML, each. A longer one is cut. */
  maxTextBytes: number;
  /**
   * How long the bytes may take to arrive, by the clock. What a message costs is bounded by the
   * processor time of its thread.
   */
  timeoutMs: number;
}

/** The bounds, unless the caller sets others. */
export const defaultParseLimits: ParseLimits = {
  maxParts: 1000,
  maxDepth: 50,
  maxHeaderBytes: 1_048_576,
  maxTextBytes: 5 * 1_048_576,
  timeoutMs: 20_000,
};

/** The most files that are listed of all `winmail.dat` files of a message together. */
export const mostTnefFiles = 200;
/** The most files of a message: its parts, and what is within its `winmail.dat` files. */
export const mostFiles = defaultParseLimits.maxParts + mostTnefFiles;

/** A message without its text: the part that its rows store. */
export type MessageSummary = Omit<ParsedMessage, 'text' | 'html' | 'isCut'>;

/** A summary with everything else that is stored when a message arrives. */
export interface StorableSummary extends MessageSummary {
  /** A MessageStructure as JSON of at most 64 KB. */
  structure: string;
}

/** Why a message was not parsed. */
export type ComplexityReason =
  | 'too_many_parts'
  | 'too_deep'
  | 'header_too_large'
  /** It took more processor time than allowed. */
  | 'too_costly'
  | 'too_much_memory'
  /** The text to show or to edit is too large. */
  | 'too_long';

/** The message exceeds a bound of the parser. It may be stored, but not processed further. */
export class MessageTooComplex extends Error {
  readonly reason: ComplexityReason;

  constructor(reason: ComplexityReason) {
    super(`message too complex: ${reason}`);
    this.name = 'MessageTooComplex';
    this.reason = reason;
  }
}

/** Whether no later attempt could read the message either. */
export function isUnreadable(error: unknown): boolean {
  return isContentLost(error) || error instanceof MessageTooComplex;
}
