/** How long the reference work takes on the machine for which the limits of tests are written. */
const nominalMs = 8;
/** For how long a measurement of the machine's speed stays valid, in milliseconds of wall time. */
const freshMs = 200;

// The first runs are slow, since the code is not compiled yet
for (let turn = 0; turn < 3; turn++) referenceWork();
let counted = 0;
let lastSlowness = slowness();
let lookedAt = performance.now();
let lastRaw = rawMs();

/**
 * Milliseconds of processor time that this thread has used so far, scaled by the speed of the
 * machine. Unlike wall time, it stops while other threads have the processor. When the machine is
 * slow, even for a moment, it counts more slowly. So a limit in this unit allows the same amount of
 * work everywhere.
 */
export function cpuTimeMs(): number {
  const spent = rawMs() - lastRaw;
  // Measuring the speed costs time itself, so it is skipped when less than one measurement was
  // spent since the last
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

/** How many times as long as nominal this thread takes for the reference work. */
export function slowness(): number {
  const start = rawMs();
  referenceWork();
  return (rawMs() - start) / nominalMs;
}

/** Splits, compares and joins text, as the readers of mail do. */
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
