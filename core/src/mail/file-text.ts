import { type Unzipped, unzipSync } from 'fflate';
import { decodeBytes } from './decode-bytes.ts';
import { parseMessage } from './parse-message.ts';
import type { ParsedAttachment } from './parsed-message.ts';
import { wordsFromHtml } from './text-from-html.ts';

/*
 * The words of the files of a message, for the search. Strangers write these files, so this runs in
 * a thread with bounds of time and memory. It also bounds how much of a file it reads: a small
 * archive can contain gigabytes of zeros.
 */

/** Of larger files only the names are searched. */
export const largestFile = 10 * 1_048_576;
/** The most unpacked bytes of all parts of an archive together. */
const largestUnpacked = 24 * 1_048_576;
const mostPages = 200;
/** The most bytes of one part of an office file; most of it is markup. */
const largestXml = 8 * 1_048_576;
/** The most characters of the words of one file. */
const longestText = 200_000;

/** The kind of a file, by its type or else by its name; null for files without words. */
export function kindOfFile({ contentType, filename }: Pick<ParsedAttachment, 'contentType' | 'filename'>): Kind | null {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (contentType === 'application/pdf' || ending === 'pdf') return 'pdf';
  if (contentType === 'message/rfc822' || ending === 'eml') return 'message';
  if (contentType === 'text/html' || ending === 'html' || ending === 'htm') return 'html';
  if (/^text\/(plain|csv|markdown|tab-separated-values)$/.test(contentType)) return 'text';
  if (['txt', 'csv', 'md', 'tsv', 'log'].includes(ending)) return 'text';
  if (contentType.includes('opendocument') || ['odt', 'ods', 'odp'].includes(ending)) return 'office';
  if (contentType.includes('openxmlformats') || ['docx', 'xlsx', 'pptx'].includes(ending)) return 'office';
  return null;
}

export type Kind = 'pdf' | 'html' | 'text' | 'office' | 'message';

/**
 * The words of a file; for a long PDF, those of its first pages until `isOver`. A file that is
 * damaged, locked by a password, or of another kind than declared has none.
 */
export async function textOfFile(kind: Kind, content: Uint8Array, isOver = () => false): Promise<string> {
  try {
    return (await readers[kind](content, isOver)).slice(0, longestText);
  } catch {
    // The libraries throw for anything that they can't read. The search then lacks these words
    return '';
  }
}

const readers: Record<Kind, (content: Uint8Array, isOver: () => boolean) => string | Promise<string>> = {
  pdf: textOfPdf,
  office: textOfOffice,
  text: (content) => decode(content),
  html: (content) => wordsFromHtml(decode(content)),
  message: textOfMessage,
};

/** An attached message: its people, its subject, its text and the names of its files. */
async function textOfMessage(content: Uint8Array): Promise<string> {
  const { from, to, cc, subject, text, html, attachments } = await parseMessage(Buffer.from(content));
  const people = [from, ...to, ...cc].flatMap((person) => (person ? `${person.name} ${person.address}` : []));
  const body = text?.trim() ? text : wordsFromHtml((html ?? '').slice(0, longestText * 4));
  return [subject, ...people, ...attachments.map(({ filename }) => filename), body].join('\n');
}

async function textOfPdf(content: Uint8Array, isOver: () => boolean): Promise<string> {
  // The library takes 70 ms to load, and many messages have no PDF
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(content), { verbosity: 0 });
  try {
    let text = '';
    const pages = Math.min(document.numPages, mostPages);
    for (let number = 1; number <= pages && text.length < longestText && !isOver(); number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      text += `${items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')}\n`;
    }
    return text;
  } finally {
    await document.loadingTask.destroy();
  }
}

/** The parts of office files that contain words (ECMA-376, ISO/IEC 26300). */
const wordParts =
  /^(word\/(document|header\d*|footer\d*|footnotes|comments)\.xml|xl\/(sharedStrings|worksheets\/sheet\d+)\.xml|ppt\/(slides|notesSlides)\/\w+\.xml|content\.xml)$/;

function textOfOffice(content: Uint8Array): string {
  let unpacked = 0;
  const parts: Unzipped = unzipSync(content, {
    filter: ({ name, size, originalSize }) => {
      if (!wordParts.test(name)) return false;
      // The library copies all of a part that is not compressed, whatever its original size is said
      // to be. Several parts may have the same bytes
      unpacked += Math.max(size, originalSize);
      return unpacked <= largestUnpacked;
    },
  });
  return Object.values(parts)
    .map((part) => textOfXml(decode(part, largestXml)))
    .join('\n');
}

/**
 * The text between the tags. Only some tags end a word, since others only change the look within
 * one.
 */
function textOfXml(xml: string): string {
  const pieces: string[] = [];
  let length = 0;
  for (let at = 0; at < xml.length && length < longestText; ) {
    const open = xml.indexOf('<', at);
    const text = xml.slice(at, open < 0 ? xml.length : open);
    pieces.push(withoutReferences(text));
    length += text.length;
    if (open < 0) break;
    const close = xml.indexOf('>', open);
    if (close < 0) break;
    if (endsWord.test(xml.slice(open, Math.min(close, open + 40)))) pieces.push(' ');
    at = close + 1;
  }
  return pieces.join('');
}

/** Paragraphs, cells, line breaks, tabs and lines of slides, by their local names. */
const endsWord = /^<\/?(?:\w+:)?(?:p|h|tab|br|cr|t?c|tr|row|si|v|s|table-cell|line-break)(?=[\s/>]|$)/;

const references: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function withoutReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hexadecimal, name: string) => {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal as string, 16) : null;
    if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    return references[name] ?? whole;
  });
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else a Western European charset. */
function decode(content: Uint8Array, longest = longestText * 4): string {
  const beginning = content.subarray(0, longest);
  const isWide = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  if (isWide) return new TextDecoder(content[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(beginning);
  return decodeBytes(beginning);
}
