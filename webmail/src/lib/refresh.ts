import { getCurrentUser, refresh, sessionOverCodes } from '@selvage/core/contracts/auth';
import { errorWords } from '../words/errors.ts';
import { ApiError } from './api-error.ts';
import { reach } from './connection.ts';
import { bodyOf, request } from './http.ts';
import { wordsOf } from './i18n.ts';
import { underLock } from './lock.ts';
import {
  endSession,
  readTokens,
  type StoredTokens,
  storeTokens,
  subscribeToSession,
  type Tokens,
  versionOf,
} from './session.ts';
import { storageKeys } from './storage-keys.ts';
import { dueIn } from './token-age.ts';

/*
 * Exchanging the refresh token. The server answers the same token with the same pair for 30 seconds
 * (D11), so an answer that was lost is asked for again within that time. The session ends only when
 * the server says so (`sessionOverCodes`), and not for a time-out, a busy server or the page of a
 * proxy.
 */

/**
 * All attempts at an exchange, with the pauses between them, fit into the 30 seconds in which it
 * can be repeated.
 */
const ATTEMPT_MS = 8_000;
const PAUSES_MS = [500, 1_500] as const;
/**
 * What a tab keeps has reached the other tabs by then, also on a busy machine. Two exchanges would
 * do no harm.
 */
const COPIED_AFTER_MS = 1_500;
/**
 * Longer than an exchange may take: its attempts and pauses, and some time for a page in the
 * background, whose timers are late.
 */
const LONGEST_MS =
  ATTEMPT_MS * (PAUSES_MS.length + 1) + PAUSES_MS.reduce((sum, pause) => sum + pause, 0) + COPIED_AFTER_MS + 9_000;
/** After a failure, calls go on with the present token, and the next exchange waits this long. */
const REST_AFTER_FAILURE_MS = 5_000;
/**
 * Even if the clocks of this device jump, the timer waits at least the first of these times and at
 * most the second.
 */
const SHORTEST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

let inFlight: Promise<string> | null = null;
let failedAt = Number.NEGATIVE_INFINITY;

/** `stale` is a token that the server has just refused. It is renewed, however new it is. */
function needsRenewal(tokens: StoredTokens, stale: string | undefined): boolean {
  return tokens.token === stale || dueIn(tokens) <= 0;
}

/**
 * Returns a token that is good for a while. One exchange serves all callers of this tab, and a lock
 * makes it one for all tabs.
 * @throws {ApiError} 401 `session_expired` when the session is over; another failure leaves it as
 * it is
 */
export async function freshToken(stale?: string): Promise<string> {
  const tokens = readTokens();
  if (!tokens) throw expired();
  if (!needsRenewal(tokens, stale)) return tokens.token;
  if (tokens.token !== stale && isExchangeHopeless()) return tokens.token;
  inFlight ??= renew(stale).finally(() => {
    inFlight = null;
  });
  return await inFlight;
}

/**
 * True when the server is away or has just failed. The call then goes on with the present token.
 */
function isExchangeHopeless(): boolean {
  return reach.get() === 'away' || performance.now() - failedAt < REST_AFTER_FAILURE_MS;
}

async function renew(stale: string | undefined): Promise<string> {
  const token = await exchangeOnce(stale);
  if (!stale || (await isVersionRight(token))) return token;
  // The person may have been changed again between the two answers. A version that still differs
  // means another person's token
  const next = await exchangeOnce(token);
  if (await isVersionRight(next)) return next;
  throw endExpired();
}

/** Exchanges the refresh token, unless another tab has just done so. */
async function exchangeOnce(stale: string | undefined): Promise<string> {
  return await underLock(storageKeys.refreshLock, LONGEST_MS, async (hasWaited) => {
    if (hasWaited) await untilCopied(stale);
    const tokens = readTokens();
    if (!tokens) throw expired();
    if (!needsRenewal(tokens, stale)) return tokens.token;
    try {
      return keep(tokens, await exchange(tokens));
    } catch (error) {
      return goOnAfter(error, tokens, stale);
    }
  });
}

