import { wordsOf } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';

/** The first day of the week of a language: 1 is Monday, 7 Sunday. */
function firstWeekday(locale: string): number {
  try {
    const info = new Intl.Locale(locale) as Intl.Locale & {
      getWeekInfo?: () => { firstDay: number };
      weekInfo?: { firstDay: number };
    };
    return (info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? 1;
  } catch {
    // The browser does not know the language, or does not support week data
    return 1;
  }
}

function dayBefore(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);
}

/**
 * The heading under which a list shows a message: Today, Yesterday, This week, Last week, then the
 * month.
 */
export function dateGroupOf(iso: string, now = new Date(), locale = navigator.language): string {
  const t = wordsOf(mailListWords);
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date >= dayBefore(now, 0)) return t.today;
  if (date >= dayBefore(now, 1)) return t.yesterday;
  const sinceFirst = (now.getDay() + 7 - (firstWeekday(locale) % 7)) % 7;
  if (date >= dayBefore(now, sinceFirst)) return t.thisWeek;
  if (date >= dayBefore(now, sinceFirst + 7)) return t.lastWeek;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(locale, isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' });
}
