import { lateKeys } from '../../../lib/late-keys.ts';

const MOST = 8;

/** What the person searched for last, the newest first. It is removed when they log out. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(lateKeys.searches) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, MOST) : [];
  } catch {
    // The stored text is not valid: nothing was searched for
    return [];
  }
}

/** Remembers a search as the newest. */
export function rememberSearch(text: string): void {
  const others = recentSearches().filter((other) => other !== text);
  localStorage.setItem(lateKeys.searches, JSON.stringify([text, ...others].slice(0, MOST)));
}
