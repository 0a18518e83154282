/** The beginning of a text, at most this many bytes of UTF-8. No character is cut in half. */
export function cutToBytes(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  let end = Math.max(0, mostBytes);
  // RFC 3629 3: the further bytes of a character begin with the bits 10
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/**
 * The beginning of a text, at most this many UTF-16 units. A surrogate pair that would be cut in
 * half is left out: MariaDB rejects half a pair in JSON.
 */
export function cutToLength(text: string, mostUnits: number): string {
  return text.slice(0, mostUnits).replace(/[\ud800-\udbff]$/, '');
}
