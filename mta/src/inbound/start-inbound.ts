import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
// This is large, and no message may wait until it is loaded
import '@selvage/core/content/authenticate-in-thread';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import type { Config } from '@selvage/core/process/config';
import { takePart } from '@selvage/core/environment/take-part';
import { healthChecks } from '@selvage/core/process/health';
import { log } from '@selvage/core/log';
import { onShutdown, peerPatienceMs } from '@selvage/core/process/shutdown';
import { memberId } from '@selvage/core/cluster/member';
import { openHealth } from '@selvage/core/cluster/open-health';
import { ensureCertificate, watchCertificate } from '@selvage/core/secrets/certificate';
import { guardMailDoor } from '../door-limits.ts';
import { drainConnections, guardInbound } from './connections.ts';
import { loadServer, showCertificate } from './haraka.ts';
import { refusals } from './refusals.ts';
import { setRunningApp } from './running-app.ts';
import { writeHarakaConfig } from './write-haraka-config.ts';

/** Less than the 20 seconds after which the process exits in any case. */
const drainMs = 15_000;

/** Opens the inbound door in this process. */
export async function startInbound(given: Config): Promise<void> {
  const app = await startApp(given, { role: 'inbound' });
  const { config } = app;
  setRunningApp(app);
  await ensureCertificate(config);

  // Haraka reads this variable when it is loaded
  const configuration = await writeHarakaConfig(config, memberId());
  process.env.HARAKA = configuration;
  const server = loadServer();
  server.createServer({});
  while (!server.listeners.some(({ listening }) => listening)) await sleep(10);
  const guard = guardMailDoor(config, 'inbound');
  guardInbound(server.listeners, guard);

  const certificates = watchCertificate(config, showCertificate);
  const health = await openHealth({
    port: config.inboundHealthPort,
    host: config.healthAddress,
    checks: healthChecks(app),
  });

  onShutdown(
    'door',
    async () => {
      server.stopListeners();
      await drainConnections(drainMs, peerPatienceMs());
    },
    10,
  );
  onShutdown('guard', () => guard.stop(), 20);
  onShutdown('refusals', () => refusals.flush(), 20);
  onShutdown('certificates', () => certificates.close(), 20);
  onShutdown('health', () => health.close(), 80);
  onShutdown('engines', () => stopApp(app), 90);
  // Each new process has a number and a folder of its own
  onShutdown('configuration', () => rm(configuration, { recursive: true, force: true }), 95);
  takePart(app, 'inbound');
  log.info('door open', { port: config.smtpPort, hostname: config.hostname });
}
