// A sign that begins a formula, at the beginning of a cell. In many languages a spreadsheet splits
// a file at semicolons as well. Quotes that then stand in the middle of a cell do not keep
// semicolons and line ends together, so a cell may also begin after one of those.
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