/**
 * Waits for what another tab has just kept. A browser copies it to its other tabs a moment after
 * the lock is free.
 */
async function untilCopied(stale: string | undefined): Promise<void> {
  const tokens = readTokens();
  if (!tokens || !needsRenewal(tokens, stale)) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = subscribeToSession(() => resolve());
    setTimeout(() => {
      unsubscribe();
      resolve();
    }, COPIED_AFTER_MS);
  });
}

/**
 * Keeps the new pair, unless the person logged out, or another one logged in, while the answer was
 * on its way.
 */
function keep(used: StoredTokens, next: Tokens): string {
  const kept = readTokens();
  if (!kept) throw expired();
  if (kept.refreshToken !== used.refreshToken) return kept.token;
  storeTokens(next);
  failedAt = Number.NEGATIVE_INFINITY;
  return next.token;
}

/** The token to go on with although the exchange failed. @throws {ApiError} when there is none */
function goOnAfter(error: unknown, used: StoredTokens, stale: string | undefined): string {
  const kept = readTokens();
  if (!kept) throw expired();
  if (kept.refreshToken !== used.refreshToken) return kept.token;
  if (isSessionOver(error)) throw endExpired();
  failedAt = performance.now();
  // The server has not refused it yet, and will do so if it is too old
  if (used.token !== stale) return used.token;
  const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  throw isAway ? error : new ApiError(wordsOf(errorWords).notRenewed, { status: 503, code: 'not_renewed' });
}

async function exchange(tokens: StoredTokens): Promise<Tokens> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await requestTokens(tokens.refreshToken);
    } catch (error) {
      if (!mayGoBetter(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // The person logged out meanwhile, or another tab exchanged the token
    const kept = readTokens();
    if (kept?.refreshToken !== tokens.refreshToken) return kept ?? tokens;
  }
  return await requestTokens(tokens.refreshToken);
}

/** True when there was no answer, or the server failed for the moment. */
function mayGoBetter(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 408 || error.status >= 500);
}

function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && sessionOverCodes.some((code) => code === error.code);
}

async function requestTokens(refreshToken: string): Promise<Tokens> {
  const answer = await request(`/api/v1${refresh.path}`, {
    method: refresh.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
    signal: AbortSignal.timeout(ATTEMPT_MS),
  });
  const { token, refreshToken: next, expires_in } = bodyOf<Partial<Tokens>>(answer);
  if (token && next) return { token, refreshToken: next, expires_in };
  throw new ApiError(wordsOf(errorWords).generic, { status: 502 });
}

/**
 * After a refusal: whether the version in the new token is the version that the server has of the
 * person. Without an answer it counts as right, and the repeated call decides.
 */
async function isVersionRight(token: string): Promise<boolean> {
  try {
    const answer = await request(`/api/v1${getCurrentUser.path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const { token_version: version } = bodyOf<{ token_version?: number }>(answer);
    return version === undefined || version === versionOf(token);
  } catch (error) {
    if (isSessionOver(error)) throw endExpired();
    return true;
  }
}

function expired(): ApiError {
  return new ApiError(wordsOf(errorWords).sessionExpired, { status: 401, code: 'session_expired' });
}

function endExpired(): ApiError {
  const error = expired();
  endSession(error.message);
  return error;
}

/** Keeps the token fresh while the app is open, also when no calls are made. */
export function keepFresh(): () => void {
  let timer = 0;
  const schedule = (): void => {
    clearTimeout(timer);
    const tokens = readTokens();
    if (!tokens) return;
    timer = window.setTimeout(
      () => {
        // A failure that ends the session has been shown already. Any other is tried again in the
        // next round
        freshToken().then(schedule, schedule);
      },
      Math.min(Math.max(dueIn(tokens), SHORTEST_WAIT_MS), LONGEST_WAIT_MS),
    );
  };
  const unsubscribe = subscribeToSession(schedule);
  // Timers do not run while the device sleeps
  document.addEventListener('visibilitychange', schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', schedule);
    unsubscribe();
  };
}
