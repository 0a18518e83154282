import { ConnectionCounter } from '../connection-counter.ts';
import type { HarakaConnection } from './haraka.ts';
import { type Reply, replyLine, tooManyConnections } from '../reply.ts';

/** Every open connection, for the limit and for the drain. */
const open = new Set<HarakaConnection>();
const perAddress = new ConnectionCounter();
let isDraining = false;

/** What a peer hears while the process ends. */
export const shuttingDown: Reply = {
  code: 421,
  enhancedCode: '4.3.2',
  text: 'Service is shutting down, try again in a moment',
  reason: 'internal_error',
};

/** Counts a connection in, and says why it may not stay. */
export function openConnection(connection: HarakaConnection, limit: number): Reply | null {
  open.add(connection);
  const count = perAddress.add(connection.remote.ip);
  if (isDraining) return shuttingDown;
  return count > limit ? tooManyConnections : null;
}

/** Counts a connection out. */
export function closeConnection(connection: HarakaConnection): void {
  if (open.delete(connection)) perAddress.remove(connection.remote.ip);
}

/** True once the process has been told to end: no further transaction begins. */
export function isEnding(): boolean {
  return isDraining;
}

/** Sends idle peers away and waits for the others, at most so long; each message that was taken gets its answer. */
export async function drainConnections(milliseconds: number): Promise<void> {
  isDraining = true;
  for (const connection of open) {
    if (connection.transaction) continue;
    connection.respond(shuttingDown.code, replyLine(shuttingDown), () => connection.disconnect());
  }
  const end = Date.now() + milliseconds;
  while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25));
}
