import type { StoredTokens } from './session.ts';

/*
 * How old a token is, without trusting the clock of this device: it may be a day off, be corrected
 * while the page is open, or jump when the device wakes up. Two clocks are read, and the greater
 * age counts:
 *
 * - the wall clock, by how far it has moved since the token came. It goes on while the device
 *   sleeps, and across a reload;
 * - the page's own clock (`performance.now`), which is never set. It may stand still while the
 *   device sleeps.
 */

/** Tokens are renewed this long before they end. */
const LEAD_S = 300;
/** How long a token is good when the server did not say. */
const USUAL_LIFETIME_S = 900;
/** A wall clock that runs back by more than this was set, so it gives no age. */
const TOLERANCE_MS = 60_000;

interface Sighting {
  token: string;
  /** The age of the token when this page first saw it, in milliseconds. */
  age: number;
  /** The time of that, by the page's own clock. */
  seenAt: number;
}

let sighting: Sighting | null = null;

function wallAgeOf({ at }: StoredTokens): number {
  return at === undefined ? 0 : Date.now() - at;
}

/**
 * Milliseconds since the token came. Infinite when the clock was set back, and this page has not
 * seen the token before.
 */
function ageOf(tokens: StoredTokens): number {
  const wallAge = wallAgeOf(tokens);
  if (sighting?.token !== tokens.token) {
    const age = wallAge < -TOLERANCE_MS ? Number.POSITIVE_INFINITY : Math.max(0, wallAge);
    sighting = { token: tokens.token, age, seenAt: performance.now() };
  }
  return Math.max(wallAge, sighting.age + performance.now() - sighting.seenAt);
}

/** Milliseconds until a token has to be renewed. Zero or less when it is due. */
export function dueIn(tokens: StoredTokens): number {
  const lifetime = tokens.expires_in ?? USUAL_LIFETIME_S;
  const lead = Math.min(LEAD_S, lifetime / 3);
  return (lifetime - lead) * 1000 - ageOf(tokens);
}
