import { dayMs, utcDayAt } from '../utc-day.ts';
import { type Watch, type WatchedPart, watchedParts, type Watches } from '../contracts/domain-guard.ts';
import type { PartState } from './facts.ts';

/** A part that looks bad is looked at again after this time. Only then does it count as bad. */
export const confirmAfterMs = 10 * 60_000;
/** For this time a part that is bad is looked at as often: most faults are mended within it. */
const mendingMs = dayMs;
/** The administrators hear of the same part once in this time, however often it breaks. */
const tellAgainAfterMs = 24 * 3_600_000;

/** How the watched parts have changed since the look before. */
export interface Verdict {
  watches: Watches;
  broken: WatchedPart[];
  mended: WatchedPart[];
  /** Broken parts that the administrators are to be told of. */
  tellBroken: WatchedPart[];
  /** Mended parts that the administrators were told of when they broke. */
  tellMended: WatchedPart[];
  /**
   * This look saw a part bad that does not count as bad yet, or not for long. The next look must
   * come soon, to be sure or to see it mended.
   */
  isUnsettled: boolean;
}

/**
 * Compares a look with what was known before. The first look at a part raises no alarm: a domain
 * that is being set up has never been good, and the setup guide leads through that.
 */
export function judge(known: Watches, states: Record<WatchedPart, PartState>, now: Date): Verdict {
  const verdict: Verdict = {
    watches: { ...known },
    broken: [],
    mended: [],
    tellBroken: [],
    tellMended: [],
    isUnsettled: false,
  };
  for (const part of watchedParts) {
    const state = states[part];
    if (state !== 'unknown') look(verdict, part, { watch: known[part], state, now });
  }
  verdict.isUnsettled = watchedParts.some((part) => {
    const watch = verdict.watches[part];
    if (states[part] !== 'bad' || !watch) return false;
    return watch.state === 'good' || now.getTime() - Date.parse(watch.since) < mendingMs;
  });
  return verdict;
}

function look(
  verdict: Verdict,
  part: WatchedPart,
  { watch, state, now }: { watch: Watch | undefined; state: 'good' | 'bad'; now: Date },
): void {
  const { watches, broken, mended, tellMended } = verdict;
  if (!watch) {
    watches[part] = { state, since: now.toISOString() };
  } else if (state === 'good') {
    watches[part] = { ...(watch.state === 'good' ? watch : changed(watch, 'good', now)), suspectedAt: undefined };
    if (watch.state === 'bad') mended.push(part);
    if (watch.state === 'bad' && wasTold(watch)) tellMended.push(part);
  } else if (watch.state === 'good') {
    const suspectedAt = watch.suspectedAt ?? now.toISOString();
    if (now.getTime() - Date.parse(suspectedAt) < confirmAfterMs) {
      watches[part] = { ...watch, suspectedAt };
      return;
    }
    watches[part] = changed(watch, 'bad', now);
    broken.push(part);
    if (mayTell(watch, now)) tell(verdict, part, now);
  } else if (watch.toldAt && !wasTold(watch) && mayTell(watch, now)) {
    // It broke within a day of the last mail, and is still broken
    tell(verdict, part, now);
  }
}

/** Whether the administrators know of the state that a part is in. */
const wasTold = ({ toldAt, since }: Watch): boolean => toldAt !== undefined && toldAt >= since;

const mayTell = ({ toldAt }: Watch, now: Date): boolean =>
  toldAt === undefined || now.getTime() - Date.parse(toldAt) >= tellAgainAfterMs;

function tell({ watches, tellBroken }: Verdict, part: WatchedPart, now: Date): void {
  const watch = watches[part];
  if (watch) watches[part] = { ...watch, toldAt: now.toISOString() };
  tellBroken.push(part);
}

function changed({ toldAt }: Watch, state: Watch['state'], now: Date): Watch {
  return { state, since: now.toISOString(), ...(toldAt ? { toldAt } : {}) };
}

/**
 * Name servers may be down for some hours. After this time no sender finds the mail servers of the
 * domain any more.
 */
const silentAfterMs = 24 * 3_600_000;

/**
 * What a look means at which the name servers answered, or at which none did.
 * @param isOurs the name of this host has no answer either, so our own resolver may be to blame
 */
export function judgeSilence(
  known: Watches['silence'],
  { isSilent, isOurs, now }: { isSilent: boolean; isOurs: boolean; now: Date },
): { silence: Watches['silence']; mustTell: boolean; isOver: boolean } {
  if (!isSilent) return { silence: undefined, mustTell: false, isOver: known?.isTold === true };
  const silence = known ?? { since: now.toISOString(), isTold: false };
  const isLong = now.getTime() - Date.parse(silence.since) >= silentAfterMs;
  const mustTell = isLong && !silence.isTold && !isOurs;
  return { silence: { ...silence, isTold: silence.isTold || mustTell }, mustTell, isOver: false };
}

/** How many days before the end of a registration the administrators are warned. */
const warnings = [7, 30, 60];

/**
 * The warning of a domain's expiry that is due now; null when none is, or it was given already.
 * @param expires the first moment of the last day, UTC
 */
export function expiryWarning(
  known: Watches['expiry'],
  expires: Date | null,
  now: Date,
): { given: NonNullable<Watches['expiry']>; daysLeft: number } | null {
  if (expires === null) return null;
  const day = utcDayAt(expires.getTime());
  const left = Math.ceil((expires.getTime() - now.getTime()) / dayMs);
  const due = left < 0 ? undefined : warnings.find((days) => left <= days);
  const given = known?.day === day ? known.daysLeft : Infinity;
  return due === undefined || due >= given ? null : { given: { day, daysLeft: due }, daysLeft: left };
}
