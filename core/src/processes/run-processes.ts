import cluster from 'node:cluster';
import { configureLog, log } from '../log.ts';
import { collectProcessMetrics } from '../metrics.ts';
import { collectStartupGarbage } from '../process/collect-startup-garbage.ts';
import { type Config, ConfigError, loadConfig } from '../process/config.ts';
import { startHealthServer } from '../process/health.ts';
import { onShutdown } from '../process/shutdown.ts';
import { watchEventLoop } from '../process/watch-event-loop.ts';
import { tellPrimary } from './member.ts';
import { Primary } from './primary.ts';

/** One of the programs that make up a host. */
export interface Program {
  /** Stands in log lines. */
  name: string;
  /** As many processes do its work. */
  processes: (config: Config) => number;
  /**
   * The port of health and metrics; null when the program serves them itself, at the port for
   * everything.
   */
  healthPort: ((config: Config) => number) | null;
  /** Starts the work in this process. Resolves when it is under way. */
  start: (config: Config) => Promise<void>;
}

/**
 * Runs a program: in this process when one is enough, and otherwise in several that this process
 * starts and looks after. SIGTERM ends them in order, SIGHUP replaces them one by one.
 */
export async function runProcesses(program: Program): Promise<void> {
  try {
    const config = loadConfig();
    const { name } = program;
    configureLog({ level: config.logLevel, process: name });
    collectProcessMetrics();
    watchEventLoop({ process: name, limitSeconds: config.watchdogSeconds });
    const count = program.processes(config);
    if (count === 1 || cluster.isWorker) await runHere(program, config);
    else await runPrimary(program, config, count);
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else log.error('the process could not start', { error });
    process.exit(1);
  }
}

async function runHere(program: Program, config: Config): Promise<void> {
  await program.start(config);
  tellPrimary({ type: 'ready' });
  collectStartupGarbage();
}

async function runPrimary({ healthPort, name }: Program, config: Config, count: number): Promise<void> {
  const primary = new Primary(count);
  onShutdown('processes', async () => {
    if (!(await primary.stop())) throw new Error('a process did not end cleanly');
  });
  process.on('SIGHUP', () => void primary.replaceAll());
  if (healthPort !== null) {
    const health = await startHealthServer({
      port: healthPort(config),
      host: config.healthAddress,
      report: async () => {
        const report = await primary.report();
        return { ...report, ok: report.ok && primary.isUp };
      },
      metrics: () => primary.metrics(),
    });
    onShutdown('health', () => health.close(), 80);
  }
  log.info('starting processes', { program: name, processes: count });
  primary.start();
}
