const tickMs = 50;

/**
 * For how long a process has waited while something was done, in milliseconds. A time in which it
 * did not get the processor, or computed without a pause, counts as one tick: on a busy machine the
 * clock says more.
 */
export async function waitedMs(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tickMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return ticks * tickMs;
}
