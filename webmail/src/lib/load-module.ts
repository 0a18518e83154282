/** A part of the app could not be fetched: the line is down, or the server has a newer version without this file. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('A part of the app could not be loaded', { cause });
    this.name = 'ChunkError';
  }
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
