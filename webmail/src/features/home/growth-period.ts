import {
  type GrowthDto,
  type GrowthFilter,
  type GrowthPoint,
  longestRangeDays,
  rangeSteps,
} from '@selvage/core/contracts/dashboard';
import { wordsOf } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';

/** A period that a person has chosen. Days are written as `2026-11-23`, and '' where none is. */
export interface ChosenPeriod {
  filter: GrowthFilter;
  startDate: string;
  endDate: string;
}

const DAY_MS = 86_400_000;
const daysOf = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;

/** Why the server would refuse a range, in words; null when it would not. */
export function rangeProblem({ filter, startDate, endDate }: ChosenPeriod): string | null {
  const t = wordsOf(homeWords);
  if (filter !== 'range') return null;
  if (!startDate || !endDate) return t.chooseRange;
  if (endDate < startDate) return t.backwards;
  return daysOf(startDate, endDate) > longestRangeDays ? t.tooLong : null;
}

/** The days, weeks or months that a chart of the period is made of. */
type Step = keyof GrowthDto['growth'];

export function stepOf(filter: GrowthFilter, { start, end }: GrowthDto['period']): Step {
  if (filter === 'year' || filter === 'all') return 'monthly';
  if (filter !== 'range') return 'daily';
  const days = daysOf(start, end);
  if (days <= rangeSteps.daily) return 'daily';
  return days <= rangeSteps.weekly ? 'weekly' : 'monthly';
}

/** The name of a point in the reader's language. */
export function pointName(step: Step, { date }: GrowthPoint, locale?: string): string {
  if (step === 'monthly') return inWords(date, { month: 'short', year: 'numeric' }, locale);
  const day = inWords(date, { day: 'numeric', month: 'short' }, locale);
  return step === 'weekly' ? wordsOf(homeWords).weekOf({ day }) : day;
}

/** A day as the reader writes it. */
export function dayName(day: string, locale?: string): string {
  return inWords(day, { dateStyle: 'medium' }, locale);
}

function inWords(day: string, options: Intl.DateTimeFormatOptions, locale?: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { ...options, timeZone: 'UTC' });
}
