const DAY = 86_400_000;

/**
 * The date of a row: the time of day when at most a day old, a short weekday within 7 days, else
 * month and day.
 */
export function rowDate(iso: string, now = Date.now(), locale?: string): string {
  const date = new Date(iso);
  const age = now - date.getTime();
  if (Number.isNaN(age)) return '';
  if (age <= DAY) return date.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
  if (age <= 7 * DAY) return date.toLocaleDateString(locale, { weekday: 'short' });
  return date.toLocaleDateString(locale, { month: 'short', day: 'numeric' });
}

export function fullDate(iso: string, locale?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day without its time. */
export function fullDay(iso: string, locale?: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleDateString(locale, { dateStyle: 'medium' });
}

/**
 * Cuts to `length` characters, with an ellipsis when something was cut. Counts whole characters,
 * not halves of emoji.
 */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function fileSize(bytes: number, locale?: string): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  const value = bytes / 1024 ** step;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 0 && value < 10 ? 1 : 0,
  }).format(value);
}
