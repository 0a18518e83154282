import { startJobWorkers } from '@selvage/core/jobs/processor';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import type { Config } from '@selvage/core/process/config';
import { takePart } from '@selvage/core/environment/take-part';
import { healthChecks } from '@selvage/core/process/health';
import { createHostMetrics } from '@selvage/core/monitoring/host-metrics';
import { log } from '@selvage/core/log';
import { onShutdown } from '@selvage/core/process/shutdown';
import { openHealth } from '@selvage/core/cluster/open-health';
import { eraseCompanyProcessor } from './directory/erase-company.ts';
import { eraseUserProcessor } from './directory/erase-user.ts';
import { holdSentMailProcessor } from './directory/hold-sent-mail.ts';
import { makeArchiveProcessor } from './directory/make-archive.ts';
import { generateDkimProcessor } from './domains/generate-dkim.ts';
import { copyMailboxProcessor } from './mail/copy-mailbox.ts';
import { emptyDeletedFolderProcessor } from './mail/empty-deleted-folder.ts';
import { removeBlobProcessor } from './mail/remove-blob.ts';
import { removeLabelProcessor } from './mail/remove-label.ts';
import { removeMessageProcessor } from './mail/remove-message.ts';
import { replyOnVacationProcessor } from './mail/reply-on-vacation.ts';
import { deliverMessageProcessor } from './outbound/deliver-message.ts';
import { DeliveryLoop } from './outbound/delivery-loop.ts';
import { startChangeIndexer } from './search/index-changes.ts';
import { startFileIndexer } from './search/index-files.ts';
import { quickSweepsOf } from './sweeps/quick-sweeps.ts';
import { startSweeps } from './sweeps/run-sweeps.ts';
import { slowSweepsOf } from './sweeps/slow-sweeps.ts';

/** Takes up the work of jobs, sweeps and deliveries in this process. */
export async function startWorkers(given: Config): Promise<void> {
  const app = await startApp(given, { role: 'workers' });
  const { config } = app;

  const deliveries = new DeliveryLoop(app);
  const workers = startJobWorkers(app, [
    deliverMessageProcessor(deliveries),
    generateDkimProcessor,
    removeMessageProcessor,
    removeBlobProcessor,
    removeLabelProcessor,
    emptyDeletedFolderProcessor,
    replyOnVacationProcessor,
    eraseUserProcessor,
    eraseCompanyProcessor,
    holdSentMailProcessor,
    copyMailboxProcessor,
    makeArchiveProcessor,
  ]);
  const sweeps = startSweeps([...quickSweepsOf(app), ...slowSweepsOf(app)]);
  const indexer = startChangeIndexer(app);
  const fileIndexer = startFileIndexer(app);
  const health = await openHealth({
    port: config.workersHealthPort,
    host: config.healthAddress,
    checks: healthChecks(app),
    hostMetrics: createHostMetrics(app),
  });

  onShutdown('sweeps', () => sweeps.close(), 10);
  onShutdown('search', () => indexer.close(), 10);
  onShutdown('files for the search', () => fileIndexer.close(), 10);
  onShutdown('jobs', () => workers.close(), 10);
  onShutdown('deliveries', () => deliveries.close(), 10);
  onShutdown('health', () => health.close(), 30);
  onShutdown('engines', () => stopApp(app), 40);
  takePart(app, 'workers');
  log.info('workers ready', { health: config.workersHealthPort });
}
