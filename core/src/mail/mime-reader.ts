import { isUtf8 } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';
import { MailParser } from 'mailparser';
import { assertLibrary } from '../assert-library.ts';
import { Base64TextDecoder } from './base64-text.ts';
import { correctBoundaries, type Splitter } from './boundaries.ts';
import { bodyOffset } from './crlf.ts';
import { charsetByLabel, decodeBinary, decodeBytes, decodeHtml, decodeWording, isBelievable } from './decode-bytes.ts';
import { type ComplexityReason, MessageTooComplex, type ParseLimits } from './parsed-message.ts';
import { separateRawText } from './raw-text-in-words.ts';
import { rawParameter, readMimeValue } from './structure/mime-value.ts';
import { isUuencode, UuDecoder } from './uudecode.ts';

/** The fields of mailsplit's chunks that are used here. */
interface SplitChunk {
  /** Set here for a flowed text (RFC 3676), whose lines `assembleBody` joins. */
  isFlowed?: boolean;
  type: 'node' | 'data' | 'body';
  parentNode?: SplitChunk | false;
  contentType?: string | false;
  disposition?: string | false;
  filename?: string | false;
  charset?: string | false;
  encoding?: string | false;
  flowed?: boolean;
  delSp?: boolean;
  headers?: { hasHeader(name: string): boolean; getList(): HeaderLine[] } | false;
  getDecoder?: () => Transform;
  value?: Buffer;
}

/** A field of a header block: `line` is the whole field as binary text. */
export interface HeaderLine {
  key: string;
  line: string;
}

/** A node of mailparser's tree, with its decoded text. */
export interface TreeNode {
  contentType: string | false;
  /** For a file, the same object as in its stream. */
  headers: object;
  isAttachment?: boolean;
  /** The Content-Transfer-Encoding. */
  encoding?: string | false;
  textContent?: string;
  node: Pick<SplitChunk, 'isFlowed' | 'delSp' | 'filename' | 'disposition'>;
  children: TreeNode[];
}

/**
 * Members of mailparser's class that its published types lack. Nothing else in Selvage uses them.
 */
interface ParserInternals {
  options: object;
  tree: TreeNode | false;
  curnode: TreeNode | false;
  headerLines: HeaderLine[] | false;
  decoder: { decodeStream(charset: string): NodeJS.ReadWriteStream };
  splitter: Splitter;
  libmime: { decodeWords(text: string): string };
  createNode(data: SplitChunk): TreeNode;
  processChunk(data: SplitChunk, done: (error?: Error | null) => void): void;
}

const parser = MailParser.prototype as unknown as Record<string, unknown>;
const { splitter: ofParser } = new MailParser() as unknown as ParserInternals;
assertLibrary({
  name: 'mailparser',
  version: '3.9.31',
  from: import.meta.url,
  members: {
    createNode: typeof parser['createNode'] === 'function',
    processChunk: typeof parser['processChunk'] === 'function',
    processHeaders: typeof parser['processHeaders'] === 'function',
    getTextContent: typeof parser['getTextContent'] === 'function',
    compareBoundary: typeof ofParser?.compareBoundary === 'function',
    checkBoundary: typeof ofParser?.checkBoundary === 'function',
    parentBoundary: ofParser?.node?._parentBoundary === false,
    parentBoundaryOwner: ofParser?.node?._parentBoundaryOwner === false,
  },
});

/** Stands for the charset of a text that declares none, or one that is often wrong. */
const guessed = 'x-guess';
const guessedOfHtml = 'x-guess-html';

/**
 * mailparser with the bounds and corrections that this host needs. Nesting is limited, header
 * values are not interpreted twice, embedded messages stay whole. A text without a believable
 * charset is read as UTF-8; if it is not valid UTF-8, HTML is read in the charset that it names,
 * and all else as Windows-1252.
 */
export class MimeReader extends MailParser {
  partCount = 0;
  /** The charset of the first text that names one other than UTF-8. */
  charset: string | undefined;
  /** Whether the text is so long that its end was not read. */
  isTextCut = false;
  private readonly limits: ParseLimits;
  private textBytes = 0;
  private seenText = false;
  /** The beginning of the message as it came; null once a part was found in it. */
  private undivided: Buffer[] | null = [];
  private undividedBytes = 0;

  constructor(limits: ParseLimits) {
    super({
      checksumAlgo: 'sha256',
      ignoreEmbedded: true,
      maxHeadSize: limits.maxHeaderBytes,
      maxChildNodes: limits.maxParts,
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipImageLinks: true,
    } as object);
    this.limits = limits;
    const internals = this.internals();
    const original = internals.decoder;
    internals.decoder = { decodeStream: (charset) => decodeCharset(charset, original) };
    correctBoundaries(internals.splitter);
  }

