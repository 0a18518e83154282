/*
 * The server's clock, read from the Date field of its answers, so that times from the server mean
 * the same here, even if the device's clock is wrong. A Date has whole seconds, so each answer only
 * bounds the difference. The bounds of several answers narrow it down.
 */

/** The known bounds of server time minus device time, in milliseconds. */
let least = Number.NEGATIVE_INFINITY;
let most = Number.POSITIVE_INFINITY;

/** Notes the time of an answer. @param askedAt the device's time when the request was sent */
export function noteServerTime(date: string | null, askedAt: number, now = Date.now()): void {
  const second = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(second)) return;
  const [low, high] = [second - now, second + 1000 - askedAt];
  // The bounds exclude each other: one of the clocks was set meanwhile
  const isOld = low > most || high < least;
  least = isOld ? low : Math.max(least, low);
  most = isOld ? high : Math.min(most, high);
}

/** The time of the server, in milliseconds since 1970; the device's own before the first answer. */
export function serverNow(now = Date.now()): number {
  return Number.isFinite(least) ? now + (least + most) / 2 : now;
}
