import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Everything that /metrics of this process shows. */
export const metrics = new Registry();

/** The metrics of a process as they go to another one. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Outcomes of mail, in the same words as in the log and the ledger. */
export const mailEvents = new Counter({
  name: 'selvage_mail_events_total',
  help: 'Messages by what became of them',
  labelNames: ['event', 'reason'],
  registers: [metrics],
});

/** How long the HTTP API takes to answer. */
export const httpSeconds = new Histogram({
  name: 'selvage_http_request_seconds',
  help: 'Duration of HTTP requests',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [metrics],
});

/** Connections that a door refused, or ended to make room for others. */
export const endedConnections = new Counter({
  name: 'selvage_ended_connections_total',
  help: 'Connections that a door refused or ended by itself, by reason',
  labelNames: ['door', 'reason'],
  registers: [metrics],
});

/** Attempts to hand a message to a remote server. */
export const outboundAttempts = new Counter({
  name: 'selvage_outbound_attempts_total',
  help: 'Attempts to deliver to remote servers by result',
  labelNames: ['result'],
  registers: [metrics],
});

/** Runs of jobs that threw. Each job of the host begins with 0, so that its first failure shows. */
export const jobFailures = new Counter({
  name: 'selvage_job_failures_total',
  help: 'Runs of background jobs that failed, by job; most of them are run again',
  // Prometheus has a label `job` of its own
  labelNames: ['job_name'],
  registers: [metrics],
});

/** Passes of sweeps that threw, and steps of the slow ones. */
export const sweepFailures = new Counter({
  name: 'selvage_sweep_failures_total',
  help: 'Passes and steps of sweeps that failed, by sweep; most are repeated',
  labelNames: ['sweep'],
  registers: [metrics],
});

/** Failures of the web app that browsers reported. */
export const clientErrors = new Counter({
  name: 'selvage_client_errors_total',
  help: 'Failures of the web app that browsers reported',
  registers: [metrics],
});

/** Computations of a slow password hash; each costs tens of milliseconds and 19 MiB. */
export const passwordHashes = new Counter({
  name: 'selvage_password_hashes_total',
  help: 'Password hashes computed to check or to set a password',
  registers: [metrics],
});

/** Threads that were ended because a message was over a bound, or that failed by themselves. */
export const contentThreadsEnded = new Counter({
  name: 'selvage_content_threads_ended_total',
  help: 'Threads that read a message and were ended, by task and reason',
  labelNames: ['task', 'reason'],
  registers: [metrics],
});

const damageProblems = ['missing', 'truncated', 'changed', 'unreadable'] as const;

/**
 * What a check of the disk can find wrong with the bytes of a blob. `truncated`: the number of
 * bytes is wrong.
 */
export type DamageProblem = (typeof damageProblems)[number];

/**
 * Stored bytes that a check of the disk, or a reader (`read`), found damaged. Each raises an alarm.
 */
export const damagedBlobs = new Counter({
  name: 'selvage_damaged_blobs_total',
  help: 'Stored bytes found missing, truncated, changed or unreadable, each time they are found',
  labelNames: ['problem'],
  registers: [metrics],
});
// Prometheus sees no rise in a number that is new, so the first damage would raise no alarm
for (const problem of [...damageProblems, 'read']) damagedBlobs.inc({ problem }, 0);

/** Stored bytes that nothing referred to. */
export const orphanBlobsRemoved = new Counter({
  name: 'selvage_orphan_blobs_removed_total',
  help: 'Stored bytes that nothing referred to and that a sweep removed',
  registers: [metrics],
});

const loopBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** How late the event loop runs a timer that is due, measured 40 times a second. */
export const eventLoopDelay = new Histogram({
  name: 'selvage_event_loop_delay_seconds',
  help: 'How late the event loop is',
  buckets: loopBuckets,
  registers: [metrics],
});

/**
 * Processor time of the main thread between two measurements, which are 25 ms apart. A much larger
 * value means that this process itself blocked the event loop, however busy the machine is.
 */
export const eventLoopHeld = new Histogram({
  name: 'selvage_event_loop_held_seconds',
  help: 'Processor time that the main thread used in one go',
  buckets: loopBuckets,
  registers: [metrics],
});

let isCollecting = false;

/** Adds the memory, the CPU time and the event loop of this process. */
export function collectProcessMetrics(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: metrics });
}
