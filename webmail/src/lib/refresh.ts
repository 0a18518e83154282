import { getCurrentUser, refresh } from '@selvage/core/contracts/auth';
import { ApiError } from './api-error.ts';
import { readJson } from './http.ts';
import { underLock } from './lock.ts';
import {
  endSession,
  expiryOf,
  readTokens,
  storeTokens,
  subscribeToSession,
  type Tokens,
  versionOf,
} from './session.ts';
import { storageKeys } from './storage-keys.ts';

/** Access tokens are renewed this long before they end. */
export const REFRESH_LEAD_MS = 300_000;
const EXPIRED = 'Session expired. Please log in again.';

let inFlight: Promise<string> | null = null;

export function isFresh(token: string, now = Date.now()): boolean {
  return expiryOf(token) - now > REFRESH_LEAD_MS;
}

/**
 * A token that is good for a while. `stale` names a token the server has just refused, which is renewed whatever its expiry says.
 * One renewal serves all callers in this tab, and a lock makes it one for all tabs: a refresh token used twice ends the session.
 */
export async function freshToken(stale?: string): Promise<string> {
  const tokens = readTokens();
  if (!tokens) throw expired();
  if (tokens.token !== stale && isFresh(tokens.token)) return tokens.token;
  inFlight ??= underLock(storageKeys.refreshLock, () => renew(stale)).finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function renew(stale: string | undefined): Promise<string> {
  const tokens = readTokens();
  if (!tokens) throw expired();
  // another tab may have renewed them while we waited for the lock
  if (tokens.token !== stale && isFresh(tokens.token)) return tokens.token;
  try {
    const next = await requestTokens(tokens.refreshToken);
    storeTokens(next);
    if (stale) await verifyVersion(next.token);
    return next.token;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
      endSession(EXPIRED);
      throw expired();
    }
    // the server is away, not the session: go on with what still works
    if (tokens.token !== stale && expiryOf(tokens.token) > Date.now()) return tokens.token;
    throw error;
  }
}

async function requestTokens(refreshToken: string): Promise<Tokens> {
  const response = await fetch(`/api/v1${refresh.path}`, {
    method: refresh.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = await readJson<Partial<Tokens>>(response);
  if (!answer.token || !answer.refreshToken) throw new ApiError(EXPIRED, { status: 401 });
  return { token: answer.token, refreshToken: answer.refreshToken };
}

/**
 * After a refusal: the server has to know the person by the very version that the new token carries.
 * @throws 401 when it does not
 */
async function verifyVersion(token: string): Promise<void> {
  const response = await fetch(`/api/v1${getCurrentUser.path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  });
  // a server that is busy says nothing about the session; the call that is repeated will see
  if (response.status !== 401 && !response.ok) return;
  const { token_version } = await readJson<{ token_version?: number }>(response);
  if (token_version !== versionOf(token)) throw expired();
}

function expired(): ApiError {
  return new ApiError(EXPIRED, { status: 401, code: 'session_expired' });
}

/** Keeps the token fresh while the app is open, also when nobody calls anything. */
export function keepFresh(): () => void {
  let timer = 0;
  const schedule = (): void => {
    clearTimeout(timer);
    const tokens = readTokens();
    if (!tokens) return;
    const wait = Math.max(expiryOf(tokens.token) - Date.now() - REFRESH_LEAD_MS, 5_000);
    timer = window.setTimeout(() => {
      // a failure that ends the session has already said so; any other is tried again at the next round
      freshToken().then(schedule, schedule);
    }, wait);
  };
  const unsubscribe = subscribeToSession(schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
