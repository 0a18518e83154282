import { isAscii } from 'node:buffer';
import { bodyOffset } from './crlf.ts';
import { closingMark } from './closing-mark.ts';
import {
  encodeBase64,
  encodeQuotedPrintable,
  escapeRawBytes,
  wrapBase64,
  wrapQuotedPrintable,
} from './transfer-encoding.ts';

/** RFC 5322 2.1.1, without the CRLF. */
const longestLine = 998;
/** The preferred length of a header line, at which it is folded if it can be. */
const foldAt = 78;
const crlf = Buffer.from('\r\n');
const deepest = 20;

/** The message in a form that the mail server accepts, or why there is no such form. */
export type FittedMessage = { kind: 'fits'; raw: Buffer } | { kind: 'refused'; text: string };

class Unfit extends Error {}

/**
 * Makes the lines of a message that is not signed yet short enough for SMTP. Header fields are
 * folded at their white space. A body with a longer line gets another transfer encoding, so that
 * its reader sees the same text. A signed part can't be changed, so the message is refused. A DKIM
 * signature of the program that wrote the message becomes invalid, but this host adds its own.
 * Lines must end with CRLF. A message whose lines fit stays byte for byte.
 */
export function fitLines(raw: Buffer): FittedMessage {
  return hasLongLine(raw) ? fit(raw, shortLines) : { kind: 'fits', raw };
}

/**
 * Makes a message that is not signed yet fit for a server without 8BITMIME (RFC 6152 3): 8-bit
 * bodies get another transfer encoding, part by part. Header fields stay as they are, also 8-bit
 * ones, which that extension does not cover. A message with a DKIM signature, or a signed part, is
 * refused: what another program signed must not be changed, and 8-bit text must not be sent to a
 * server that may damage it.
 */
export function toSevenBit(raw: Buffer): FittedMessage {
  const body = bodyOffset(raw);
  if (isAscii(raw.subarray(body))) return { kind: 'fits', raw };
  if (/^dkim-signature[ \t]*:/im.test(raw.toString('latin1', 0, body)))
    return { kind: 'refused', text: 'it has 8-bit text, and changing it would break its DKIM signature' };
  return fit(raw, sevenBit);
}

/** Which bytes of a message must be changed, and how. */
interface Rule {
  isUnfit: (bytes: Buffer) => boolean;
  /** The problem, in words for the sender. */
  what: string;
  foldsHeader: boolean;
  /** Changes bytes that no reader shows. */
  fitUnseen: (bytes: Buffer) => Buffer;
  /** Changes a quoted-printable body with such bytes. */
  fitQuotedPrintable: (bytes: Buffer) => Buffer;
  /** The transfer encoding that a multipart or a message declares afterwards; null leaves it. */
  outer: '7bit' | null;
}

const shortLines: Rule = {
  isUnfit: hasLongLine,
  what: 'a line longer than 998 bytes',
  foldsHeader: true,
  fitUnseen: wrapUnseen,
  fitQuotedPrintable: wrapQuotedPrintable,
  outer: null,
};

const sevenBit: Rule = {
  isUnfit: (bytes) => !isAscii(bytes),
  what: '8-bit text',
  foldsHeader: false,
  fitUnseen: (bytes) => Buffer.from(bytes.toString('latin1').replace(/[\x80-\xff]/g, '?'), 'latin1'),
  fitQuotedPrintable: escapeRawBytes,
  outer: '7bit',
};

function fit(raw: Buffer, rule: Rule): FittedMessage {
  try {
    return { kind: 'fits', raw: fitEntity(raw, { rule, depth: 0 }, true) };
  } catch (error) {
    if (error instanceof Unfit) return { kind: 'refused', text: error.message };
    throw error;
  }
}

/** True when a line is longer than 998 bytes. */
export function hasLongLine(bytes: Buffer): boolean {
  // Goes as far as one line may reach, so that a file of many short lines takes few steps
  for (let start = 0; bytes.length - start > longestLine; ) {
    const end = bytes.lastIndexOf('\r\n', start + longestLine);
    if (end < start) return true;
    start = end + 2;
  }
  return false;
}

interface Place {
  rule: Rule;
  depth: number;
}

const below = ({ rule, depth }: Place): Place => ({ rule, depth: depth + 1 });

