import { invalid } from '../errors.ts';

const minuteMs = 60_000;
const latestMs = 366 * 24 * 60 * minuteMs;
/** Allows for the clock of the person's device, and for the time that the call takes. */
const toleranceMs = minuteMs;

interface FutureTime {
  /** The field of the call, which the error names. */
  field: string;
  /** How far ahead a form offers times, in whole minutes; 0 for any time that has not passed. */
  soonestMs?: number;
  now?: Date;
}

/**
 * Reads a time in the future that a person has chosen. One that is a minute sooner than `soonestMs`
 * is tolerated.
 * @throws AppError 422 when it is sooner than that, or more than 366 days ahead
 */
export function parseFutureTime(text: string, { field, soonestMs = 0, now = new Date() }: FutureTime): Date {
  const at = new Date(text);
  const aheadMs = at.getTime() - now.getTime();
  if (!(aheadMs >= soonestMs - toleranceMs)) {
    const wanted = soonestMs === 0 ? 'in the future' : `that is at least ${soonestMs / minuteMs} minutes ahead`;
    throw invalid({ [field]: `Choose a time ${wanted}` });
  }
  if (aheadMs > latestMs) throw invalid({ [field]: 'Choose a time within a year' });
  return at;
}