  /** The field lines of the message's own header block, in order of appearance. */
  fields(): HeaderLine[] {
    const lines = this.internals().headerLines || [];
    return lines;
  }

  /** The tree of parts; null for an empty message. */
  root(): TreeNode | null {
    return this.internals().tree || null;
  }

  /** Whether no line of the header is a field, as in mail of devices that send text alone. */
  hasNoFields(): boolean {
    const lines = this.fields();
    return lines.length > 0 && lines.every(({ key, line }) => key === '' && line !== '');
  }

  /**
   * The body as it came when no part could be found in it; else null. Without a blank line, the
   * text begins with the first line that is no field.
   */
  undividedBody(): string | null {
    if (this.undivided === null) return null;
    const raw = Buffer.concat(this.undivided);
    const body = this.hasNoFields() ? raw : raw.subarray(bodyOffset(raw));
    return decodeBytes(body.length > 0 ? body : raw.subarray(endOfFields(raw)))
      .replaceAll('\0', '')
      .replaceAll('\r\n', '\n');
  }

  /**
   * Decodes RFC 2047 encoded words; text that cannot be decoded stays as it is. A word in UTF-16 or
   * UTF-7 may contain half a surrogate pair, which MariaDB rejects in JSON.
   */
  decodeWords(text: string): string {
    try {
      return this.internals().libmime.decodeWords(separateRawText(text)).toWellFormed();
    } catch {
      // An unknown charset: the raw word is better than nothing
      return text;
    }
  }

  /**
   * Replaces mailparser's method, which takes quadratic time to join repeated fields, and throws
   * for an empty field. Only two fields of a part are needed, and an empty one counts as missing.
   */
  processHeaders(lines: HeaderLine[] | null): Map<string, string> {
    const fields = ['content-id', 'content-type'].flatMap(
      (key) => (lines ?? []).find((line) => line.key === key) ?? [],
    );
    const values = fields.map(({ key, line }): [string, string] => [key, line.slice(line.indexOf(':') + 1).trim()]);
    return new Map(values.filter(([, value]) => value !== ''));
  }

  /** Replaces mailparser's method, since `assembleBody` joins the text. */
  getTextContent(): { type: 'text' } {
    return { type: 'text' };
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    if (this.undivided && this.undividedBytes < this.limits.maxTextBytes) {
      this.undivided.push(chunk);
      this.undividedBytes += chunk.length;
    }
    super._transform(chunk, encoding, done);
  }

  processChunk(data: SplitChunk, done: (error?: Error | null) => void): void {
    if (data.type === 'node') {
      const problem = this.admitPart(data);
      if (problem) return done(new MessageTooComplex(problem));
    } else if (data.type === 'body' && this.isTextOverLimit(data)) {
      return done();
    }
    try {
      MimeReader.parent().processChunk.call(this, data, done);
    } catch (error) {
      // A timer calls this function: an uncaught error would end the process
      done(error as Error);
    }
  }

  private admitPart(data: SplitChunk): ComplexityReason | null {
    this.partCount++;
    if (this.partCount > this.limits.maxParts) return 'too_many_parts';
    let depth = 0;
    for (let node = data.parentNode; node; node = node.parentNode) depth++;
    if (depth > this.limits.maxDepth) return 'too_deep';
    correctType(data);
    this.correctName(data);
    if (!isMultipart(data.contentType) && !isHeaderBroken(data)) this.undivided = null;
    if (isUuencode(data.encoding || '')) data.getDecoder = () => new UuDecoder();
    // RFC 2046 5.1.5: the parts of a digest are messages unless they say otherwise
    const isOfDigest = data.parentNode && data.parentNode.contentType === 'multipart/digest';
    if (isOfDigest && data.headers && !data.headers.hasHeader('Content-Type')) data.contentType = 'message/rfc822';
    if (data.contentType === 'text/plain' || data.contentType === 'text/html') this.correctText(data);
    return null;
  }

  /**
   * Decodes the raw bytes of a file name. mailsplit decodes only UTF-8, and leaves other bytes as
   * they are.
   */
  private correctName(data: SplitChunk): void {
    if (!data.filename || !data.headers || !/^[\0-\xff]*$/.test(data.filename)) return;
    const lines = data.headers.getList();
    const naming =
      lines.find(({ key, line }) => key === 'content-disposition' && /filename/i.test(line)) ??
      lines.find(({ key }) => key === 'content-type');
    if (!naming || isUtf8(Buffer.from(naming.line, 'latin1'))) return;
    const charset = this.charset ?? charsetByLabel(data.charset || '');
    data.filename = nameInLetters(naming.line, charset) ?? decodeBinary(data.filename, charset);
  }