/** A message, or a part of one: header, blank line, body. */
function fitEntity(entity: Buffer, place: Place, isMessage = false): Buffer {
  const { rule, depth } = place;
  const bodyAt = bodyOffset(entity);
  const body = entity.subarray(bodyAt);
  const isBodyUnfit = rule.isUnfit(body);
  if (!isBodyUnfit && !(rule.foldsHeader && hasLongLine(entity.subarray(0, bodyAt)))) return entity;
  if (depth > deepest) throw new Unfit(`it has ${rule.what}, nested too deeply to be changed`);
  const header = new EntityHeader(entity.toString('latin1', 0, bodyAt));
  const fitted = isBodyUnfit ? fitBody(header, body, place) : body;
  return Buffer.concat([Buffer.from(header.folded(isMessage), 'latin1'), fitted]);
}

function fitBody(header: EntityHeader, body: Buffer, place: Place): Buffer {
  const { type, encoding } = header;
  const { what, outer, fitQuotedPrintable } = place.rule;
  const isIdentity = encoding === '' || ['7bit', '8bit', 'binary'].includes(encoding);
  if (type === 'multipart/signed' || type === 'multipart/encrypted')
    throw new Unfit(`a signed part has ${what}, and changing it would break the signature`);
  const isEmbedded = isIdentity && (type === 'message/rfc822' || type === 'message/global');
  if (isEmbedded || type.startsWith('multipart/')) {
    const fitted = isEmbedded ? fitEntity(body, below(place), true) : fitParts(body, header.boundary(), place);
    if (outer && encoding !== '') header.encoding = outer;
    return fitted;
  }
  if (encoding === 'base64') return wrapBase64(body);
  if (encoding === 'quoted-printable') return fitQuotedPrintable(body);
  if (!isIdentity || type.startsWith('message/'))
    throw new Unfit(`a ${type} part has ${what}, and the part cannot be encoded anew`);
  const isText = type.startsWith('text/') && isMostlyAscii(body);
  header.encoding = isText ? 'quoted-printable' : 'base64';
  return isText ? encodeQuotedPrintable(body) : encodeBase64(body);
}

/** Base64 is shorter when one byte in six or more would have to be escaped. */
function isMostlyAscii(body: Buffer): boolean {
  let others = 0;
  for (const byte of body) if (byte > 126) others += 1;
  return others * 6 < body.length;
}

/**
 * Fits the parts of a multipart body. Readers don't show the bytes before the first part and after
 * the last one.
 */
function fitParts(body: Buffer, boundary: string | null, place: Place): Buffer {
  const { what, fitUnseen } = place.rule;
  if (boundary === null) throw new Unfit(`a multipart body without a boundary has ${what}`);
  const out: Buffer[] = [];
  let start = 0;
  let isInside = false;
  for (const { at, end, isLast } of delimiters(body, boundary)) {
    // The CRLF before a delimiter belongs to the delimiter (RFC 2046 5.1.1)
    const piece = body.subarray(start, Math.max(start, at - 2));
    out.push(isInside ? fitEntity(piece, below(place)) : fitUnseen(piece), body.subarray(Math.max(start, at - 2), end));
    start = end;
    isInside = !isLast;
    if (isLast) break;
  }
  const rest = body.subarray(start);
  out.push(isInside ? fitEntity(rest, below(place)) : fitUnseen(rest));
  return Buffer.concat(out);
}

interface Delimiter {
  at: number;
  /** The position after its line end. */
  end: number;
  isLast: boolean;
}

function* delimiters(body: Buffer, boundary: string): Generator<Delimiter> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let end = 0;
  // A boundary in the middle of a line is no delimiter, so the search goes on with the next line
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, end)) {
    const lineEnd = body.indexOf('\n', at);
    end = lineEnd < 0 ? body.length : lineEnd + 1;
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    const rest = body.toString('latin1', at + mark.length, Math.min(end, at + mark.length + longestLine));
    const found = /^(--)?[ \t]*(?:\r\n)?$/.exec(rest);
    if (found) yield { at, end, isLast: found[1] !== undefined };
  }
}

function wrapUnseen(bytes: Buffer): Buffer {
  if (!hasLongLine(bytes)) return bytes;
  const pieces: Buffer[] = [];
  let taken = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\r\n', start);
    const end = found < 0 ? bytes.length : found;
    for (let at = start + longestLine; at < end; at += longestLine) {
      pieces.push(bytes.subarray(taken, at), crlf);
      taken = at;
    }
    start = end + 2;
  }
  return Buffer.concat([...pieces, bytes.subarray(taken)]);
}

