/** The most messages that the server takes in one call. */
const MOST_IDS = 500;

/** Splits ids into parts, each for one call. */
export function partsOf(ids: readonly string[]): string[][] {
  const starts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, index) => index * MOST_IDS);
  return starts.map((at) => ids.slice(at, at + MOST_IDS));
}

/** Calls the server with some of the ids at a time, one call after the other. */
export async function inParts(ids: readonly string[], call: (part: string[]) => Promise<unknown>): Promise<void> {
  for (const part of partsOf(ids)) await call(part);
}
