/**
 * The tags of a record such as `v=DMARC1; p=none` (RFC 6376 3.2); the first of each name counts.
 */
export function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const piece of record.split(';').slice(0, 100)) {
    const at = piece.indexOf('=');
    const name = piece.slice(0, at).trim().toLowerCase();
    if (at > 0 && !tags.has(name)) tags.set(name, piece.slice(at + 1).trim());
  }
  return tags;
}
