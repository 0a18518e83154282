import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { afterAll } from 'vitest';
import { startDnsServer, type Zone } from '../../tests/support/dns-server.ts';
import { freePorts } from '../../tests/support/free-ports.ts';
import { startProcess } from '../../tests/support/start-process.ts';
import { startTestApp, testEnvironment } from '../../tests/support/test-app.ts';

/**
 * A door in a process of its own, as in production. Haraka keeps its state in globals of the
 * process.
 */
export interface Door {
  app: App;
  /** The port of SMTP_PORT or SUBMISSION_PORT. */
  port: number;
  /** The port of SUBMISSIONS_PORT. */
  securePort: number;
  healthPort: number;
  process: ChildProcess;
}

const started: (() => Promise<void>)[] = [];

// At the top level, since Vitest would never call a hook that is registered while a test runs
afterAll(async () => {
  for (const stop of started.splice(0)) await stop();
});

/** Starts a door. It is killed after the last test of the file. */
export async function startDoor(
  program: 'main-inbound.ts' | 'main-submission.ts',
  options: { zone?: Zone; environment?: NodeJS.ProcessEnv } = {},
): Promise<Door> {
  const [port = 0, securePort = 0, healthPort = 0] = await freePorts(3);
  const dns = await startDnsServer(options.zone ?? {});
  const environment = await testEnvironment({
    SMTP_PORT: String(port),
    SUBMISSION_PORT: String(port),
    SUBMISSIONS_PORT: String(securePort),
    INBOUND_HEALTH_PORT: String(healthPort),
    SUBMISSION_HEALTH_PORT: String(healthPort),
    DNS_SERVERS: dns.address,
    LOG_LEVEL: 'info',
    ...options.environment,
  });
  const app = await startTestApp(environment);
  const { child, untilReady } = startProcess({
    program: `mta/src/${program}`,
    environment,
    log: join(app.config.dataDir, 'door.log'),
    health: `http://127.0.0.1:${healthPort}/health`,
  });
  started.push(async () => {
    child.kill('SIGKILL');
    await dns.stop();
  });
  await untilReady(120_000);
  return { app, port, securePort, healthPort, process: child };
}
