/**
 * A table as CSV (RFC 4180), in UTF-8 with a byte order mark, by which spreadsheets know it. Text
 * that a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
