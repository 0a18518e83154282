/** The object that is stored under a key; an empty one when there is none or it can't be read. */
export function readStored(key: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? { ...stored } : {};
  } catch {
    // Not valid JSON: it is as if nothing had been stored
    return {};
  }
}
