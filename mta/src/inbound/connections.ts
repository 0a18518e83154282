import { ConnectionCounter } from '../connection-counter.ts';
import type { HarakaConnection } from './haraka.ts';
import { type Reply, replyLine, tooManyConnections } from '../reply.ts';

/** All open connections. */
const open = new Set<HarakaConnection>();
const perAddress = new ConnectionCounter();
let isDraining = false;

/** The reply to every peer while the process shuts down. */
export const shuttingDown: Reply = {
  code: 421,
  enhancedCode: '4.3.2',
  text: 'Service is shutting down, try again in a moment',
  reason: 'internal_error',
};

/** Counts a new connection. Returns the reply that refuses it, or null. */
export function openConnection(connection: HarakaConnection, limit: number): Reply | null {
  open.add(connection);
  const count = perAddress.add(connection.remote.ip);
  if (isDraining) return shuttingDown;
  return count > limit ? tooManyConnections : null;
}

/** Counts a closed connection. */
export function closeConnection(connection: HarakaConnection): void {
  if (open.delete(connection)) perAddress.remove(connection.remote.ip);
}

/** True once the process has been told to end: no further transaction begins. */
export function isEnding(): boolean {
  return isDraining;
}

/**
 * Disconnects idle peers and waits for the others, at most `milliseconds`, so that each message
 * under way gets its reply.
 */
export async function drainConnections(milliseconds: number): Promise<void> {
  isDraining = true;
  for (const connection of open) {
    if (connection.transaction) continue;
    connection.respond(shuttingDown.code, replyLine(shuttingDown), () => connection.disconnect());
  }
  const end = Date.now() + milliseconds;
  while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25));
}
