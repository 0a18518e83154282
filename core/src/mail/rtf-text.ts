import { decodeText } from './tnef-properties.ts';

/*
 * The words of RTF that Outlook wrote, compressed according to MS-OXRTFCP.
 */

/** The initial dictionary of every compression (MS-OXRTFCP 2.1.3.1.2). */
const dictionary = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
    '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
    '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const window = 4096;
/** The most unpacked bytes. One byte becomes eight and a half at most. */
const mostUnpacked = 1_048_576;
const compressed = 0x75465a4c;
const uncompressed = 0x414c454d;

/**
 * Unpacks compressed RTF. If it is damaged or exceeds the bound, returns what comes before that.
 */
export function decompressRtf(packed: Buffer): { rtf: Buffer; isWhole: boolean } {
  const nothing = { rtf: Buffer.alloc(0), isWhole: false };
  if (packed.length < 16) return nothing;
  const declared = packed.readUInt32LE(4);
  const size = Math.min(declared, mostUnpacked);
  const kind = packed.readUInt32LE(8);
  if (kind === uncompressed) {
    const rtf = packed.subarray(16, 16 + size);
    return { rtf, isWhole: rtf.length === declared };
  }
  if (kind !== compressed) return nothing;
  const { rtf, isAtEnd } = expand(packed, size);
  return { rtf, isWhole: isAtEnd || rtf.length === declared };
}

/** Writes at most this many bytes; `isAtEnd` says whether the end mark was reached. */
function expand(packed: Buffer, size: number): { rtf: Buffer; isAtEnd: boolean } {
  const out = Buffer.alloc(size);
  const seen = Buffer.alloc(window);
  dictionary.copy(seen);
  let write = dictionary.length;
  let at = 16;
  let length = 0;
  const put = (byte: number): void => {
    out[length++] = byte;
    seen[write] = byte;
    write = (write + 1) % window;
  };
  const ended = (isAtEnd: boolean) => ({ rtf: out.subarray(0, length), isAtEnd });
  while (at < packed.length && length < size) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit += 1) {
      if (((control >> bit) & 1) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      if (at + 1 >= packed.length) return ended(false);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      // A reference to the place of the next byte is the end mark (2.1.3.1.4)
      if (from === write) return ended(true);
      for (let step = 0; step < (reference & 15) + 2 && length < size; step += 1)
        put(seen[(from + step) % window] ?? 0);
    }
  }
  return ended(false);
}

/** Groups whose text is not part of the document. */
const silent = new Set(
  `
  fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr
  footerf listtable listoverridetable revtbl rsidtbl generator themedata datastore latentstyles
  fldinst xmlnstbl
`
    .trim()
    .split(/\s+/),
);
const signs = new Map(
  Object.entries({
    par: '\n',
    line: '\n',
    sect: '\n',
    page: '\n',
    row: '\n',
    cell: '\t',
    tab: '\t',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
  }),
);
const deepest = 500;
/** Words, escapes and braces that are read: 50 ms of work, and the text of 30 pages. */
export const mostTokens = 60_000;
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

interface Group {
  isSilent: boolean;
  /** How many characters after a Unicode one replace it in programs without Unicode. */
  stand: number;
}

/**
 * The plain text of RTF, read in one pass. Unknown words are left out. A bound may end it early.
 * @param room how many tokens may be read; it is lowered by the number of tokens read
 */
export function textOfRtf(rtf: Buffer, room = { tokens: mostTokens }): { text: string; isWhole: boolean } {
  const source = rtf.toString('latin1');
  const pieces: string[] = [];
  const open: Group[] = [];
  let group: Group = { isSilent: false, stand: 1 };
  let codePage = 1252;
  let toSkip = 0;
  let bytes: number[] = [];
  let isWhole = true;
  const flush = (): void => {
    if (bytes.length > 0) pieces.push(decodeText(Buffer.from(bytes), codePage));
    bytes = [];
  };
  const say = (text: string): void => {
    flush();
    if (!group.isSilent) pieces.push(text);
  };
  for (const [, word, number, hex, sign, brace, words] of source.matchAll(token)) {
    if (--room.tokens < 0 || open.length > deepest) {
      isWhole = false;
      break;
    }
    if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else if (!group.isSilent) bytes.push(Number.parseInt(hex, 16));
    } else if (words !== undefined) {
      say(words.slice(toSkip));
      toSkip = Math.max(0, toSkip - words.length);
    } else if (brace === '{') {
      flush();
      open.push(group);
      group = { ...group };
      toSkip = 0;
    } else if (brace === '}') {
      flush();
      group = open.pop() ?? group;
      toSkip = 0;
    } else if (sign !== undefined) {
      if (sign === '*') group.isSilent = true;
      else if (sign === '~') say('\u00a0');
      else if ('\\{}'.includes(sign)) say(sign);
    } else if (word === 'u' && number !== undefined) {
      say(String.fromCharCode(Number(number) & 0xffff));
      toSkip = group.stand;
    } else if (word === 'uc') group.stand = Math.min(Math.max(Number(number ?? 1), 0), 10);
    else if (word === 'ansicpg') codePage = Number(number ?? 1252);
    else if (word !== undefined && silent.has(word)) group.isSilent = true;
    else if (word !== undefined && signs.has(word)) say(signs.get(word) ?? '');
  }
  flush();
  return { text: pieces.join('').toWellFormed(), isWhole };
}
