import { TnefBytes, TnefDamaged } from './tnef-bytes.ts';

/** The ids of the properties that are read (MS-OXPROPS). */
export const propertyIds = {
  subject: 0x0037,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  attachData: 0x3701,
  attachName: 0x3704,
  attachLongName: 0x3707,
  attachType: 0x370e,
  attachContentId: 0x3712,
  codePage: 0x3fde,
} as const;
const wanted: ReadonlySet<number> = new Set(Object.values(propertyIds));

/** A property as stored: its type, and its first value. */
export interface Property {
  type: number;
  value: Buffer;
}

const typeObject = 0x000d;
const typeString = 0x001e;
const typeUnicode = 0x001f;
const typeBinary = 0x0102;
const severalValues = 0x1000;
const isOfAnyLength = new Set([typeObject, typeString, typeUnicode, typeBinary]);
/**
 * The length in bytes of a value of each other type, padded to a multiple of four (MS-OXTNEF
 * 2.1.3.5).
 */
const lengths: Record<number, number> = {
  0x0002: 4,
  0x0003: 4,
  0x0004: 4,
  0x0005: 8,
  0x0006: 8,
  0x0007: 8,
  0x000a: 4,
  0x000b: 4,
  0x0014: 8,
  0x0040: 8,
  0x0048: 16,
};

/** The wanted properties of a list (MS-OXTNEF 2.1.3.4), the first of each id. */
export function readProperties(data: Buffer): Map<number, Property> {
  const bytes = new TnefBytes(data);
  const found = new Map<number, Property>();
  // Each takes at least eight bytes, so the count can't make this loop longer than the data
  for (let left = bytes.u32(); left > 0 && bytes.left > 0; left -= 1) {
    const type = bytes.u16();
    const id = bytes.u16();
    if (id >= 0x8000) skipName(bytes);
    const value = readValues(bytes, type);
    if (wanted.has(id) && value && !found.has(id)) found.set(id, { type, value });
  }
  return found;
}

function skipName(bytes: TnefBytes): void {
  bytes.take(16);
  const isNumber = bytes.u32() === 0;
  const length = bytes.u32();
  if (!isNumber) bytes.take(padded(length));
}

function readValues(bytes: TnefBytes, type: number): Buffer | null {
  const single = type & ~severalValues;
  const isOpen = isOfAnyLength.has(single);
  const fixed = lengths[single];
  if (!isOpen && fixed === undefined) throw new TnefDamaged('a type that does not exist');
  const count = isOpen || type & severalValues ? bytes.u32() : 1;
  let first: Buffer | null = null;
  for (let index = 0; index < count; index += 1) {
    const length = isOpen ? bytes.u32() : (fixed ?? 0);
    const value = bytes.take(length);
    bytes.skip(padded(length) - length);
    first ??= value;
  }
  return first;
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** The text of a property of either string type; '' for any other type. */
export function textOf(property: Property | undefined, codePage: number): string {
  if (property === undefined) return '';
  if (property.type === typeUnicode) return cutAtNul(property.value.toString('utf16le'));
  return property.type === typeString ? decodeText(property.value, codePage) : '';
}

/**
 * The bytes of a file, and whether they are an embedded message. An object begins with the id of
 * its interface, which has 16 bytes.
 */
export function fileOf({ type, value }: Property): { content: Buffer; isMessage: boolean } {
  if (type !== typeObject) return { content: value, isMessage: false };
  const isMessage = value.toString('hex', 0, 16) === '0703020000000000c000000000000046';
  return { content: value.subarray(16), isMessage };
}

/** Text of a Windows code page, up to its end mark. */
export function decodeText(bytes: Buffer, codePage: number): string {
  return cutAtNul(decoderOf(codePage)?.decode(bytes) ?? bytes.toString('latin1'));
}

type Decoder = InstanceType<typeof TextDecoder>;

/** Decoders by their labels. RTF needs one at each letter, and creating one is slow. */
const decoders = new Map<string, Decoder | null>();

/** Null for a label that the platform does not know. */
function decoderOf(codePage: number): Decoder | null {
  const label = labelOf(codePage);
  const known = decoders.get(label);
  if (known !== undefined) return known;
  let made: Decoder | null = null;
  try {
    made = new TextDecoder(label);
  } catch {
    // Unknown labels are cached as well
  }
  decoders.set(label, made);
  return made;
}

const labels: Record<number, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10_000: 'macintosh',
  20_866: 'koi8-r',
  21_866: 'koi8-u',
  50_220: 'iso-2022-jp',
  51_932: 'euc-jp',
  54_936: 'gb18030',
  65_001: 'utf-8',
};

function labelOf(codePage: number): string {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage >= 28_592 && codePage <= 28_606) return `iso-8859-${codePage - 28_590}`;
  return labels[codePage] ?? 'windows-1252';
}

function cutAtNul(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
