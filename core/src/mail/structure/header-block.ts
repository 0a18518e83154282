import { decodeBinary } from '../decode-bytes.ts';
import { oneLine } from '../one-line.ts';
import { structureLimits } from './message-structure.ts';

const longestName = 25;

/** The values of the wanted fields of a header by name in lower case, as binary text. */
export type HeaderValues = ReadonlyMap<string, readonly string[]>;

/**
 * Finds fields in a header block. Takes linear time: only the first bytes of a line are searched
 * for a name.
 * @param block the header as binary text, with or without its blank line
 * @param wanted names in lower case
 */
export function findFields(block: string, wanted: ReadonlySet<string>): HeaderValues {
  const values = new Map<string, string[]>();
  let name: string | null = null;
  let valueAt = 0;
  const endField = (at: number): void => {
    if (name === null) return;
    const value = unfold(block.slice(valueAt, Math.min(at, valueAt + structureLimits.fieldLength)));
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  };
  for (let at = 0; at < block.length; ) {
    const first = block.charCodeAt(at);
    // RFC 5322 2.2.3: a line that begins with white space continues the field before it
    if (first !== 0x20 && first !== 0x09) {
      endField(at);
      const start = block.slice(at, at + longestName + 3);
      const colon = start.indexOf(':');
      const found = colon < 0 ? '' : start.slice(0, colon).trimEnd().toLowerCase();
      name = wanted.has(found) ? found : null;
      valueAt = at + colon + 1;
    }
    const lf = block.indexOf('\n', at);
    at = lf < 0 ? block.length : lf + 1;
  }
  endField(block.length);
  return values;
}

function unfold(value: string): string {
  return value.replace(/[\r\n\0]+/g, '').trim();
}

/** Binary text as one line of text without control characters, at most `maxLength` characters. */
export function readText(value: string, maxLength: number = structureLimits.textLength): string {
  // Four bytes make one character at most
  const bytes = value.slice(0, maxLength * 4);
  return oneLine(decodeBinary(bytes), maxLength);
}
