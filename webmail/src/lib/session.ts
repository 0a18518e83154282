import { deviceKeys, storageKeys } from './storage-keys.ts';

/** The tokens of the signed-in person. */
export interface Tokens {
  token: string;
  refreshToken: string;
  /** For how many seconds the token is good from the moment it came. */
  expires_in?: number | undefined;
}

/** As they are kept: shared by all tabs, with the time at which they came. */
export interface StoredTokens extends Tokens {
  /** By the clock of this device, milliseconds since 1970. */
  at?: number | undefined;
}

/** Why a session ended, for the page that comes next. */
export interface SessionNotice {
  text: string;
  intent: 'warning' | 'success';
}

const KEY = storageKeys.auth;
const listeners = new Set<() => void>();
let endNotice: SessionNotice | null = null;
let isLeftOnPurpose = false;
let cached: { raw: string | null; tokens: StoredTokens | null } = { raw: null, tokens: null };

/** Turned around and encoded: enough to keep them out of a glance, not protection. */
export function obscure(tokens: StoredTokens): string {
  return [...btoa(JSON.stringify(tokens))].reverse().join('');
}

export function reveal(raw: string | null): StoredTokens | null {
  if (!raw) return null;
  try {
    const value: unknown = JSON.parse(atob([...raw].reverse().join('')));
    return isTokens(value) ? { ...value, expires_in: numberOf(value.expires_in), at: numberOf(value.at) } : null;
  } catch {
    // whatever stands there was not written by us: the same as nothing
    return null;
  }
}

function isTokens(value: unknown): value is Record<string, unknown> & { token: string; refreshToken: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    'refreshToken' in value &&
    typeof value.token === 'string' &&
    typeof value.refreshToken === 'string'
  );
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function readTokens(): StoredTokens | null {
  const raw = localStorage.getItem(KEY);
  if (raw !== cached.raw) cached = { raw, tokens: reveal(raw) };
  return cached.tokens;
}

/** Keeps the tokens that have just come. */
export function storeTokens({ token, refreshToken, expires_in }: Tokens): void {
  endNotice = null;
  isLeftOnPurpose = false;
  localStorage.setItem(KEY, obscure({ token, refreshToken, expires_in, at: Date.now() }));
  announce();
}

/**
 * Forgets the person in all tabs, and everything that is kept here but what is about the device; `notice` is what the sign-in page
 * says about it.
 */
export function endSession(notice: string | null = null, intent: SessionNotice['intent'] = 'warning'): void {
  if (!localStorage.getItem(KEY)) return;
  endNotice = notice === null ? null : { text: notice, intent };
  isLeftOnPurpose = notice === null || intent === 'success';
  for (const key of Object.keys(localStorage)) if (!deviceKeys.has(key)) localStorage.removeItem(key);
  sessionStorage.clear();
  announce();
}

export function sessionNotice(): SessionNotice | null {
  return endNotice;
}

/** Whether the person signed out in this tab, rather than that their session ended. */
export function hasLeftOnPurpose(): boolean {
  return isLeftOnPurpose;
}

/** Calls when the tokens change, in this tab or in another. */
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

/** Whose token it is. */
export function subjectOf(token: string): string {
  const { sub } = claimsOf(token);
  return String(sub ?? '');
}

/** The person whose tokens are kept; null when nobody is signed in. */
export function currentSubject(): string | null {
  const tokens = readTokens();
  return tokens && subjectOf(tokens.token);
}

/** The version of the person that a token was made for; null when it says nothing readable. */
export function versionOf(token: string): number | null {
  const { tv } = claimsOf(token);
  return typeof tv === 'number' ? tv : null;
}
