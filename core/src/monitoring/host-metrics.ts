import { Gauge, Registry } from 'prom-client';
import type { App } from '../context/app.ts';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import { type HostPart, hostParts } from './host-parts.ts';

/** How long a look at the host is reused: further scrapes within this time cost nothing. */
const freshMs = 10_000;
/** Prometheus waits ten seconds, and the primary of several processes three and a half. */
const readingLimitMs = 2_500;

/**
 * What alarms need to know of the host as a whole, and of no single process: queues, disks, the
 * certificate, domains and backups. The workers serve it, and one of their processes at a time
 * looks. A part that can't be read, or not in time, leaves its metrics out and says so in
 * `selvage_reading_failed`; the other parts go on (D67).
 * @returns looks at the host, unless it has just done so, and gives what it has found
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
  let lookedAt = 0;
  let looking: Promise<void> | null = null;

  async function look(): Promise<Registry> {
    if (looking === null && Date.now() - lookedAt < freshMs) return registry;
    looking ??= lookAtAll();
    await looking;
    return registry;
  }

  async function lookAtAll(): Promise<void> {
    try {
      await Promise.all(parts.map(lookAt));
    } finally {
      lookedAt = Date.now();
      looking = null;
    }
  }

  async function lookAt(part: HostPart): Promise<void> {
    const isRead = await tryToRead(part);
    if (!isRead) part.gauges.forEach(empty);
    failed.set({ reading: part.name }, isRead ? 0 : 1);
  }

  async function tryToRead(part: HostPart): Promise<boolean> {
    // A reading that has come to no end is not begun again: an engine that hangs is asked once
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

/** Takes all values from a gauge: without this, one that has no labels says 0. */
function empty(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
