import { storageKeys } from './storage-keys.ts';

function readAll(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.pageSizes) ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  } catch {
    // The stored text is not valid: no list has a chosen size
    return {};
  }
}

/**
 * The page size that a person has chosen for a list; null when none, or one that the list does not
 * offer.
 */
export function readPageSize(list: string, sizes: readonly number[]): number | null {
  const size = readAll()[list];
  return sizes.find((offered) => offered === size) ?? null;
}

export function rememberPageSize(list: string, size: number): void {
  localStorage.setItem(storageKeys.pageSizes, JSON.stringify({ ...readAll(), [list]: size }));
}
