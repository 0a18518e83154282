/** A text as a pattern of LIKE has it: its wildcards stand for themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
