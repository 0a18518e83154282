import type { StateKind } from '../../components/StateWord.tsx';

const DAY_MS = 86_400_000;

/** From how many days before the end a date is marked, the last one first. */
const marks: readonly (readonly [days: number, kind: StateKind])[] = [
  [7, 'bad'],
  [30, 'waiting'],
  [60, 'quiet'],
];

/** How soon a registration ends. */
export interface Expiry {
  /** Whole days until the day; 0 on the day itself, less when it is over. */
  daysLeft: number;
  kind: StateKind;
}

/**
 * How soon a registration ends (`YYYY-MM-DD`), by the calendar of the reader; null when it is more
 * than 60 days away.
 */
export function expiryOf(day: string, now = new Date()): Expiry | null {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  const daysLeft = (Date.parse(`${day}T00:00:00Z`) - today) / DAY_MS;
  const mark = marks.find(([days]) => daysLeft <= days);
  return mark ? { daysLeft, kind: mark[1] } : null;
}
