import { createServer } from 'node:http';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import type { Config } from '@selvage/core/process/config';
import { takePart } from '@selvage/core/environment/take-part';
import { healthChecks, runChecks } from '@selvage/core/process/health';
import { log } from '@selvage/core/log';
import { refusalsOf } from './mail/note-refused.ts';
import { onShutdown, peerPatienceMs } from '@selvage/core/process/shutdown';
import { isMember } from '@selvage/core/cluster/member';
import { answerPrimary } from '@selvage/core/cluster/open-health';
import { SessionEvents } from './auth/session-events.ts';
import { createApp } from './create-app.ts';
import { watchConnections } from './http/drain-http.ts';
import { guardHttp } from './http/guard-http.ts';
import { prepareUploads, sweepUploads } from './http/uploads.ts';
import { createWorkQueue } from './http/work-queue.ts';
import { attachRealtime, mayUpgrade } from './realtime/attach-realtime.ts';
import { webmailRoot } from './static/webmail-root.ts';
import { watchWebVersion } from './static/web-version.ts';

const sweepMs = 600_000;
const drainMs = 10_000;
/**
 * Shorter than the time for which a process that is replaced waits for its peers
 * (`peerPatienceMs`).
 */
const keepAliveMs = 6000;

/**
 * Opens the HTTP port in this process. The process holds no state, so any number of processes can
 * do this.
 */
export async function startApi(given: Config): Promise<void> {
  const app = await startApp(given, { role: 'api' });
  const { config } = app;
  await prepareUploads(config);
  const sweep = setInterval(() => {
    sweepUploads(config).catch((error: unknown) => log.warn('left-over uploads could not be swept', { error }));
  }, sweepMs);

  const sessionEvents = new SessionEvents();
  const work = createWorkQueue(config);
  const webVersion = watchWebVersion(webmailRoot);
  const handle = createApp(app, { sessionEvents, work, webVersion }).callback();
  let isLeaving = false;
  const server = createServer(
    {
      headersTimeout: config.firstCommandSeconds * 1000,
      requestTimeout: (config.transferSeconds + 10) * 1000,
      connectionsCheckingInterval: 2000,
      keepAliveTimeout: keepAliveMs,
      shouldUpgradeCallback: mayUpgrade,
    },
    (request, response) => {
      if (isLeaving) response.setHeader('Connection', 'close');
      void handle(request, response);
    },
  );
  // Closes a connection without any traffic. A slow upload has traffic
  server.setTimeout(60_000);
  const untilNoneOpen = watchConnections(server);
  const io = attachRealtime(server, app, { sessionEvents, work }, { webVersion });
  guardHttp(server, config);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.httpPort, config.httpAddress, resolve);
  });
  log.info('http is open', { address: config.httpAddress, port: config.httpPort });

  onShutdown(
    'http',
    async () => {
      clearInterval(sweep);
      // If the server closed a connection while its peer sends the next request, that request would
      // fail. So each connection ends with an answer, or after the time limit that its peer was
      // told
      isLeaving = true;
      await untilNoneOpen(peerPatienceMs());
      const forced = setTimeout(() => server.closeAllConnections(), drainMs);
      await io.close();
      clearTimeout(forced);
    },
    10,
  );
  onShutdown('refusals', () => refusalsOf(app).flush(), 70);
  onShutdown('engines', () => stopApp(app), 90);
  takePart(app, 'api');
  if (isMember()) {
    const answers = answerPrimary(() => runChecks(healthChecks(app)));
    onShutdown('health', answers, 80);
  }
}
