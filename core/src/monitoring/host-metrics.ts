import { Gauge, Registry } from 'prom-client';
import type { App } from '../context/app.ts';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import { type HostPart, hostParts } from './host-parts.ts';

/** How long a look at the host is reused: further scrapes within this time cost nothing. */
const freshMs = 10_000;
/** Shorter than the wait of Prometheus (ten seconds) and that of the primary (three and a half). */
const readingLimitMs = 2_500;

/**
 * Makes the metrics of the host as a whole, and of no single process: queues, disks, the
 * certificate, domains and backups. The workers serve them, and one of their processes at a time
 * reads them. When a part can't be read, or not in time, its metrics are absent and
 * `selvage_reading_failed` says so; the other parts go on (D67).
 * @returns a function that reads the host, unless it has just done so, and resolves to the metrics
 */
export function createHostMetrics(app: App): () => Promise<Registry> {
  const registry = new Registry();
  const parts = hostParts(app);
  const failed = new Gauge({
    name: 'selvage_reading_failed',
    help: 'Whether a part of the metrics of the host could not be read at the last look: 1 or 0',
    labelNames: ['reading'],
    aggregator: 'max',
    registers: [],
  });
  const pending = new Set<HostPart>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  async function look(): Promise<Registry> {
    if (looking === null && performance.now() - lookedAt < freshMs) return registry;
    looking ??= lookAtAll();
    await looking;
    return registry;
  }

  async function lookAtAll(): Promise<void> {
    try {
      await Promise.all(parts.map(lookAt));
    } finally {
      lookedAt = performance.now();
      looking = null;
    }
  }

  async function lookAt(part: HostPart): Promise<void> {
    const isRead = await tryToRead(part);
    if (!isRead) part.gauges.forEach(empty);
    failed.set({ reading: part.name }, isRead ? 0 : 1);
  }

  async function tryToRead(part: HostPart): Promise<boolean> {
    // A reading that has not ended is not begun again, so a database that hangs is asked once
    if (pending.has(part)) return false;
    pending.add(part);
    part.gauges.forEach(empty);
    const work = part.read().finally(() => pending.delete(part));
    try {
      await withDeadline(work, readingLimitMs);
      return true;
    } catch (error) {
      log.warn('a reading for the metrics failed', { reading: part.name, error });
      return false;
    }
  }

  for (const gauge of [failed, ...parts.flatMap(({ gauges }) => gauges)]) registry.registerMetric(gauge);
  return look;
}

/** Removes all values from a gauge. After `reset` alone, a gauge without labels would be 0. */
function empty(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
