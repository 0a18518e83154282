import cluster from 'node:cluster';
import type { ToMember, ToPrimary } from './messages.ts';

type Listener = (message: ToMember) => void;

const listeners = new Set<Listener>();

/** True when this process has a primary, which starts it again and replaces it. */
export function isMember(): boolean {
  return cluster.isWorker;
}

/** The number of this process among all that its primary has started; 0 when it has none. */
export function memberId(): number {
  return cluster.worker?.id ?? 0;
}

/**
 * Lets this member obey its primary alone, and end with it. A terminal tells each process that was
 * started in it of Ctrl-C, Ctrl-Z and its own end, but it is the primary that ends its members, in
 * order.
 */
export function obeyPrimaryAlone(): void {
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTSTP'] as const) process.on(signal, () => undefined);
  // The primary is gone, and the reader of the log with it. Node would let this process exit by
  // itself, but then the logger first writes what it still has, and tries that for ever
  process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // The same when something else ends this process first, as a failed write to the log does. This
  // process may not have heard yet that the primary is gone, but the kernel has given it another
  // parent at once
  const primaryPid = process.ppid;
  process.prependListener('exit', () => {
    if (!process.connected || process.ppid !== primaryPid) process.kill(process.pid, 'SIGKILL');
  });
}

/** Tells the primary something. Does nothing in a process without one. */
export function tellPrimary(message: ToPrimary): void {
  // The primary may be gone; `obeyPrimaryAlone` then kills this process
  if (cluster.isWorker && process.connected) process.send?.(message, () => undefined);
}

/** Hears what the primary says, until the returned function is called. */
export function onPrimary(listener: Listener): () => void {
  if (listeners.size === 0) process.on('message', hear);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) process.off('message', hear);
  };
}

function hear(message: ToMember): void {
  for (const listener of listeners) listener(message);
}
