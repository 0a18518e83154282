import { freshChoices, noteChoice } from './choices.ts';
import { readStored } from './read-stored.ts';
import { storageKeys } from './storage-keys.ts';

/**
 * The page size that a person has chosen for a list; null when none, or one that the list does not
 * offer.
 */
export function readPageSize(list: string, sizes: readonly number[]): number | null {
  const size = readStored(storageKeys.pageSizes)[list];
  return sizes.find((offered) => offered === size) ?? null;
}

export function rememberPageSize(list: string, size: number): void {
  localStorage.setItem(storageKeys.pageSizes, JSON.stringify({ ...readStored(storageKeys.pageSizes), [list]: size }));
  noteChoice({ page_sizes: { ...freshChoices.get().page_sizes, [list]: size } });
}
