import type { MessagePart, MessageStructure, StructurePart } from './message-structure.ts';

/** A range of a message's blob; `end` is after its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

const specifier =
  /^(?:(?<numbers>[1-9]\d{0,8}(?:\.[1-9]\d{0,8})*)(?:\.(?<of>HEADER|TEXT|MIME))?|(?<top>HEADER|TEXT))$/i;

/**
 * The bytes of a section (RFC 9051 6.4.5.1): `HEADER`, `TEXT`, `1.2`, `1.2.MIME`, and `1.2.HEADER`
 * or `1.2.TEXT` of an embedded message. The header comes with its blank line. Null when the message
 * has no such section.
 */
export function findSection({ root }: Pick<MessageStructure, 'root'>, section: string): ByteRange | null {
  const groups = specifier.exec(section)?.groups;
  if (groups === undefined) return null;
  if (groups['top'] !== undefined) return ofMessage(root, groups['top']);
  const part = findPart({ root }, groups['numbers'] ?? '');
  const of = groups['of']?.toUpperCase();
  if (part === null) return null;
  if (of === undefined) return { start: part.body, end: part.end };
  if (of === 'MIME') return { start: part.header, end: part.body };
  return part.message ? ofMessage(part.message, of) : null;
}

/** The part with that number, such as `1.2`; null when there is none. */
export function findPart({ root }: Pick<MessageStructure, 'root'>, numbers: string): StructurePart | null {
  let part: StructurePart = root;
  let isMessage = true;
  for (const number of numbers.split('.').map(Number)) {
    if (!isMessage && part.message) {
      part = part.message;
      isMessage = true;
    }
    const next: StructurePart | undefined = part.parts ? part.parts[number - 1] : undefined;
    // The only part of a message that is not a multipart has the number 1
    if (next) part = next;
    else if (!isMessage || part.parts || number !== 1) return null;
    isMessage = false;
  }
  return part;
}

function ofMessage(message: MessagePart, of: string): ByteRange {
  return of.toUpperCase() === 'HEADER'
    ? { start: message.header, end: message.body }
    : { start: message.body, end: message.end };
}
