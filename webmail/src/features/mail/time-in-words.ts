import { wordsOf } from '../../lib/i18n.ts';
import { sendTimeWords } from '../../words/scheduled.ts';

const DAY_MS = 86_400_000;

/** A time to come in few words: "tomorrow 08:00", "Mon, 30 Nov 08:00". */
export function timeInWords(at: Date, now = new Date(), locale?: string): string {
  const t = wordsOf(sendTimeWords);
  const time = at.toLocaleTimeString(locale, { timeStyle: 'short' });
  const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  // A day of a changed clock has 23 or 25 hours
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS);
  if (days === 0) return t.today({ time });
  if (days === 1) return t.tomorrow({ time });
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  const day = at.toLocaleDateString(locale, { weekday: 'short', day: 'numeric', month: 'short', ...year });
  return t.onDay({ day, time });
}
