import { configureLog, log } from '../log.ts';
import { collectProcessMetrics } from '../metrics.ts';
import { collectIdleGarbage } from '../process/collect-idle-garbage.ts';
import { type Config, ConfigError, loadConfig } from '../process/config.ts';
import { startHealthServer } from '../process/health-server.ts';
import { keepThreadPoolAwake } from '../process/keep-thread-pool-awake.ts';
import { endReplaced, onShutdown } from '../process/shutdown.ts';
import { watchEventLoop } from '../process/watch-event-loop.ts';
import { isMember, obeyPrimaryAlone, onPrimary, tellPrimary } from './member.ts';

/** One of the programs that make up a host. */
export interface Program {
  /** The name of the program in log lines. */
  name: string;
  /** How many processes do its work. */
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
 * Runs a program: in this process when a primary has started it, or when it is to be the only one
 * and `hasPrimary` is off. Otherwise this process is the primary and does none of the work: it
 * starts those that do, SIGTERM ends them in order, and SIGHUP replaces them one by one.
 */
export async function runProcesses(program: Program): Promise<void> {
  if (isMember()) obeyPrimaryAlone();
  keepThreadPoolAwake();
  try {
    const config = loadConfig();
    const { name } = program;
    configureLog({ level: config.logLevel, process: name });
    collectProcessMetrics();
    watchEventLoop({ process: name, limitSeconds: config.watchdogSeconds });
    const count = program.processes(config);
    if (isMember() || (count === 1 && !config.hasPrimary)) await runHere(program, config);
    else await runPrimary(program, config, count);
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else log.error('the process could not start', { error });
    process.exit(1);
  }
}

async function runHere(program: Program, config: Config): Promise<void> {
  if (isMember()) {
    onPrimary(({ type }) => {
      if (type === 'replaced') endReplaced();
    });
  }
  await program.start(config);
  tellPrimary({ type: 'ready' });
  collectIdleGarbage();
}

async function runPrimary({ healthPort, name }: Program, config: Config, count: number): Promise<void> {
  // Loaded only where it is needed
  const { Primary } = await import('./primary.ts');
  const primary = new Primary({
    count,
    start: { exec: process.argv[1] ?? '' },
    log,
    onFailedStart: () => void primary.stop().then(() => process.exit(1)),
  });
  onShutdown('processes', async () => {
    if (!(await primary.stop())) throw new Error('a process did not end cleanly');
  });
  process.on('SIGHUP', () => void primary.replaceAll());
  if (healthPort !== null) {
    const health = await startHealthServer({
      port: healthPort(config),
      host: config.healthAddress,
      source: primary,
      log,
    });
    onShutdown('health', () => health.close(), 80);
  }
  log.info('starting processes', { program: name, processes: count });
  primary.start();
}
