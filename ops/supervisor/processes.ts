import { join } from 'node:path';
import { boundToParent } from '../engines/identity.ts';
import type { ProcessSpec } from './managed-process.ts';
import { httpReady } from './readiness.ts';
import type { Settings } from './settings.ts';

/** A process ends its own drain after 20 s. Later than that it is killed. */
const STOP_MS = 25_000;

export function processEnvironment(settings: Settings): NodeJS.ProcessEnv {
  // Node keeps what it compiled, which saves a third of the work of each later start
  const compiled = join(settings.dataDir, 'cache', 'node');
  return {
    NODE_COMPILE_CACHE: compiled,
    // Each message waits for the disk in a thread of its own, and the usual four are soon all
    // waiting
    UV_THREADPOOL_SIZE: '16',
    // glibc would keep a heap for each of these threads
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    NODE_ENV: 'production',
    SELVAGE_DATA: settings.dataDir,
  };
}

/**
 * The tiers of Selvage's processes, in the order in which they start. They stop in the reverse
 * order.
 */
export function processTiers(settings: Settings): ProcessSpec[][] {
  const { ports } = settings;
  const spec = (name: string, entry: string, readyUrl: string): ProcessSpec => {
    const [command = process.execPath, ...args] = [...boundToParent(), process.execPath, entry];
    const env = processEnvironment(settings);
    return {
      name,
      command,
      args,
      env,
      cwd: settings.root,
      ready: httpReady(`${readyUrl}/health/ready`),
      stopMs: STOP_MS,
    };
  };
  const local = (port: number) => `http://127.0.0.1:${port}`;
  return [
    [
      spec('workers', 'workers/src/main.ts', local(ports.WORKERS_HEALTH_PORT)),
      spec('mta-inbound', 'mta/src/main-inbound.ts', local(ports.INBOUND_HEALTH_PORT)),
      spec('mta-submission', 'mta/src/main-submission.ts', local(ports.SUBMISSION_HEALTH_PORT)),
    ],
    [spec('admin-api', 'admin-api/src/main.ts', `http://${reachable(settings.bindAddress)}:${ports.HTTP_PORT}`)],
  ];
}

/** The address at which to reach a server that listens on this address. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}
