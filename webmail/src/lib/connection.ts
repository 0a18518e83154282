import { atom } from 'nanostores';

/*
 * Whether the server can be reached, as the calls of this page find out:
 *
 *   up --a call fails--> doubtful --the next call or probe fails--> away --any answer--> up
 *
 * From the first failure on, a probe asks the server more and more slowly until it answers. When
 * `navigator.onLine` is false, the first failure leads to `away` at once. When it is true, it
 * proves nothing.
 */

/** `away` also when the server answers but cannot work, such as without its database. */
type Reach = 'up' | 'away';

/** Whether the server can be reached. */
export const reach = atom<Reach>('up');

/**
 * An answer with one of these statuses comes from a proxy without a server behind it, or from a
 * server that cannot work.
 */
const AWAY_STATUSES = new Set([502, 503, 504]);
const FAILURES_UNTIL_AWAY = 2;
const PROBE = '/health/ready';
const PROBE_TIMEOUT_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/**
 * Many browsers lose a server at the same moment. They should not all come back at the same moment.
 */
const JITTER = 0.25;

let failures = 0;
let probes = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isProbing = false;

/**
 * Notes the result of a request: its status, or 0 when there was no answer.
 * @param busyCode with which an API that is there says why it did not do the work
 */
export function noteAnswer(status: number, busyCode?: string): void {
  if (busyCode || (status !== 0 && !AWAY_STATUSES.has(status))) {
    settle();
    return;
  }
  failures += 1;
  if (failures >= FAILURES_UNTIL_AWAY || isSurelyOffline()) reach.set('away');
  if (timer === undefined && !isProbing) probeLater();
}

/** True when the browser sees no network. False proves nothing. */
export function isSurelyOffline(): boolean {
  return !navigator.onLine;
}

function settle(): void {
  failures = 0;
  probes = 0;
  clearTimeout(timer);
  timer = undefined;
  reach.set('up');
}

function probeLater(): void {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** probes, LONGEST_WAIT_MS) * (1 + JITTER * (Math.random() * 2 - 1));
  probes += 1;
  timer = setTimeout(() => void probe(), wait);
}

async function probe(): Promise<void> {
  if (isProbing) return;
  clearTimeout(timer);
  timer = undefined;
  isProbing = true;
  let status = 0;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    ({ status } = await fetch(PROBE, { cache: 'no-store', signal }));
  } catch {
    // Without an answer the server counts as away
    status = 0;
  }
  isProbing = false;
  noteAnswer(status);
}

/**
 * Asks at once when the browser sees its network come or go, or the person looks at the page again.
 */
export function watchConnection(): () => void {
  const ask = (): void => void probe();
  const askWhenSeen = (): void => {
    if (reach.get() === 'away' && document.visibilityState === 'visible') ask();
  };
  window.addEventListener('online', ask);
  window.addEventListener('offline', ask);
  document.addEventListener('visibilitychange', askWhenSeen);
  return () => {
    window.removeEventListener('online', ask);
    window.removeEventListener('offline', ask);
    document.removeEventListener('visibilitychange', askWhenSeen);
  };
}
