import cluster from 'node:cluster';
import type { ToMember, ToPrimary } from './messages.ts';

type Listener = (message: ToMember) => void;

const listeners = new Set<Listener>();

/** True when this process is one of several of its kind. */
export function isMember(): boolean {
  return cluster.isWorker;
}

/** The number of this process among all that its primary has started; 0 when it is the only one. */
export function memberId(): number {
  return cluster.worker?.id ?? 0;
}

/** Tells the primary something. Does nothing in a process without one. */
export function tellPrimary(message: ToPrimary): void {
  // The primary may be gone; Node then ends this process
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
