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
import { createSubmissionServer } from './submission/create-server.ts';

const config = loadConfig();
configureLog({ level: config.logLevel, process: 'submission' });
collectProcessMetrics();
watchEventLoop({ process: 'submission', limitSeconds: config.watchdogSeconds });
const app = await startApp(config, { role: 'submission' });
const certificate = await ensureCertificate(config);

const doors = [
  { port: config.submissionPort, secure: false, name: 'submission' },
  { port: config.submissionsPort, secure: true, name: 'submissions' },
].map(({ port, secure, name }) => {
  const guard = guardMailDoor(config, name);
  return { port, guard, server: createSubmissionServer(app, { secure, certificate, guard }) };
});
for (const { port, server } of doors) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, config.bindAddress, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const certificates = watchCertificate(config, (changed) => {
  for (const { server } of doors) server.updateSecureContext({ ...changed, minVersion: 'TLSv1.2' });
});
const health = await startHealthServer({
  port: config.submissionHealthPort,
  host: config.healthAddress,
  checks: healthChecks(app),
});

for (const { port, server, guard } of doors) {
  onShutdown(`guard ${port}`, () => guard.stop(), 20);
  onShutdown(
    `door ${port}`,
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // A connection in the middle of a message may finish it
        const idle = [...server.connections].filter(({ session }) => !session.envelope.mailFrom);
        for (const connection of idle)
          connection.send(421, '4.3.2 Service is shutting down, try again in a moment', false);
      }),
    10,
  );
}
onShutdown('certificates', () => certificates.close(), 20);
onShutdown('health', () => health.close(), 80);
onShutdown('engines', () => stopApp(app), 90);
log.info('doors open', { submissionPort: config.submissionPort, submissionsPort: config.submissionsPort });
collectStartupGarbage();
