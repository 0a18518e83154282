import { startApp, stopApp } from '@selvage/core/startup/start-app';
import type { Config } from '@selvage/core/process/config';
import { takePart } from '@selvage/core/environment/take-part';
import { healthChecks } from '@selvage/core/process/health';
import { RefusedMailLogins } from '@selvage/core/access/refused-mail-logins';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { log } from '@selvage/core/log';
import { onShutdown, peerPatienceMs } from '@selvage/core/process/shutdown';
import { openHealth } from '@selvage/core/cluster/open-health';
import { ensureCertificate, watchCertificate } from '@selvage/core/secrets/certificate';
import { guardMailDoor } from '../door-limits.ts';
import { shuttingDown } from '../reply.ts';
import { createSubmissionServer } from './create-server.ts';

/** Opens both submission doors in this process. */
export async function startSubmission(given: Config): Promise<void> {
  const app = await startApp(given, { role: 'submission' });
  const { config } = app;
  const certificate = await ensureCertificate(config);
  const refusals = new RefusalLedger(() => ({ app }));
  const refusedLogins = new RefusedMailLogins(app);

  const doors = [
    { port: config.submissionPort, secure: false, name: 'submission' },
    { port: config.submissionsPort, secure: true, name: 'submissions' },
  ].map(({ port, secure, name }) => {
    const guard = guardMailDoor(config, name);
    return {
      port,
      guard,
      server: createSubmissionServer(app, { secure, certificate, guard, refusals, refusedLogins }),
    };
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
  const health = await openHealth({
    port: config.submissionHealthPort,
    host: config.healthAddress,
    checks: healthChecks(app),
  });

  for (const { port, server, guard } of doors) {
    onShutdown(`guard ${port}`, () => guard.stop(), 20);
    onShutdown(`door ${port}`, () => closeDoor(server), 10);
  }
  onShutdown('refusals', () => refusals.flush(), 20);
  onShutdown('refused logins', () => refusedLogins.flush(), 20);
  onShutdown('certificates', () => certificates.close(), 20);
  onShutdown('health', () => health.close(), 80);
  onShutdown('engines', () => stopApp(app), 90);
  takePart(app, 'submission');
  log.info('doors open', { submissionPort: config.submissionPort, submissionsPort: config.submissionsPort });
}

/**
 * Closes a server to new connections, and resolves once the open ones have ended. For
 * `peerPatienceMs` all of them may go on. Then the idle ones end with a 421. Those whose message
 * arrives or is decided about have `closeTimeout` more. smtp-server's own `close` waits until then,
 * since it answers the next command of every connection with 421 and ends those that are in a TLS
 * handshake.
 */
function closeDoor(server: ReturnType<typeof createSubmissionServer>): Promise<void> {
  return new Promise((resolve) => {
    const goodbye = setTimeout(() => {
      server.endIdle(shuttingDown);
      server.close(() => resolve());
    }, peerPatienceMs());
    server.server.close(() => {
      clearTimeout(goodbye);
      resolve();
    });
  });
}
