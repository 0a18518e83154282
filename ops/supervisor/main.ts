/**
 * `node ops/supervisor/main.ts [--detach]`: brings everything up and keeps it up until it is told
 * to stop.
 */
import { messageOf } from '@selvage/core/errors';
import { describeFailure } from '@selvage/core/operator-error';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { collectIdleGarbage } from '@selvage/core/process/collect-idle-garbage';
import { keepThreadPoolAwake } from '@selvage/core/process/keep-thread-pool-awake';
import { makeDataDir } from '../engines/data-dir.ts';
import { print, printError } from '../print.ts';
import { claimDataDir } from './claim.ts';
import { startDetached } from './detach.ts';
import { openLogFile } from './log-file.ts';
import { readSettings, type Settings } from './settings.ts';
import { type Output, Stack } from './stack.ts';
import { hasTerminal, readRunningStack } from './state-file.ts';

const upAlready = 0;
const notUp = 1;

function createOutput(settings: Settings): Output {
  const log = openLogFile(join(settings.dataDir, 'log', 'supervisor.log'));
  return {
    say(line) {
      show(`selvage: ${line}`);
      log.write(`${new Date().toISOString()} ${line}\n`);
    },
    announce: (lines) => lines.forEach(show),
  };
}

/**
 * Prints a line. With `--detach`, the command that started this process prints the line while it
 * waits. After that, only the log has the lines.
 */
function show(line: string): void {
  if (process.send) tell(line);
  else print(line);
}

/** Sends a message to the command that has started this process, unless that command has ended. */
function tell(message: string | { up: true }): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * Ends this process when another one runs the host or is starting it. A host that is going down
 * does not count: this start goes on when it is down.
 */
async function yieldToOther(dataDir: string): Promise<void> {
  const other = readRunningStack(dataDir);
  if (!other || other.state === 'stopping') return;
  const isUp = other.state === 'running';
  const line = isUp
    ? `selvage: already running in ${dataDir} (pid ${other.pid}): ${other.url}`
    : `selvage: another command is starting it in ${dataDir} (pid ${other.pid}); ./ops/status says when it is up`;
  // Loaded only here, since it takes memory that the supervisor would keep
  const { describeUnreadSettings } = await import('./started-settings.ts');
  const unread = describeUnreadSettings(other.pid);
  for (const one of unread === null ? [line] : [line, `selvage: ${unread}`]) {
    if (process.send) await new Promise((resolve) => process.send?.(one, resolve));
    else print(one);
  }
  process.exit(isUp ? upAlready : notUp);
}

/**
 * Claims the data directory for this start, or ends this process when another start was first.
 * Waits while the host goes down, and while another command, such as a backup of a stopped host,
 * holds the claim.
 */
async function claim(dataDir: string): Promise<void> {
  for (let tries = 0; !(await claimDataDir(dataDir)); tries += 1) {
    await yieldToOther(dataDir);
    const isGoingDown = readRunningStack(dataDir) !== null;
    if (tries === 0 && isGoingDown) show(`selvage: the host in ${dataDir} is going down; waiting until it is down`);
    if (tries === 10 && !isGoingDown)
      show(`selvage: another command works on ${dataDir}, such as a backup; waiting until it has ended`);
    await wait(500);
  }
}

async function run(settings: Settings): Promise<void> {
  makeDataDir(settings.dataDir);
  await claim(settings.dataDir);
  const output = createOutput(settings);
  const stack = new Stack(settings, output);
  stack.report();
  const stop = () => void stack.stop().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // From ./ops/restart
  process.on('SIGUSR2', () => stack.restart());
  // A closed terminal must not leave children behind. Without a terminal, a service manager sends
  // SIGHUP to ask for a reload
  process.on('SIGHUP', hasTerminal() ? stop : () => stack.restart());
  const keepAlive = setInterval(() => undefined, 1 << 30);
  try {
    await stack.start();
    collectIdleGarbage();
    // Otherwise Node would write the cache only at its end, and not at all after a kill
    flushCompileCache();
    tell({ up: true });
    if (process.connected) process.disconnect();
  } catch (error) {
    clearInterval(keepAlive);
    if (!stack.isStopping) output.say(`!! the start failed: ${messageOf(error)}`);
    if (stack.isStopping) return;
    await stack.stop();
    process.exit(1);
  }
}

async function main(): Promise<void> {
  keepThreadPoolAwake();
  const settings = readSettings();
  await yieldToOther(settings.dataDir);
  if (process.argv.includes('--detach')) process.exit(await startDetached(settings.dataDir));
  await run(settings);
}

try {
  await main();
} catch (error) {
  // For example a wrong port, or a data directory that can't be written: the message is enough
  printError(`selvage: ${describeFailure(error)}`);
  process.exit(1);
}
