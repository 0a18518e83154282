import { TextDecoder } from 'node:util';
import { decodeBytes } from '../decode-bytes.ts';
import { readText } from './header-block.ts';
import { type Parameter, structureLimits } from './message-structure.ts';

/** The value of Content-Type or Content-Disposition. */
export interface MimeValue {
  /** The text before the first semicolon, in lower case. */
  value: string;
  /**
   * The parameters in their order, with names in lower case. The values are undecoded binary text.
   */
  raw: Map<string, string>;
}

const semicolon = 0x3b;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Splits a value into its parameters (RFC 2045 5.1). If a parameter is repeated, the first counts.
 * A comment is recognised only at the end of a value: unquoted file names with brackets are common.
 */
export function readMimeValue(text: string): MimeValue {
  const [value = '', ...rest] = splitAtSemicolons(text);
  const raw = new Map<string, string>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    if (name !== '' && !raw.has(name)) raw.set(name, unquote(withoutComment(piece.slice(equals + 1).trim())));
  }
  return { value: withoutComment(value.trim()).toLowerCase(), raw };
}

/** The text of a field without a comment at its end. */
export function withoutComment(text: string): string {
  if (!text.endsWith(')')) return text;
  const open = text.lastIndexOf('(');
  return open < 0 ? text : text.slice(0, open).trimEnd();
}

/** Returns at most as many pieces as a value can have parameters in all their sections. */
function splitAtSemicolons(text: string): string[] {
  const pieces: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < text.length && pieces.length < 200; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) isQuoted = !isQuoted;
    else if (sign === backslash && isQuoted) at++;
    else if (sign === semicolon && !isQuoted) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (pieces.length < 200) pieces.push(text.slice(start));
  return pieces;
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  const closing = /^"(?:[^"\\]|\\.)*"/s.exec(text)?.[0];
  const inner = closing === undefined ? text.slice(1) : closing.slice(1, -1);
  return inner.replace(/\\(.)/gs, '$1');
}

/** A parameter that is written in sections, or encoded (RFC 2231 3 and 4). */
interface Sections {
  texts: string[];
  charset: string | null;
}

/** The parameters as text, within the bounds. Sections are joined and encoded ones are decoded. */
export function decodeParameters(raw: ReadonlyMap<string, string>): Parameter[] {
  const decoded = new Map<string, string>();
  const extended = new Map<string, Sections>();
  for (const [name, value] of raw) {
    const parts = /^([^*]+)\*(?:(0|[1-9]\d{0,2})(\*?))?$/.exec(name);
    if (parts === null) setIfNew(decoded, name, readText(value));
    else addSection(extended, parts, value);
  }
  for (const [name, { texts, charset }] of extended) {
    decoded.set(name, readText(decodeCharset(inOrder(texts), charset)));
  }
  return bounded(decoded);
}

/** A parameter as binary text with its sections joined; null when it is absent. */
export function rawParameter(raw: ReadonlyMap<string, string>, name: string): string | null {
  const plain = raw.get(name);
  if (plain !== undefined) return plain;
  const texts: string[] = [];
  for (let index = 0; raw.has(`${name}*${index}`); index++) texts.push(raw.get(`${name}*${index}`) ?? '');
  return texts.length > 0 ? texts.join('') : null;
}

function addSection(all: Map<string, Sections>, [, name = '', index = '0', star]: RegExpExecArray, value: string) {
  const sections = all.get(name) ?? { texts: [], charset: null };
  all.set(name, sections);
  // `name*` is encoded; `name*0` is not, and `name*0*` is
  const isEncoded = star !== '';
  let text = value;
  const prefix = isEncoded && index === '0' ? /^([^']*)'[^']*'/.exec(value) : null;
  if (prefix) {
    sections.charset = prefix[1] || 'us-ascii';
    text = value.slice(prefix[0].length);
  }
  sections.texts[Number(index)] = isEncoded ? percentDecoded(text) : text;
}

/** Joins sections in order. A missing section ends the value. */
function inOrder(texts: readonly (string | undefined)[]): string {
  const gap = Array.from(texts).indexOf(undefined);
  return texts.slice(0, gap < 0 ? texts.length : gap).join('');
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * Converts binary text in a charset to binary text in UTF-8, so that all values are read in one
 * way.
 */
function decodeCharset(binary: string, charset: string | null): string {
  if (charset === null || /^(?:us-ascii|utf-?8)$/i.test(charset)) return binary;
  const bytes = Buffer.from(binary, 'latin1');
  return Buffer.from(decodeWith(charset, bytes)).toString('latin1');
}

function decodeWith(charset: string, bytes: Buffer): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset
    return decodeBytes(bytes);
  }
}

function setIfNew(values: Map<string, string>, name: string, value: string): void {
  if (!values.has(name)) values.set(name, value);
}

function bounded(values: ReadonlyMap<string, string>): Parameter[] {
  const list: Parameter[] = [];
  let left: number = structureLimits.parametersLength;
  for (const [binaryName, value] of values) {
    const name = readText(binaryName, 100);
    left -= name.length + value.length;
    if (left < 0 || list.length === structureLimits.parameters) break;
    list.push([name, value]);
  }
  return list;
}
