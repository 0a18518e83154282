import { deviceKeys, storageKeys } from './storage-keys.ts';

/**
 * The tokens of the signed-in person, shared by all tabs through local storage.
 * They are turned around and encoded there: enough to keep them out of a glance, not protection.
 */
export interface Tokens {
  token: string;
  refreshToken: string;
}

/** Why a session ended, for the page that comes next. */
export interface SessionNotice {
  text: string;
  intent: 'warning' | 'success';
}

const KEY = storageKeys.auth;
const listeners = new Set<() => void>();
let endNotice: SessionNotice | null = null;
let cached: { raw: string | null; tokens: Tokens | null } = { raw: null, tokens: null };

export function obscure(tokens: Tokens): string {
  return [...btoa(JSON.stringify(tokens))].reverse().join('');
}

export function reveal(raw: string | null): Tokens | null {
  if (!raw) return null;
  try {
    const value: unknown = JSON.parse(atob([...raw].reverse().join('')));
    return isTokens(value) ? value : null;
  } catch {
    // whatever stands there was not written by us: the same as nothing
    return null;
  }
}

function isTokens(value: unknown): value is Tokens {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    'refreshToken' in value &&
    typeof value.token === 'string' &&
    typeof value.refreshToken === 'string'
  );
}

export function readTokens(): Tokens | null {
  const raw = localStorage.getItem(KEY);
  if (raw !== cached.raw) cached = { raw, tokens: reveal(raw) };
  return cached.tokens;
}

export function storeTokens(tokens: Tokens): void {
  endNotice = null;
  localStorage.setItem(KEY, obscure(tokens));
  announce();
}

/** Forgets the person in all tabs; `notice` is what the sign-in page says about it. */
export function endSession(notice: string | null = null, intent: SessionNotice['intent'] = 'warning'): void {
  if (!localStorage.getItem(KEY)) return;
  endNotice = notice === null ? null : { text: notice, intent };
  for (const key of Object.keys(localStorage)) if (!deviceKeys.has(key)) localStorage.removeItem(key);
  announce();
}

export function sessionNotice(): SessionNotice | null {
  return endNotice;
}

export function subscribeToSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function announce(): void {
  for (const listener of listeners) listener();
}

function claimsOf(token: string): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    // not a JWT: it says nothing, and the next refresh will tell
    return {};
  }
}

/** When an access token ends, in milliseconds since 1970; 0 when it says nothing readable. */
export function expiryOf(token: string): number {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' ? exp * 1000 : 0;
}

/** Whose token it is. */
export function subjectOf(token: string): string {
  const { sub } = claimsOf(token);
  return String(sub ?? '');
}

/** The version of the person that a token was made for; null when it says nothing readable. */
export function versionOf(token: string): number | null {
  const { tv } = claimsOf(token);
  return typeof tv === 'number' ? tv : null;
}
