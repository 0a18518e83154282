/** What the reference work takes on the machine for which the limits of tests are written. */
const nominalMs = 8;
/** For how long by the clock one look at the speed of the machine counts. */
const freshMs = 200;

// The first turns are those of a program that is not compiled yet
for (let turn = 0; turn < 3; turn++) referenceWork();
let counted = 0;
let lastSlowness = slowness();
let lookedAt = performance.now();
let lastRaw = rawMs();

/**
 * Milliseconds that this thread has computed so far. Unlike a clock, it stands still while other
 * threads have the processor. On a machine that computes more slowly, also for the moment only, it
 * runs more slowly: a limit in it means the same amount of work everywhere.
 */
export function cpuTimeMs(): number {
  const spent = rawMs() - lastRaw;
  // To look costs time itself, so a turn that is shorter than a look is not worth one each time
  const isFresh = spent < nominalMs && performance.now() - lookedAt < freshMs;
  const now = isFresh ? lastSlowness : slowness();
  if (!isFresh) lookedAt = performance.now();
  counted += spent / Math.max(1, (lastSlowness + now) / 2);
  lastSlowness = now;
  lastRaw = rawMs();
  return counted;
}

function rawMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** How many times as long as nominal this thread takes for a little of what the tests measure. */
function slowness(): number {
  const start = rawMs();
  referenceWork();
  return (rawMs() - start) / nominalMs;
}

/** Text taken apart, compared and put together, as the readers of mail do. */
function referenceWork(): number {
  let found = 0;
  const names = new Map<string, number>();
  for (let turn = 0; turn < 400; turn++) {
    const text = `Name ${turn} <a${turn}@b.test>, `.repeat(60);
    for (const part of text.split(',')) {
      const address = /<([^>]*)>/.exec(part)?.[1] ?? '';
      names.set(address, (names.get(address) ?? 0) + part.trim().length);
    }
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x40) found++;
  }
  return found + names.size;
}
