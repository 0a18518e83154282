/*
 * What a person types before the script that obeys keys is there. The first script only remembers
 * the last key: it is part of every first visit, and the rest is not.
 */
let last: KeyboardEvent | null = null;

function remember(event: KeyboardEvent): void {
  last = event;
}

/** Begins to remember keys. */
export function rememberKeys(): void {
  document.addEventListener('keydown', remember);
}

/** Ends it, and answers the last key, unless it is older than `mostMs`. */
export function takeEarlyKey(mostMs: number): KeyboardEvent | null {
  document.removeEventListener('keydown', remember);
  const taken = last;
  last = null;
  return taken && performance.now() - taken.timeStamp < mostMs ? taken : null;
}
