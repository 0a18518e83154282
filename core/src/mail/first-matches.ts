/**
 * The first matches of a global pattern in a text. The rest of the text is not searched, so a text
 * of nothing but matches takes no longer than they do.
 */
export function* firstMatches(text: string, pattern: RegExp, most: number): Generator<RegExpExecArray> {
  let left = most;
  for (const match of text.matchAll(pattern)) {
    yield match;
    left -= 1;
    if (left === 0) return;
  }
}
