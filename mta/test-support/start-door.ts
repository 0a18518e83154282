import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/runtime/app';
import { afterAll } from 'vitest';
import { startDnsServer, type Zone } from '../../tests/support/dns-server.ts';
import { freePorts } from '../../tests/support/free-ports.ts';
import { startTestApp, testEnvironment } from '../../tests/support/test-app.ts';
import { until } from '../../tests/support/until.ts';

/** A door in a process of its own, as in production: Haraka lives on globals of the process. */
export interface Door {
  app: App;
  /** Of SMTP_PORT or SUBMISSION_PORT. */
  port: number;
  /** Of SUBMISSIONS_PORT. */
  securePort: number;
  healthPort: number;
  process: ChildProcess;
}

/** Starts one door for this test file; ends with it. */
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
    ...options.environment,
  });
  const app = await startTestApp(environment);
  const output = openSync(join(app.config.dataDir, 'door.log'), 'a');
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src', program)], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', output, output],
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await dns.stop();
  });
  await until('the door is open', async () => {
    if (child.exitCode !== null) throw new Error(`the door exited with ${child.exitCode}`);
    return (await fetch(`http://127.0.0.1:${healthPort}/health/ready`)).ok;
  });
  return { app, port, securePort, healthPort, process: child };
}
