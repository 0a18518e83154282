/*
 * A day as people type it here, `dd/MM/yyyy`, and as the API has it, `YYYY-MM-DD`.
 */

/** The typed form of a day; empty when there is none. */
export function dayInText(day: string | null): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : '';
}

/** The day that a text names; null when the calendar has no such day. */
export function dayOfText(text: string): string | null {
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim());
  if (!parts) return null;
  const [day, month, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : null;
}
