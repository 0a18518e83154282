/** Escapes a text for a LIKE pattern, so that its wildcards match only themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
