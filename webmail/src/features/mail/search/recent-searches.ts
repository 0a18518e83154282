import { furtherStorageKeys } from '../../../lib/further-storage-keys.ts';

const MOST = 8;

/** The latest searches of the person, the newest first. They are removed at logout. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(furtherStorageKeys.searches) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, MOST) : [];
  } catch {
    // An invalid stored text counts as no searches
    return [];
  }
}

/** Remembers a search as the newest. */
export function rememberSearch(text: string): void {
  const others = recentSearches().filter((other) => other !== text);
  localStorage.setItem(furtherStorageKeys.searches, JSON.stringify([text, ...others].slice(0, MOST)));
}
