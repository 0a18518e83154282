/**
 * A part of the app could not be fetched: the network is down, or the server has a newer version
 * without this file.
 */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('A part of the app could not be loaded', { cause });
    this.name = 'ChunkError';
  }
}

/** Errors that Vite has reported for parts that could not be fetched. */
const failedImports = new WeakSet<object>();

/**
 * Listens for parts that cannot be fetched, so that such an error is recognised wherever it is
 * caught.
 */
export function watchFailedImports(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => failedImports.add(payload));
}

/**
 * Whether an error means that a part of the app could not be fetched, and not a fault of the app.
 */
export function isMissingPart(error: unknown): boolean {
  return error instanceof ChunkError || (typeof error === 'object' && error !== null && failedImports.has(error));
}

/** Fetches a module of the app. @throws {ChunkError} */
export async function loadModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new ChunkError(error);
  }
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** False on a slow or metered line, where nothing is fetched before it is asked for. */
export function mayFetchAhead(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return !connection?.saveData && !/2g|3g/.test(connection?.effectiveType ?? '');
}
