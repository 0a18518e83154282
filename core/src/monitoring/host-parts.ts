import { Gauge } from 'prom-client';
import { healthLevels } from '../contracts/domain-guard.ts';
import type { App } from '../context/app.ts';
import { allJobs } from '../jobs/all-jobs.ts';
import { Queues } from '../jobs/queues.ts';
import { readCertificateEnd } from '../secrets/certificate.ts';
import {
  mostCounted,
  readDatabaseSize,
  readDeliveries,
  readDisks,
  readDomains,
  readEngines,
  readLastBackup,
  readOutbox,
} from './read-host.ts';

/** The metrics of one reading of the host. They are present or absent together. */
export interface HostPart {
  name: string;
  gauges: Gauge[];
  /** Sets the gauges, which are empty before. */
  read(): Promise<void>;
}

/** The readings of the host that its alarms use. */
export function hostParts(app: App): HostPart[] {
  return [
    engines(app),
    deliveries(app),
    outbox(app),
    jobs(app),
    disks(app),
    databaseSize(app),
    certificate(app),
    domains(app),
    backup(app),
  ];
}

/**
 * A gauge of a fact that is the same in every process. When two processes report it, the larger
 * value counts and not the sum.
 */
function gauge(name: string, help: string, labelNames: string[] = []): Gauge {
  return new Gauge({ name, help, labelNames, aggregator: 'max', registers: [] });
}

function engines(app: App): HostPart {
  const up = gauge('selvage_engine_up', 'Whether an engine answers: 1 or 0', ['engine']);
  return {
    name: 'engines',
    gauges: [up],
    read: async () => {
      for (const [engine, answers] of Object.entries(await readEngines(app))) up.set({ engine }, answers ? 1 : 0);
    },
  };
}

function deliveries(app: App): HostPart {
  const waiting = gauge(
    'selvage_deliveries_waiting',
    `Outgoing deliveries that wait: queued, or held for undo or a later time (each counted up to ${mostCounted})`,
    ['state'],
  );
  const overdue = gauge(
    'selvage_deliveries_overdue_seconds',
    'How long the outgoing delivery that is due longest has waited for a worker, of domains that none has tried within ten minutes; 0 when none is due',
  );
  const oldest = gauge(
    'selvage_deliveries_oldest_seconds',
    `For how long the oldest queued delivery has been under way (of the first ${mostCounted}); 0 when none is queued`,
  );
  return {
    name: 'deliveries',
    gauges: [waiting, overdue, oldest],
    read: async () => {
      const { queued, held, overdueSeconds, oldestSeconds } = await readDeliveries(app);
      oldest.set(oldestSeconds);
      waiting.set({ state: 'queued' }, queued);
      waiting.set({ state: 'held' }, held);
      overdue.set(overdueSeconds);
    },
  };
}

function outbox(app: App): HostPart {
  const waiting = gauge(
    'selvage_outbox_waiting',
    `Committed jobs that are due and not in their queue yet (counted up to ${mostCounted})`,
  );
  const overdue = gauge(
    'selvage_outbox_overdue_seconds',
    'How long the committed job that is due longest has not been put into its queue; 0 when none is due',
  );
  return {
    name: 'outbox',
    gauges: [waiting, overdue],
    read: async () => {
      const found = await readOutbox(app);
      waiting.set(found.waiting);
      overdue.set(found.overdueSeconds);
    },
  };
}

function jobs(app: App): HostPart {
  const queues = new Queues(app.redis);
  const names = [...new Set(allJobs.map(({ queue }) => queue))];
  const count = gauge(
    'selvage_jobs',
    'Background jobs by queue and state: waiting, delayed, active, or failed for good and kept to be looked at',
    ['queue', 'state'],
  );
  const oldest = gauge(
    'selvage_jobs_oldest_waiting_seconds',
    'How long the background job that waits longest could have been run, by queue; 0 when none waits',
    ['queue'],
  );
  return {
    name: 'jobs',
    gauges: [count, oldest],
    read: async () => {
      const looks = await Promise.all(names.map(async (queue) => ({ queue, ...(await queues.look(queue)) })));
      for (const { queue, counts, waitingSince } of looks) {
        for (const [state, number] of Object.entries(counts)) count.set({ queue, state }, number);
        oldest.set({ queue }, waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime()) / 1000);
      }
    },
  };
}

function disks(app: App): HostPart {
  const free = gauge(
    'selvage_disk_free_bytes',
    'Bytes that the host can still write where it keeps its data, its blobs, its search indexes, its archives when they have a file system of their own and, when it is on the same machine, its database',
    ['disk'],
  );
  const size = gauge('selvage_disk_size_bytes', 'Size of the file system behind selvage_disk_free_bytes', ['disk']);
  return {
    name: 'disks',
    gauges: [free, size],
    read: async () => {
      for (const { name, freeBytes, sizeBytes } of await readDisks(app)) {
        free.set({ disk: name }, freeBytes);
        size.set({ disk: name }, sizeBytes);
      }
    },
  };
}

function databaseSize(app: App): HostPart {
  const bytes = gauge('selvage_database_size_bytes', 'Bytes of all tables and indexes, as the database estimates them');
  return { name: 'database size', gauges: [bytes], read: async () => bytes.set(await readDatabaseSize(app)) };
}

function certificate(app: App): HostPart {
  const end = gauge(
    'selvage_certificate_expiry_timestamp_seconds',
    'When the certificate of the mail doors ends, in seconds since 1970; absent while there is none',
  );
  return {
    name: 'certificate',
    gauges: [end],
    read: async () => setMoment(end, readCertificateEnd(app.config)?.validTo ?? null),
  };
}

function domains(app: App): HostPart {
  const count = gauge(
    'selvage_domains',
    'Verified domains by what their DNS said at the last look: good, warning, error, or unknown before the first one',
    ['health'],
  );
  const failing = gauge(
    'selvage_domain_dns_error',
    '1 for a domain whose DNS has an error that harms its mail; at most 50 are named',
    ['domain'],
  );
  return {
    name: 'domains',
    gauges: [count, failing],
    read: async () => {
      const found = await readDomains(app);
      healthLevels.forEach((health, level) => count.set({ health }, found.counts.get(level) ?? 0));
      for (const domain of found.failing) failing.set({ domain }, 1);
    },
  };
}

function backup(app: App): HostPart {
  const last = gauge(
    'selvage_backup_last_success_timestamp_seconds',
    'When the last backup of the host by ops/backup was taken, in seconds since 1970; absent while there is none',
  );
  return { name: 'backup', gauges: [last], read: async () => setMoment(last, readLastBackup(app)) };
}

function setMoment(gauge: Gauge, moment: Date | null): void {
  if (moment !== null) gauge.set(moment.getTime() / 1000);
}
