/** One mailbox of a person: the name that people see, which may be empty, and the address. */
export interface NamedAddress {
  name: string;
  address: string;
}

// RFC 5322 3.2.4: inside the quotes a backslash escapes the next character
const quotedName = /^"((?:[^"\\]|\\.)*)"$/su;
const plainName = /^[^"<>()[\]\\,;:@]*$/u;

/**
 * A mailbox in one line of text (RFC 5322 3.4): the address alone, or the name and the address in
 * angle brackets. A name with a character that could separate mailboxes is quoted.
 */
export function writeMailbox({ name, address }: NamedAddress): string {
  if (name === '') return address;
  const words = plainName.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return `${words} <${address}>`;
}

/**
 * Reads a mailbox in the form of `writeMailbox`. The address is not checked. Null for a text with
 * more than one mailbox in it, or with characters around the address that no mailbox has: the text
 * is neither guessed nor cut.
 */
export function readMailbox(text: string): NamedAddress | null {
  const whole = text.trim();
  const start = whole.lastIndexOf('<');
  const address = whole.slice(start + 1, -1);
  if (start === -1 || !whole.endsWith('>') || address.includes('>')) return { name: '', address: whole };
  const words = whole.slice(0, start).trimEnd();
  const quoted = quotedName.exec(words)?.[1];
  if (quoted === undefined && !plainName.test(words)) return null;
  return { name: quoted?.replace(/\\(.)/gsu, '$1') ?? words, address: address.trim() };
}