/** The header block of a message or a part, as binary text. */
class EntityHeader {
  readonly type: string;
  encoding: string;
  private readonly fields: string[];
  private readonly given: string;
  private readonly contentType: string;

  constructor(block: string) {
    this.fields = block.replace(/(?:\r\n)+$/, '').split(/\r\n(?![ \t])/);
    this.contentType = this.value('content-type');
    this.type = (/^[^\s;]+/.exec(this.contentType)?.[0] ?? 'text/plain').toLowerCase();
    this.given = this.value('content-transfer-encoding').toLowerCase();
    this.encoding = this.given;
  }

  boundary(): string | null {
    const found = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(this.contentType);
    const boundary = found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2] ?? '';
    // RFC 2046 5.1.1 allows 70 characters. A boundary that fits into no line can't occur in the
    // body
    return boundary === '' || boundary.length > longestLine ? null : boundary;
  }

  /**
   * The block with short lines and its final blank line. It names the present encoding of the body.
   */
  folded(isMessage: boolean): string {
    const isChanged = this.encoding !== this.given;
    const kept = isChanged ? this.fields.filter((field) => !isNamed(field, 'content-transfer-encoding')) : this.fields;
    const lines = kept.filter((field) => field !== '').map((field) => foldField(field));
    if (isChanged && isMessage && this.value('mime-version') === '') lines.push('MIME-Version: 1.0');
    if (isChanged) lines.push(`Content-Transfer-Encoding: ${this.encoding}`);
    return `${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
  }

  private value(name: string): string {
    const field = this.fields.find((candidate) => isNamed(candidate, name)) ?? '';
    return field
      .slice(field.indexOf(':') + 1)
      .replaceAll('\r\n', '')
      .trim();
  }
}

function isNamed(field: string, name: string): boolean {
  return field.slice(0, field.indexOf(':')).trim().toLowerCase() === name;
}

/** Fields in which white space may be inserted after each comma. */
const addressFields = new Set(['from', 'to', 'cc', 'bcc', 'reply-to', 'sender']);

function foldField(field: string): string {
  const lines = field.split('\r\n');
  if (lines.every((line) => line.length <= longestLine)) return field;
  const name = field.slice(0, field.indexOf(':')).trim().toLowerCase();
  const spaced = addressFields.has(name) ? spaceCommas(field).split('\r\n') : lines;
  return spaced.map((line) => foldLine(line, name)).join('\r\n');
}

/**
 * Inserts a space after commas, except in a quoted name. Each character is read twice at most: if
 * one quotation mark is not closed, no later one is either, so no further search begins.
 */
function spaceCommas(field: string): string {
  const pieces: string[] = [];
  let start = 0;
  let isUnclosed = false;
  for (let at = 0; at < field.length; at++) {
    if (field[at] === '"' && !isUnclosed) {
      const end = closingMark(field, at);
      isUnclosed = end < 0;
      if (end > 0) at = end;
    } else if (field[at] === ',' && /\S/.test(field[at + 1] ?? ' ')) {
      pieces.push(field.slice(start, at + 1));
      start = at + 1;
    }
  }
  pieces.push(field.slice(start));
  return pieces.join(' ');
}

function foldLine(line: string, name: string): string {
  const out: string[] = [];
  // A folded line must not consist of white space alone, so no line begins after the last word
  let lastWord = line.length - 1;
  while (isWhite(line[lastWord])) lastWord--;
  let start = 0;
  while (line.length - start > foldAt) {
    const at = foldPoint(line, start);
    if (at < 0 || at > lastWord) break;
    out.push(line.slice(start, at));
    start = at;
  }
  out.push(line.slice(start));
  if (out.some((folded) => folded.length > longestLine))
    throw new Unfit(`a line of the header field "${name.slice(0, 80)}" is longer than 998 bytes and cannot be folded`);
  return out.join('\r\n');
}

/**
 * Where to fold: at the last white space within the preferred length, but after the first word. If
 * there is none, at the next one after both; -1 when there is none at all.
 */
function foldPoint(line: string, start: number): number {
  let firstWord = start;
  while (isWhite(line[firstWord])) firstWord++;
  for (let at = start + foldAt; at > firstWord; at--) if (isWhite(line[at])) return at;
  for (let at = Math.max(start + foldAt, firstWord); at < line.length; at++) if (isWhite(line[at])) return at;
  return -1;
}

function isWhite(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t';
}
