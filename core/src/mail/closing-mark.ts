/**
 * The end of the quoted string that begins with the mark at `opening`; -1 when it is not closed.
 */
export function closingMark(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}
