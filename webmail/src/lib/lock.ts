/** Writing and reading back this much later shows whether another tab wrote at the same time. */
const SETTLE_MS = 50;
/** Two tabs have the same clock. One that runs back further than this was set in between. */
const TOLERANCE_MS = 1_000;

/** What is done under a lock. `hasWaited` tells that another tab had it until just now. */
type Work<T> = (hasWaited: boolean) => Promise<T>;

/**
 * Runs one piece of work at a time in all tabs. `longestMs` is longer than the work may ever take.
 * A tab that was closed or put to sleep in the middle holds up the others no longer than that. If
 * two tabs hold the lock after all, because one of them was too slow, the work of both goes on.
 */
export function underLock<T>(name: string, longestMs: number, work: Work<T>): Promise<T> {
  // Plain HTTP on a name other than localhost has no locks
  return 'locks' in navigator ? underWebLock(name, longestMs, work) : underStoredLock(name, longestMs, work);
}

async function underWebLock<T>(name: string, longestMs: number, work: Work<T>): Promise<T> {
  const begun: { work?: Promise<T> } = {};
  const begin = (hasWaited: boolean): Promise<T> => {
    begun.work = work(hasWaited);
    return begun.work;
  };
  try {
    await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? begin(false) : undefined));
    if (begun.work) return await begun.work;
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(longestMs) }, () => begin(true));
  } catch {
    // Another tab took the lock, which this tab learns by an error. The work goes on, and only its
    // own failure counts
    if (begun.work) return await begun.work;
    // The holder does not answer any more, so this tab takes the lock
    return await navigator.locks.request(name, { steal: true }, () => begin(true));
  }
}

async function underStoredLock<T>(name: string, longestMs: number, work: Work<T>): Promise<T> {
  const key = `${name}.lock`;
  let mine = '';
  let attempts = 0;
  do {
    attempts += 1;
    mine = `${Math.random().toString(36).slice(2)}:${Date.now()}`;
  } while (!(await take({ key, mine, longestMs })));
  try {
    return await work(attempts > 1);
  } finally {
    if (localStorage.getItem(key) === mine) localStorage.removeItem(key);
  }
}

async function take({ key, mine, longestMs }: { key: string; mine: string; longestMs: number }): Promise<boolean> {
  if (isHeld(localStorage.getItem(key), longestMs)) {
    await pause();
    return false;
  }
  localStorage.setItem(key, mine);
  await pause();
  return localStorage.getItem(key) === mine;
}

/**
 * A holder with a time in the future took the lock before the clock was set back, at an unknown
 * time.
 */
function isHeld(holder: string | null, longestMs: number): boolean {
  if (!holder) return false;
  const age = Date.now() - Number(holder.split(':')[1]);
  return age > -TOLERANCE_MS && age < longestMs;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
