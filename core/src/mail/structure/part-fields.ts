import { findFields, type HeaderValues, readText } from './header-block.ts';
import type { StructurePart } from './message-structure.ts';
import { decodeParameters, type MimeValue, rawParameter, readMimeValue, withoutComment } from './mime-value.ts';

/** The description of a part in its header. */
export type PartFields = Omit<StructurePart, 'header' | 'body' | 'end' | 'lines' | 'parts' | 'message' | 'opaque'>;

/** The names of the fields that describe a part (RFC 2045, 2183, 1864, 3282, 2557). */
export const partFieldNames = [
  'content-type',
  'content-transfer-encoding',
  'content-id',
  'content-description',
  'content-disposition',
  'content-md5',
  'content-language',
  'content-location',
] as const;

const wanted: ReadonlySet<string> = new Set(partFieldNames);
const token = /^[!#$%&'*+.^_`{|}~0-9a-z-]{1,127}$/;
const mediaType = /^[!#$%&'*+.^_`{|}~0-9a-z-]{1,127}\/[!#$%&'*+.^_`{|}~0-9a-z-]{1,127}$/;

/** The fields of a part's header. */
export function findPartFields(block: string): HeaderValues {
  return findFields(block, wanted);
}

/** Reads the fields of a part; of a repeated field the first counts. */
export function readPartFields(
  values: HeaderValues,
  isOfDigest: boolean,
): { fields: PartFields; boundary: string | null } {
  const first = (name: (typeof partFieldNames)[number]) => values.get(name)?.[0];
  const contentType = readContentType(first('content-type'), isOfDigest);
  const fields: PartFields = { type: contentType.value };
  const parameters = decodeParameters(contentType.raw);
  if (parameters.length > 0) fields.parameters = parameters;
  const disposition = readDisposition(first('content-disposition'));
  if (disposition) fields.disposition = disposition;
  const encoding = readText(withoutComment(first('content-transfer-encoding') ?? ''), 127).toLowerCase();
  if (token.test(encoding)) fields.encoding = encoding;
  setText(fields, 'id', first('content-id'));
  setText(fields, 'description', first('content-description'));
  setText(fields, 'md5', first('content-md5'));
  setText(fields, 'location', first('content-location')?.replace(/\s+/g, ''));
  const language = readLanguages(first('content-language') ?? '');
  if (language.length > 0) fields.language = language;
  return { fields, boundary: rawParameter(contentType.raw, 'boundary')?.trimEnd() || null };
}

function readContentType(text: string | undefined, isOfDigest: boolean): MimeValue {
  const read = text === undefined ? null : readMimeValue(text);
  if (read && mediaType.test(read.value)) return read;
  if (isOfDigest && !text) return { value: 'message/rfc822', raw: new Map() };
  // RFC 2045 5.2: a part with an invalid type is read as plain text as well
  return { value: 'text/plain', raw: new Map([['charset', 'us-ascii']]) };
}

function readDisposition(text: string | undefined): StructurePart['disposition'] {
  if (text === undefined) return undefined;
  const { value, raw } = readMimeValue(text);
  if (!token.test(value)) return undefined;
  const parameters = decodeParameters(raw);
  return parameters.length > 0 ? { type: value, parameters } : { type: value };
}

function readLanguages(text: string): string[] {
  return text
    .slice(0, 1000)
    .split(',')
    .map((tag) => withoutComment(tag.trim()).toLowerCase())
    .filter((tag) => /^[a-z0-9-]{1,64}$/.test(tag))
    .slice(0, 20);
}

function setText(fields: PartFields, name: 'id' | 'description' | 'md5' | 'location', raw: string | undefined): void {
  const text = raw === undefined ? '' : readText(raw);
  if (text !== '') fields[name] = text;
}
