import { mostTnefFiles } from './parsed-message.ts';
import { decompressRtf, mostTokens, textOfRtf } from './rtf-text.ts';
import { TnefBytes, TnefDamaged } from './tnef-bytes.ts';
import { decodeText, fileOf, type Property, propertyIds, readProperties, textOf } from './tnef-properties.ts';

/*
 * winmail.dat (MS-OXTNEF): what Outlook sends instead of MIME parts to recipients that it believes
 * to use Exchange. A stream is a signature and then attributes, each with a length and a checksum.
 * Files follow each other, each begun by an attribute of its own.
 *
 * Why no library: node-tnef is a command line program, has the dependencies of one, and sets no
 * bounds.
 */

/** A file in the stream. The sender chooses its name and type. */
export interface TnefFile {
  filename: string;
  contentType: string | null;
  contentId: string | null;
  content: Buffer;
}

/** The contents of a stream. */
export interface Unpacked {
  files: TnefFile[];
  text: string | null;
  html: string | null;
  /** Whether the text lacks its end, and no file has it. */
  isCut?: boolean;
  /** Whether all of it was read; false when it is cut off, damaged or over a bound. */
  isWhole: boolean;
}

const signature = 0x223e9f78;
const attribute = {
  subject: 0x00018004,
  body: 0x0002800c,
  messageProperties: 0x00069003,
  codePage: 0x00069007,
  fileBegins: 0x00069002,
  fileName: 0x00018010,
  fileData: 0x0006800f,
  fileProperties: 0x00069005,
} as const;

const mostNested = 4;
/** The most characters of a text or of HTML. */
const longestBody = 2_000_000;

interface OpenFile {
  name: Buffer | null;
  data: Buffer | null;
  properties: Map<number, Property>;
}

interface Found {
  codePage: number;
  subject: string;
  body: Buffer | null;
  properties: Map<number, Property>;
  files: OpenFile[];
}

/** Whether a file is such a stream, by its type or its usual name. */
export function isTnef(contentType: string, filename: string): boolean {
  if (/^application\/(?:vnd\.)?ms-tnef$/.test(contentType)) return true;
  return contentType === 'application/octet-stream' && /^(?:winmail|win)\.dat$/i.test(filename);
}

/** How much more may be unpacked from a message. */
export interface TnefRoom {
  files: number;
  /** Tokens of RTF. A few kilobytes of RTF may take as long to read as a whole message. */
  tokens: number;
}

/** The limits for one message, however many streams it has. */
export function tnefRoom(): TnefRoom {
  return { files: mostTnefFiles, tokens: mostTokens };
}

/**
 * The files and the text of a stream. It never throws: from a damaged stream it returns what comes
 * before the damage. Time and memory are linear; contents are views of the stream.
 */
export function unpackTnef(stream: Buffer, room = tnefRoom(), depth = 0): Unpacked {
  const found: Found = { codePage: 1252, subject: '', body: null, properties: new Map(), files: [] };
  let isWhole = true;
  try {
    readAttributes(new TnefBytes(stream), found);
  } catch (error) {
    if (!(error instanceof TnefDamaged)) throw error;
    isWhole = false;
  }
  const files: TnefFile[] = [];
  for (const file of found.files) {
    const taken = takeFile(file, found.codePage, { depth, room });
    files.push(...taken.files);
    isWhole &&= taken.isWhole;
  }
  const body = bodyOf(found, room);
  return { files, ...body, isWhole: isWhole && body.isWhole };
}

function readAttributes(bytes: TnefBytes, found: Found): void {
  if (bytes.u32() !== signature) throw new TnefDamaged('no such stream');
  bytes.u16();
  while (bytes.left > 0) {
    // A few programs end the stream with zeros
    if (bytes.left < 11) return;
    bytes.u8();
    const id = bytes.u32();
    const data = bytes.take(bytes.u32());
    const sum = bytes.u16();
    if (sum !== sumOf(data)) throw new TnefDamaged('a wrong sum');
    takeAttribute(found, id, data);
  }
}

function sumOf(data: Buffer): number {
  let sum = 0;
  for (const byte of data) sum = (sum + byte) & 0xffff;
  return sum;
}

