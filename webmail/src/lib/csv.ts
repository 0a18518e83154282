/**
 * A table as CSV (RFC 4180), in UTF-8 with a byte order mark, by which spreadsheets know it. Text
 * that a spreadsheet would take for a formula, and a number of which it would drop the zeros at the
 * beginning, gets an apostrophe before it.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const harmless = /^(?:[=+\-@\t\r]|0\d+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
