/**
 * The moment at which a day of this device's time zone begins, or ends; empty for no day, null for
 * one that cannot be meant.
 */
export function momentOf(day: string, edge: 'begin' | 'end'): string | null {
  if (day === '') return '';
  const begin = new Date(`${day}T00:00:00`);
  if (!/^2[01]\d\d-/.test(day) || Number.isNaN(begin.getTime())) return null;
  // The day after may begin 23 or 25 hours later
  if (edge === 'end') begin.setDate(begin.getDate() + 1);
  return begin.toISOString();
}

/** The day that a moment stands for; empty for none. */
export function dayOf(moment: string, edge: 'begin' | 'end'): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  const date = new Date(edge === 'end' ? time - 1 : time);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
