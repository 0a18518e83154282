/** A field of a header as it came, with the name by which it is explained. */
export interface HeaderField {
  text: string;
  /** In small letters; empty where a line is no field. */
  name: string;
  /** No field above it has this name. */
  isFirst: boolean;
}

/** More than any real message has. A header of one letter a line would fill the memory. */
const MOST_FIELDS = 200;

/**
 * The fields of a header in their order, folded as they came (RFC 5322 2.2.3), and what is left
 * where there are too many.
 */
export function fieldsOf(header: string): { fields: HeaderField[]; rest: string } {
  const fields: HeaderField[] = [];
  const names = new Set<string>();
  const field = /[^\n]*(?:\n[ \t][^\n]*)*(?:\n|$)/y;
  while (field.lastIndex < header.length && fields.length < MOST_FIELDS) {
    const text = (field.exec(header)?.[0] ?? '').replace(/\r?\n$/, '');
    const name = /^([!-9;-~]{1,80})[ \t]*:/.exec(text)?.[1]?.toLowerCase() ?? '';
    fields.push({ text, name, isFirst: !names.has(name) });
    names.add(name);
  }
  return { fields, rest: header.slice(field.lastIndex) };
}
