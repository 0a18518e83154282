import { deviceKeys, OF_UNSENT, storageKeys } from './storage-keys.ts';

/** The tokens of the logged-in person. */
export interface Tokens {
  token: string;
  refreshToken: string;
  /** For how many seconds the token is good from its arrival. */
  expires_in?: number | undefined;
}

/** The stored tokens, which all tabs share, with the time of their arrival. */
export interface StoredTokens extends Tokens {
  /** By the clock of this device, milliseconds since 1970. */
  at?: number | undefined;
}

/** Why a session ended, for the next page. */
export interface SessionNotice {
  text: string;
  intent: 'warning' | 'success';
}

const KEY = storageKeys.auth;
const listeners = new Set<() => void>();
let endNotice: SessionNotice | null = null;
let isLeftOnPurpose = false;
let cached: { raw: string | null; tokens: StoredTokens | null } = { raw: null, tokens: null };

/** Reversed and encoded, so that they are not readable at a glance. It is no protection. */
export function obscure(tokens: StoredTokens): string {
  return [...btoa(JSON.stringify(tokens))].reverse().join('');
}

export function reveal(raw: string | null): StoredTokens | null {
  if (!raw) return null;
  try {
    const value: unknown = JSON.parse(atob([...raw].reverse().join('')));
    return isTokens(value) ? { ...value, expires_in: numberOf(value.expires_in), at: numberOf(value.at) } : null;
  } catch {
    // The stored text is not valid, which is the same as none
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

function forgetEnd(): void {
  endNotice = null;
  isLeftOnPurpose = false;
}

/** Stores tokens that have just arrived. */
export function storeTokens({ token, refreshToken, expires_in }: Tokens): void {
  forgetEnd();
  localStorage.setItem(KEY, obscure({ token, refreshToken, expires_in, at: Date.now() }));
  announce();
}

/**
 * Forgets the person in all tabs, and everything in storage except the settings of this device and
 * what belongs to unsent messages. The login page shows `notice`.
 */
export function endSession(notice: string | null = null, intent: SessionNotice['intent'] = 'warning'): void {
  if (!localStorage.getItem(KEY)) return;
  endNotice = notice === null ? null : { text: notice, intent };
  isLeftOnPurpose = notice === null || intent === 'success';
  const isKept = (key: string): boolean => deviceKeys.has(key) || key.startsWith(OF_UNSENT);
  for (const key of Object.keys(localStorage)) if (!isKept(key)) localStorage.removeItem(key);
  sessionStorage.clear();
  announce();
}

export function sessionNotice(): SessionNotice | null {
  return endNotice;
}

/** True when the person logged out in this tab, and false when their session ended otherwise. */
export function hasLeftOnPurpose(): boolean {
  return isLeftOnPurpose;
}

/** Calls `listener` when the tokens change, in this tab or another. */
export function subscribeToSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    // How this tab's own session ended says nothing about one that began in another tab
    if (event.key === KEY && event.newValue !== null) forgetEnd();
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
    // Not a JWT: it says nothing, and the next refresh decides
    return {};
  }
}

/** The id of the person to whom a token belongs. */
export function subjectOf(token: string): string {
  const { sub } = claimsOf(token);
  return String(sub ?? '');
}

/** The id of the person whose tokens are stored; null when no person is logged in. */
export function currentSubject(): string | null {
  const tokens = readTokens();
  return tokens && subjectOf(tokens.token);
}

/** The version of the person that a token was made for; null when the token is not readable. */
export function versionOf(token: string): number | null {
  const { tv } = claimsOf(token);
  return typeof tv === 'number' ? tv : null;
}
