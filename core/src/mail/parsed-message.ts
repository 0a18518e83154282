import type { Addr } from './addresses.ts';

/** A file that a message carries. */
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
  /** Decoded bytes. */
  size: number;
  /** Content-ID without its angle brackets. */
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  /**
   * A part of the text, and no file to a reader: a picture that the text shows (multipart/related,
   * by its Content-ID) and browsers can, or what the text says too.
   */
  related: boolean;
  /** Hash of the decoded bytes, hexadecimal. */
  sha256: string;
  /** Present only with `keepContent`. */
  content?: Buffer;
}

/** What a message says of the list that it came by. */
export interface ListFields {
  /** The name of a mailing list (RFC 2919); null when it is none, or says none. */
  id: string | null;
  unsubscribe: Unsubscribe;
  /** The address that mail to all of the list goes to (RFC 2369 3.4); null where it names none. */
  post: string | null;
}

/** The ways out of a list that its messages name (RFC 2369), each the first of its kind. */
export interface Unsubscribe {
  https: string | null;
  mailto: string | null;
  /** Whether a request without a person's further doing ends it (RFC 8058). */
  isOneClick: boolean;
}

export const noList: ListFields = {
  id: null,
  unsubscribe: { https: null, mailto: null, isOneClick: false },
  post: null,
};

/**
 * What the host knows about a message. No text has a NUL, and no header text has control
 * characters.
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
  /** A program or a list has sent it, as its header says (RFC 3834). */
  isAutomatic: boolean;
  text: string | null;
  html: string | null;
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
  /** Of one part's header block. */
  maxHeaderBytes: number;
  /** Of the text and of the HTML, each. A longer one is cut. */
  maxTextBytes: number;
  timeoutMs: number;
}

/** The bounds unless the caller gives others. */
export const defaultParseLimits: ParseLimits = {
  maxParts: 1000,
  maxDepth: 50,
  maxHeaderBytes: 1_048_576,
  maxTextBytes: 5 * 1_048_576,
  timeoutMs: 20_000,
};

/** A message without its text: what its rows keep of it. */
export type MessageSummary = Omit<ParsedMessage, 'text' | 'html'>;

/** A summary with what else is stored of a message on its arrival. */
export interface StorableSummary extends MessageSummary {
  /** A MessageStructure as JSON of at most 64 KB. */
  structure: string;
}

/** Why a message was not parsed. */
export type ComplexityReason =
  | 'too_many_parts'
  | 'too_deep'
  | 'header_too_large'
  | 'parse_timeout'
  /** It took more processor time than a message may. */
  | 'too_costly'
  | 'too_much_memory'
  /** What would be shown of it is too large. */
  | 'too_long';

/** The message exceeds a bound of the parser. It may be kept, but not worked on further. */
export class MessageTooComplex extends Error {
  readonly reason: ComplexityReason;

  constructor(reason: ComplexityReason) {
    super(`message too complex: ${reason}`);
    this.name = 'MessageTooComplex';
    this.reason = reason;
  }
}
