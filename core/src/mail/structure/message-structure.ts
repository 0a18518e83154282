/*
 * The MIME structure of a stored message, which a server such as IMAP needs for ENVELOPE,
 * BODYSTRUCTURE and single parts (RFC 9051 6.4.5 and 7.5.2). It is computed once, when the message
 * is parsed on its arrival, and stored as JSON beside the message's row. It is independent of any
 * protocol's syntax.
 *
 * Offsets count bytes of the blob as it is stored: without the trace headers of this host, which
 * are in the row, and with every Authentication-Results field that a sender forged. Those fields
 * are only in the message's own header, so every other range is the same for a reader. `readPart`
 * removes them from the own header with `removeForgedResults`, and puts the trace headers before
 * it.
 *
 * Text is kept as it is written: unfolded, control characters as spaces, raw 8-bit bytes read as
 * UTF-8, else as Windows-1252. Encoded words (RFC 2047) are not decoded, since a mail program
 * expects them in ENVELOPE and BODYSTRUCTURE. Parameters are decoded by RFC 2231. Fields that are
 * absent or empty are left out of the JSON.
 *
 * Section numbers are not kept: they follow from the tree. See `findSection`.
 */

/**
 * Incremented with each change of the format. A structure of an older version is computed again.
 */
export const structureVersion = 1;

/** A name in lower case and its value. */
export type Parameter = [name: string, value: string];

/** One part: the root of a message, or a part of a multipart. */
export interface StructurePart {
  /**
   * The media type in lower case. For a part that names none, or an invalid one, it is text/plain,
   * or in a digest message/rfc822 (RFC 2045 5.2, RFC 2046 5.1.5).
   */
  type: string;
  parameters?: Parameter[];
  /** Content-ID with its angle brackets. */
  id?: string;
  description?: string;
  /** Content-Transfer-Encoding in lower case; absent means 7bit. */
  encoding?: string;
  /** Content-MD5 as written. */
  md5?: string;
  /** Content-Disposition; its type is in lower case. */
  disposition?: { type: string; parameters?: Parameter[] };
  language?: string[];
  location?: string;
  /** Offset of the first byte of the header. */
  header: number;
  /** Offset of the body, after the blank line. Equal to `end` when there is no body. */
  body: number;
  /**
   * Offset after the last byte of the body. The line end before a boundary belongs to the boundary.
   * The size of the body as it is encoded is `end - body`.
   */
  end: number;
  /** Number of line ends in the body; only for text and embedded messages. */
  lines?: number;
  /** The parts of a multipart; empty when it has none. */
  parts?: StructurePart[];
  /** The message inside a message/rfc822 or message/global. */
  message?: MessagePart;
  /**
   * The contents are not known: the part is a multipart without a boundary, an encoded embedded
   * message, or has parts beyond a bound. The type is application/octet-stream then.
   */
  opaque?: true;
}

/** The root of a message, embedded or not. Its header is the header of the message. */
export interface MessagePart extends StructurePart {
  envelope: Envelope;
}

/** The structure of a whole message. */
export interface MessageStructure {
  version: number;
  root: MessagePart;
}

/**
 * The fields of a message that RFC 9051 7.5.2 calls its envelope. A server uses `from` for a
 * `sender` or `replyTo` that is absent. Repeated address fields are joined; of other fields the
 * first counts.
 */
export interface Envelope {
  /** The Date field as written. */
  date?: string;
  subject?: string;
  from?: EnvelopeAddress[];
  sender?: EnvelopeAddress[];
  replyTo?: EnvelopeAddress[];
  to?: EnvelopeAddress[];
  cc?: EnvelopeAddress[];
  bcc?: EnvelopeAddress[];
  inReplyTo?: string;
  messageId?: string;
  /**
   * Some addresses were left out, since there were too many. The message's header has all of them.
   */
  isCut?: true;
}

/** A mailbox, or a group of them (RFC 5322 3.4). */
export type EnvelopeAddress = EnvelopeMailbox | { group: string; members: EnvelopeMailbox[] };

/** A mailbox. `host` is empty when the address has no domain, as broken headers have it. */
export interface EnvelopeMailbox {
  name?: string;
  mailbox: string;
  host: string;
}

/**
 * Bounds of a structure. They keep a row small, whatever a sender puts into a message: within them
 * the longest fields of one part and its envelope take less than 64 KB, so a structure of the root
 * alone always fits.
 */
export const structureLimits = {
  /**
   * The most bytes of the JSON in UTF-8. Beyond it, parts are left out from the deepest level
   * upwards.
   */
  jsonBytes: 65_536,
  /** The most parts and embedded messages. Beyond it, the whole message is opaque. */
  parts: 1000,
  /** The most nested multiparts and embedded messages. Deeper ones are opaque. */
  depth: 50,
  /** The most bytes of one header. The rest of it is ignored. */
  headerBytes: 262_144,
  /** The most bytes of one field with its continuation lines. */
  fieldLength: 65_536,
  /** The most characters of one text. */
  textLength: 998,
  /** The most parameters of one field, and the most characters of all their names and values. */
  parameters: 20,
  parametersLength: 2000,
  /** The most bytes of the address lists of one envelope, as JSON in UTF-8. */
  addressBytes: 24_576,
} as const;
