// At the beginning of a cell, also of one that a spreadsheet makes of it: in many languages it splits
// a file at semicolons, and then quotes in the middle keep neither those nor ends of lines together
const formula = /(^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/g;

/**
 * A table as CSV (RFC 4180), in UTF-8 with a byte order mark, by which spreadsheets know it. Text
 * that a spreadsheet would take for a formula, and a number of which it would drop the zeros at the
 * beginning, gets an apostrophe before it.
 */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const harmless = /^0\d+$/.test(text) ? `'${text}` : text.replace(formula, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
