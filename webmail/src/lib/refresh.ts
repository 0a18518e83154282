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
 * Exchanging the refresh token. The server answers the same token with the same pair for 30 seconds (D11), so an answer that was lost
 * on its way is asked for again within that time. The session ends for what the server says of it (`sessionOverCodes`) and for
 * nothing else: not for a time-out, a busy server, or the page of a proxy.
 */

/** Several attempts at an exchange, with pauses between them, fit into the 30 seconds in which it can be repeated. */
const ATTEMPT_MS = 8_000;
const PAUSES_MS = [500, 1_500] as const;
/** What a tab keeps has reached the other tabs by then, also on a machine with much to do. Two exchanges would do no harm. */
const COPIED_AFTER_MS = 500;
/** Longer than an exchange may take: its attempts, its pauses, and some time for a page in the background, whose timers are late. */
const LONGEST_MS =
  ATTEMPT_MS * (PAUSES_MS.length + 1) + PAUSES_MS.reduce((sum, pause) => sum + pause, 0) + COPIED_AFTER_MS + 9_000;
/** After a failure, calls go on with the token they have, and the next exchange waits this long. */
const REST_AFTER_FAILURE_MS = 5_000;
/** However the clocks of this device jump, the timer asks no more often than this, and looks again after this long. */
const SHORTEST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

let inFlight: Promise<string> | null = null;
let failedAt = Number.NEGATIVE_INFINITY;

/** `stale` names a token that the server has just refused: it is renewed, however young it is. */
function needsRenewal(tokens: StoredTokens, stale: string | undefined): boolean {
  return tokens.token === stale || dueIn(tokens) <= 0;
}

/**
 * A token that is good for a while. One exchange serves all callers of this tab, and a lock makes it one for all tabs.
 * @throws {ApiError} 401 `session_expired` when the session is over; another failure leaves it as it is
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

/** The server is away, or has just failed: the call itself will see whether the token still works. */
function isExchangeHopeless(): boolean {
  return reach.get() === 'away' || performance.now() - failedAt < REST_AFTER_FAILURE_MS;
}

async function renew(stale: string | undefined): Promise<string> {
  const token = await exchangeOnce(stale);
  if (!stale || (await isVersionRight(token))) return token;
  // the person may have been changed once more between the two answers; a version that stays another one is another person's token
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

/** Waits for what another tab has just kept: a browser copies it to its other tabs a moment after the lock is free. */
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

/** Keeps the new pair, unless the person has signed out, or another has signed in, while it was on its way. */
function keep(used: StoredTokens, next: Tokens): string {
  const kept = readTokens();
  if (!kept) throw expired();
  if (kept.refreshToken !== used.refreshToken) return kept.token;
  storeTokens(next);
  failedAt = Number.NEGATIVE_INFINITY;
  return next.token;
}

/** A token to go on with although the exchange failed. @throws when there is none */
function goOnAfter(error: unknown, used: StoredTokens, stale: string | undefined): string {
  const kept = readTokens();
  if (!kept) throw expired();
  if (kept.refreshToken !== used.refreshToken) return kept.token;
  if (isSessionOver(error)) throw endExpired();
  failedAt = performance.now();
  // the server has not refused it yet, and if it is too old it will say so
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
    // signed out meanwhile, or exchanged by another tab
    const kept = readTokens();
    if (kept?.refreshToken !== tokens.refreshToken) return kept ?? tokens;
  }
  return await requestTokens(tokens.refreshToken);
}

/** No answer, or one from a server that is not itself just now. */
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
 * After a refusal: whether the server knows the person by the version that the new token carries. A server that does not say is
 * believed; the call that is repeated will see.
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

/** Keeps the token fresh while the app is open, also when nothing is called. */
export function keepFresh(): () => void {
  let timer = 0;
  const schedule = (): void => {
    clearTimeout(timer);
    const tokens = readTokens();
    if (!tokens) return;
    timer = window.setTimeout(
      () => {
        // a failure that ends the session has already said so; any other is tried again at the next round
        freshToken().then(schedule, schedule);
      },
      Math.min(Math.max(dueIn(tokens), SHORTEST_WAIT_MS), LONGEST_WAIT_MS),
    );
  };
  const unsubscribe = subscribeToSession(schedule);
  // a device that slept let no timer run
  document.addEventListener('visibilitychange', schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', schedule);
    unsubscribe();
  };
}
