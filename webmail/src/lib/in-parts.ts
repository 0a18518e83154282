/** The most messages that the server takes in one call. */
const MOST_IDS = 500;

/** Calls the server with some of the ids at a time, one call after the other. */
export async function inParts(ids: readonly string[], call: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_IDS) await call(ids.slice(at, at + MOST_IDS));
}
