const TICK_MS = 5_000;
/** A gap of this length between two ticks of a page in view means that the device slept. */
const ASLEEP_MS = 20_000;
/** Timers of a page in the background run about once a minute, unless the browser has frozen it. */
const FROZEN_MS = 90_000;

/**
 * Calls `wake` when the page goes on after the device slept, or after the browser froze or cached
 * the page.
 */
export function watchWake(wake: () => void): () => void {
  let last = Date.now();
  const look = (longestMs: number): void => {
    const gap = Date.now() - last;
    last = Date.now();
    if (gap > longestMs && document.visibilityState === 'visible') wake();
  };
  const tick = (): void => look(ASLEEP_MS);
  const handleVisibility = (): void => look(FROZEN_MS);
  const handleShow = (event: PageTransitionEvent): void => {
    if (event.persisted) wake();
  };
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener('resume', wake);
  document.addEventListener('visibilitychange', handleVisibility);
  window.addEventListener('pageshow', handleShow);
  return () => {
    clearInterval(timer);
    document.removeEventListener('resume', wake);
    document.removeEventListener('visibilitychange', handleVisibility);
    window.removeEventListener('pageshow', handleShow);
  };
}
