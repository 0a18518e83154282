import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { collectStartupGarbage } from '@selvage/core/process/collect-startup-garbage';
import { loadConfig } from '@selvage/core/process/config';
import { healthChecks, startHealthServer } from '@selvage/core/process/health';
import { configureLog, log } from '@selvage/core/log';
import { collectProcessMetrics } from '@selvage/core/metrics';
import { onShutdown } from '@selvage/core/process/shutdown';
import { watchEventLoop } from '@selvage/core/process/watch-event-loop';
import { ensureCertificate, watchCertificate } from '@selvage/core/secrets/certificate';
import { guardMailDoor } from './door-limits.ts';
import { drainConnections, guardInbound } from './inbound/connections.ts';
import { loadServer } from './inbound/haraka.ts';
import { refusals } from './inbound/refusal-ledger.ts';
import { reloadCertificate } from './inbound/reload-certificate.ts';
import { setRunningApp } from './inbound/running-app.ts';
import { writeHarakaConfig } from './inbound/write-haraka-config.ts';

/** Less than the 20 seconds after which the process exits in any case. */
const drainMs = 15_000;

const config = loadConfig();
configureLog({ level: config.logLevel, process: 'inbound' });
collectProcessMetrics();
watchEventLoop({ process: 'inbound', limitSeconds: config.watchdogSeconds });
const app = await startApp(config, { role: 'inbound' });
setRunningApp(app);
await ensureCertificate(config);

// Haraka reads this variable when it is loaded
process.env.HARAKA = await writeHarakaConfig(config);
const server = loadServer();
server.createServer({});
while (!server.listeners.some(({ listening }) => listening)) await sleep(10);
const guard = guardMailDoor(config, 'inbound');
guardInbound(server.listeners, guard);

const certificates = watchCertificate(config, reloadCertificate);
const health = await startHealthServer({
  port: config.inboundHealthPort,
  host: config.healthAddress,
  checks: healthChecks(app),
});

onShutdown(
  'door',
  async () => {
    server.stopListeners();
    await drainConnections(drainMs);
  },
  10,
);
onShutdown('guard', () => guard.stop(), 20);
onShutdown('refusals', () => refusals.flush(), 20);
onShutdown('certificates', () => certificates.close(), 20);
onShutdown('health', () => health.close(), 80);
onShutdown('engines', () => stopApp(app), 90);
log.info('door open', { port: config.smtpPort, hostname: config.hostname });
collectStartupGarbage();
