/**
 * `node ops/supervisor/main.ts [--detach]`: brings everything up and keeps it up until it is told
 * to stop.
 */
import { messageOf } from '@selvage/core/errors';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { collectIdleGarbage } from '@selvage/core/process/collect-idle-garbage';
import { makeDataDir } from '../engines/data-dir.ts';
import { print, printError } from '../print.ts';
import { claimDataDir } from './claim.ts';
import { startDetached } from './detach.ts';
import { openLogFile } from './log-file.ts';
import { readSettings, type Settings } from './settings.ts';
import { type Output, Stack } from './stack.ts';
import { hasTerminal, readRunningStack, type StackReport } from './state-file.ts';

const UP_ALREADY = 0;

function createOutput(settings: Settings): Output {
  const log = openLogFile(join(settings.dataDir, 'log', 'supervisor.log'));
  // Detached, the command that started this shows the lines while it waits. Later only the log has
  // them
  const show = (line: string) => (process.send ? process.connected && process.send(line) : print(line));
  return {
    say(line) {
      show(`selvage: ${line}`);
      log.write(`${new Date().toISOString()} ${line}\n`);
    },
    announce: (lines) => lines.forEach(show),
  };
}

/** Says that this start has nothing to do, and ends. */
async function yieldTo(running: StackReport | null, dataDir: string): Promise<never> {
  const what = running ? `already ${running.state} in ${dataDir} (pid ${running.pid}): ${running.url}` : null;
  const line = `selvage: ${what ?? `already starting in ${dataDir}, by another ./ops/up`}`;
  if (process.send) await new Promise((resolve) => process.send?.(line, resolve));
  else print(line);
  process.exit(UP_ALREADY);
}

async function run(settings: Settings): Promise<void> {
  makeDataDir(settings.dataDir);
  if (!(await claimDataDir(settings.dataDir))) await yieldTo(readRunningStack(settings.dataDir), settings.dataDir);
  const output = createOutput(settings);
  const stack = new Stack(settings, output);
  stack.report();
  const stop = () => void stack.stop().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // From ./ops/restart
  process.on('SIGUSR2', () => stack.restart());
  // A closed terminal must not leave children behind. Where there is none, a service manager asks
  // for a reload
  process.on('SIGHUP', hasTerminal() ? stop : () => stack.restart());
  const keepAlive = setInterval(() => undefined, 1 << 30);
  try {
    await stack.start();
    collectIdleGarbage();
    // Otherwise it would be kept only at the end, and not at all after a kill
    flushCompileCache();
    if (process.send) {
      process.send({ up: true });
      process.disconnect();
    }
  } catch (error) {
    clearInterval(keepAlive);
    if (stack.isStopping) return;
    output.say(`!! the start failed: ${messageOf(error)}`);
    if (stack.hasUnseenPassword) output.announce(stack.describe().slice(3, 5));
    await stack.stop();
    process.exit(1);
  }
}

async function main(): Promise<void> {
  const settings = readSettings();
  const running = readRunningStack(settings.dataDir);
  if (running) await yieldTo(running, settings.dataDir);
  if (process.argv.includes('--detach')) process.exit(await startDetached(settings.dataDir));
  await run(settings);
}

try {
  await main();
} catch (error) {
  // For example a wrong port, or a data directory that can't be written: the message is enough
  printError(`selvage: ${messageOf(error)}`);
  process.exit(1);
}
