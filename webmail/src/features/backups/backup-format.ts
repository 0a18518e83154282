const two = (value: number): string => String(value).padStart(2, '0');

/** `23/11/26 07:05 PM`: the one form of backups, whatever the reader's language is. */
export function dayAndTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const day = [date.getDate(), date.getMonth() + 1, date.getFullYear() % 100].map(two).join('/');
  const hours = date.getHours();
  return `${day} ${two(hours % 12 || 12)}:${two(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** A part of a whole, in per cent; all of nothing is all. */
export function percent(part: number, whole: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(whole > 0 ? Math.min(1, part / whole) : 1);
}