function takeAttribute(found: Found, id: number, data: Buffer): void {
  if (id === attribute.codePage && data.length >= 4) found.codePage = data.readUInt32LE();
  else if (id === attribute.subject) found.subject = decodeText(data.subarray(0, 1000), found.codePage);
  else if (id === attribute.body) found.body = data;
  else if (id === attribute.messageProperties) found.properties = readProperties(data);
  else if (id === attribute.fileBegins) {
    if (found.files.length >= mostTnefFiles) throw new TnefDamaged('too many files');
    found.files.push({ name: null, data: null, properties: new Map() });
  }
  const file = found.files.at(-1);
  if (!file) return;
  if (id === attribute.fileName) file.name = data;
  else if (id === attribute.fileData) file.data = data;
  else if (id === attribute.fileProperties) file.properties = readProperties(data);
}

interface Nesting {
  depth: number;
  room: TnefRoom;
}

/** Unpacks a file. If the file is a message, returns the text and the files of that message. */
function takeFile(file: OpenFile, codePage: number, { depth, room }: Nesting): { files: TnefFile[]; isWhole: boolean } {
  const { properties } = file;
  const object = properties.get(propertyIds.attachData);
  const { content, isMessage } = object ? fileOf(object) : { content: file.data, isMessage: false };
  const named = [propertyIds.attachLongName, propertyIds.attachName, propertyIds.displayName]
    .map((id) => textOf(properties.get(id), codePage))
    .find((name) => name.trim() !== '');
  const filename = named ?? (file.name ? decodeText(file.name.subarray(0, 1000), codePage) : '');
  if (content === null) return { files: [], isWhole: false };
  if (isMessage) return takeMessage(content, filename, { depth, room });
  if (room.files <= 0) return { files: [], isWhole: false };
  room.files -= 1;
  const contentType = textOf(properties.get(propertyIds.attachType), codePage).toLowerCase() || null;
  const contentId = textOf(properties.get(propertyIds.attachContentId), codePage) || null;
  return { files: [{ filename, contentType, contentId, content }], isWhole: true };
}

function takeMessage(
  content: Buffer,
  filename: string,
  { depth, room }: Nesting,
): { files: TnefFile[]; isWhole: boolean } {
  if (depth >= mostNested || room.files <= 0) return { files: [], isWhole: false };
  room.files -= 1;
  const inner = unpackTnef(content, room, depth + 1);
  const words = inner.html ?? inner.text;
  if (words === null) return inner;
  const type = inner.html === null ? 'txt' : 'html';
  const text: TnefFile = {
    filename: `${filename.replace(/[/\\]/g, '-').slice(0, 120) || 'message'}.${type}`,
    contentType: inner.html === null ? 'text/plain' : 'text/html',
    contentId: null,
    content: Buffer.from(words),
  };
  return { files: [text, ...inner.files], isWhole: inner.isWhole };
}

function bodyOf({ properties, body, codePage }: Found, room: TnefRoom): Omit<Unpacked, 'files'> {
  const html = properties.get(propertyIds.html);
  const own = properties.get(propertyIds.codePage)?.value;
  const bodyCodePage = own && own.length >= 4 ? own.readUInt32LE() : codePage;
  const isHtmlTooLong = html !== undefined && html.value.length > longestBody;
  if (html && !isHtmlTooLong) {
    const words = textOf(html, bodyCodePage) || decodeText(html.value, bodyCodePage);
    if (words.trim() !== '') return { text: null, html: words, isWhole: true };
  }
  const plain = textOf(properties.get(propertyIds.body), bodyCodePage) || (body ? decodeText(body, codePage) : '');
  const { text, isWhole } =
    plain.trim() === '' ? textOfPacked(properties.get(propertyIds.rtf), room) : { text: plain, isWhole: true };
  return {
    text: text.trim() === '' ? null : text.slice(0, longestBody),
    html: null,
    isWhole: isWhole && !isHtmlTooLong && text.length <= longestBody,
  };
}

function textOfPacked(property: Property | undefined, room: TnefRoom): { text: string; isWhole: boolean } {
  if (!property) return { text: '', isWhole: true };
  const unpacked = decompressRtf(property.value);
  const { text, isWhole } = textOfRtf(unpacked.rtf, room);
  return { text, isWhole: isWhole && unpacked.isWhole };
}