  private correctText(data: SplitChunk): void {
    const parent = data.parentNode ? data.parentNode.contentType : false;
    // A reader sees a named text after the body as a file, even if the sender's program marks it as
    // inline
    if (data.filename && this.seenText && parent !== 'multipart/alternative') data.disposition = 'attachment';
    if (data.disposition !== 'attachment') {
      this.seenText = true;
      this.charset ??= charsetByLabel(data.charset || '');
      if (data.encoding === 'base64') data.getDecoder = () => new Base64TextDecoder();
    }
    // mailparser would join flowed lines across the marks of a quotation, before it knows their
    // charset
    data.isFlowed = data.flowed === true && data.contentType === 'text/plain';
    data.flowed = false;
    if (isBelievable(data.charset || '')) return;
    data.charset = data.contentType === 'text/html' ? guessedOfHtml : guessed;
  }

  private isTextOverLimit(data: SplitChunk): boolean {
    const node = this.internals().curnode;
    if (!node || node.isAttachment || node.contentType === false || isMultipart(node.contentType)) return false;
    // Each line of text becomes an object, so text that would be cut later must not be collected at
    // all
    const encoded = /^(?:quoted-printable|base64)$/i.test(node.encoding || '') ? 3 : 1;
    this.textBytes += (data.value?.length ?? 0) / encoded;
    // Twice the bound, for text and HTML
    this.isTextCut ||= this.textBytes > this.limits.maxTextBytes * 2;
    return this.isTextCut;
  }

  private internals(): ParserInternals {
    return this as unknown as ParserInternals;
  }

  private static parent(): ParserInternals {
    return MailParser.prototype as unknown as ParserInternals;
  }
}

/**
 * The file name in a field with a backslash, which may be the second byte of a letter in Shift_JIS,
 * GBK or Big5. So the field is decoded before it is parsed. Null when the field has no backslash,
 * or no plain name.
 */
function nameInLetters(line: string, charset: string | undefined): string | null {
  if (!line.includes('\\')) return null;
  const field = decodeBinary(line, charset).replace(/[\r\n]+/g, '');
  const { raw } = readMimeValue(field.slice(field.indexOf(':') + 1));
  return rawParameter(raw, 'filename') ?? rawParameter(raw, 'name');
}

/**
 * RFC 2045 5.2: a part with an invalid type is read as plain text. HTML stays HTML, and a part that
 * may be a file stays a file.
 */
function correctType(data: SplitChunk): void {
  const written = data.contentType || '';
  const isText = written.startsWith('text/') || !written.includes('/');
  if (!isText || /^text\/[^\s,/]+$/.test(written) || data.filename || data.disposition === 'attachment') return;
  data.contentType = /^text\/html\b/.test(written) ? 'text/html' : 'text/plain';
  data.charset ||= /\bcharset="?([\w.:+-]{1,40})/.exec(written)?.[1] ?? false;
}

function isMultipart(contentType: string | false | undefined): boolean {
  return contentType ? contentType.startsWith('multipart/') : false;
}

/**
 * Whether a line of the header is no field. Then the part lacks its header, and the blank line too.
 */
function isHeaderBroken({ headers }: SplitChunk): boolean {
  return headers ? headers.getList().some(({ key, line }) => key === '' && line !== '') : false;
}

/** The offset of the first line that is no field. */
function endOfFields(header: Buffer): number {
  let at = 0;
  for (const line of header.toString('latin1').split('\n')) {
    const isField = /^(?:[!-9;-~]+[ \t]*:|[ \t]|\r?$)/.test(line) || (at === 0 && /^>?From /.test(line));
    if (!isField) break;
    at += line.length + 1;
  }
  return Math.min(at, header.length);
}

function decodeCharset(charset: string, original: ParserInternals['decoder']): NodeJS.ReadWriteStream {
  if (charset === guessed) return new GuessingDecoder(decodeWording);
  if (charset === guessedOfHtml) return new GuessingDecoder(decodeHtml);
  try {
    return original.decodeStream(charset);
  } catch {
    // An unknown charset
    return new GuessingDecoder(decodeBytes);
  }
}

/** Collects the bytes of a text and outputs them as UTF-8. */
class GuessingDecoder extends Transform {
  private readonly chunks: Buffer[] = [];
  private readonly decode: (bytes: Buffer) => string;

  constructor(decode: (bytes: Buffer) => string) {
    super();
    this.decode = decode;
  }

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    this.chunks.push(Buffer.from(chunk as Buffer));
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.decode(Buffer.concat(this.chunks))));
  }
}
