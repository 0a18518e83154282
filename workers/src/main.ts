import { startWorkers } from '@selvage/core/jobs/processor';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { collectStartupGarbage } from '@selvage/core/process/collect-startup-garbage';
import { loadConfig } from '@selvage/core/process/config';
import { healthChecks, startHealthServer } from '@selvage/core/process/health';
import { configureLog, log } from '@selvage/core/log';
import { collectProcessMetrics, metrics } from '@selvage/core/metrics';
import { onShutdown } from '@selvage/core/process/shutdown';
import { watchEventLoop } from '@selvage/core/process/watch-event-loop';
import { generateDkimProcessor } from './domains/generate-dkim.ts';
import { notifyNewMailProcessor } from './mail/notify-new-mail.ts';
import { removeMessageProcessor } from './mail/remove-message.ts';
import { deliverMessageProcessor } from './outbound/deliver-message.ts';
import { DeliveryLoop } from './outbound/delivery-loop.ts';
import { startSweeps, sweepsOf } from './sweeps.ts';

const config = loadConfig();
configureLog({ level: config.logLevel, process: 'workers' });
collectProcessMetrics();
watchEventLoop({ process: 'workers', limitSeconds: config.watchdogSeconds });
const app = await startApp(config, { role: 'workers' });

const deliveries = new DeliveryLoop(app);
const workers = startWorkers(app, [
  deliverMessageProcessor(deliveries),
  generateDkimProcessor,
  notifyNewMailProcessor(app.redis),
  removeMessageProcessor,
]);
const sweeps = startSweeps(sweepsOf(app));
const health = await startHealthServer({
  port: config.workersHealthPort,
  host: config.healthAddress,
  checks: healthChecks(app),
  metrics,
});

onShutdown('sweeps', () => sweeps.close(), 10);
onShutdown('jobs', () => workers.close(), 10);
onShutdown('deliveries', () => deliveries.close(), 10);
onShutdown('health', () => health.close(), 30);
onShutdown('engines', () => stopApp(app), 40);
log.info('workers ready', { health: health.port });
collectStartupGarbage();
