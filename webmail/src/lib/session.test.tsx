import { afterEach, beforeEach, expect, it } from 'vitest';
import { endSession, hasLeftOnPurpose, obscure, sessionNotice, storeTokens, subscribeToSession } from './session.ts';
import { storageKeys } from './storage-keys.ts';

const tokens = { token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x' };

/** Another tab stores tokens, or removes them. */
function storeElsewhere(newValue: string | null): void {
  if (newValue === null) localStorage.removeItem(storageKeys.auth);
  else localStorage.setItem(storageKeys.auth, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.auth, newValue }));
}

let unsubscribe: () => void;
beforeEach(() => {
  unsubscribe = subscribeToSession(() => undefined);
  storeTokens(tokens);
});
afterEach(() => {
  unsubscribe();
  endSession();
});

it('an earlier logout says nothing about a session that began and ended in another tab', () => {
  endSession();
  expect(hasLeftOnPurpose()).toBe(true);
  storeElsewhere(obscure(tokens));
  storeElsewhere(null);
  expect(hasLeftOnPurpose()).toBe(false);
});

it('the notice of an earlier end is gone once the person has logged in in another tab', () => {
  endSession('Session expired. Please log in again.');
  storeElsewhere(null);
  expect(sessionNotice()?.text).toBe('Session expired. Please log in again.');
  storeElsewhere(obscure(tokens));
  storeElsewhere(null);
  expect(sessionNotice()).toBeNull();
});

it('a login in another tab counts although it has ended before this tab hears of it', () => {
  endSession();
  window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.auth, newValue: obscure(tokens) }));
  expect(hasLeftOnPurpose()).toBe(false);
});
