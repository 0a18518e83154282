const tickMs = 50;

/**
 * How many milliseconds this process waited during some work. A period in which it did not get the
 * processor, or computed without a pause, counts as one tick, so a busy machine adds less than to
 * wall time.
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
