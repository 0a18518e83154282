import { join } from 'node:path';
import type { ProgramSpec } from './managed-program.ts';
import { httpReady } from './readiness.ts';
import type { Settings } from './settings.ts';

/**
 * A start takes minutes on a slow machine. The supervisor ends a process whose start hangs, and
 * gives the start up when processes end again and again.
 */
const startMs = 600_000;
/** A process ends its own drain after 20 s. Later than that it is killed. */
const stopMs = 25_000;

/**
 * - V8 optimises code after fewer calls than usual (400 and 3,000). Each message runs most of the
 *   code only once, so the first thousands after a start would take a fifth more processor time.
 * - V8 does not shrink its heap in pauses of some seconds. After each of them its threads were as
 *   busy as after a start, and the next two thousand messages took up to twice the processor time.
 *   `collectIdleGarbage` gives memory back in longer pauses.
 */
export const v8Options = [
  '--invocation-count-for-maglev=100',
  '--invocation-count-for-turbofan=500',
  '--no-memory-reducer',
];

export function processEnvironment(settings: Settings): NodeJS.ProcessEnv {
  // Node caches its compiled code here, which saves a third of the work of each later start
  const compiled = join(settings.dataDir, 'cache', 'node');
  return {
    NODE_COMPILE_CACHE: compiled,
    // Each message waits for the disk in a thread of the pool, and soon all of the usual four would
    // be waiting
    UV_THREADPOOL_SIZE: '16',
    // Otherwise glibc would keep a heap for each of these threads
    MALLOC_ARENA_MAX: '2',
    // Otherwise glibc would not return the memory of large messages: it would put ever larger
    // blocks between small ones, where they can't be given back
    MALLOC_MMAP_THRESHOLD_: '32768',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...process.env,
    NODE_ENV: 'production',
    SELVAGE_DATA: settings.dataDir,
  };
}

/**
 * Node reads from a socket into blocks of 64 KB. If they had pages of their own, mapping and
 * unmapping them could take a third of the time in the process that receives mail.
 */
function inboundEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '131072' };
}

/**
 * The tiers of Selvage's programs, in the order in which they start. They stop in the reverse
 * order.
 */
export function programTiers(settings: Settings): ProgramSpec[][] {
  const { ports, processes, healthAddress: host } = settings;
  const environment = processEnvironment(settings);
  const spec = (name: string, exec: string, count: number, health: ProgramSpec['health']): ProgramSpec => ({
    name,
    count,
    start: { exec, execArgv: v8Options, cwd: settings.root, environment },
    health,
    startMs,
    stopMs,
  });
  const at = (port: number) => ({ port, host });
  const http = `http://${reachable(settings.httpAddress)}:${ports.HTTP_PORT}`;
  const inbound = spec('mta-inbound', 'mta/src/main-inbound.ts', processes.INBOUND, at(ports.INBOUND_HEALTH_PORT));
  return [
    [
      spec('workers', 'workers/src/main.ts', processes.WORKERS, at(ports.WORKERS_HEALTH_PORT)),
      { ...inbound, start: { ...inbound.start, environment: inboundEnvironment(environment) } },
      spec('mta-submission', 'mta/src/main-submission.ts', processes.SUBMISSION, at(ports.SUBMISSION_HEALTH_PORT)),
    ],
    [
      {
        ...spec('admin-api', 'admin-api/src/main.ts', processes.API, null),
        answers: httpReady(`${http}/health/ready`),
      },
    ],
  ];
}

/** The address at which to reach a server that listens on this address. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}
