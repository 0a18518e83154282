import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from './is-running.ts';
import { hourMs } from './utc-day.ts';

/** Read once: asking the kernel for each stored message is measurable. */
const thisHost = hostname();

/** A new name for a temporary file. It says which process writes the file. */
export function temporaryName(): string {
  return `${thisHost}.${process.pid}.${randomUUID()}`;
}

/**
 * Whether the process that wrote a temporary file has left it behind: it runs no more, or nothing
 * was written for an hour. Processes of other machines and containers can't be looked up, so for
 * their files only the hour counts.
 * @param writtenAt the time of the file's last change, in milliseconds since 1970
 */
export function isLeftBehind(name: string, writtenAt: number, now = Date.now()): boolean {
  // A file that is dated ahead was left by a process whose clock was wrong
  if (Math.abs(now - writtenAt) > hourMs) return true;
  const [, host, pid] = /^(.+)\.(\d+)\.[0-9a-f-]{36}$/.exec(name) ?? [];
  return host === thisHost && !isRunning(Number(pid));
}
