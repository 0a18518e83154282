import type { HarakaConnection } from './haraka.ts';
import type { Reply } from './reply.ts';

/** Every open connection, for the limit and for the drain. */
const open = new Set<HarakaConnection>();
const perAddress = new Map<string, number>();
let isDraining = false;

const tooManyConnections: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Too many connections from your address',
  reason: 'rate_limited',
};

/** What a peer hears while the process ends. */
export const shuttingDown: Reply = {
  code: 421,
  enhancedCode: '4.3.2',
  text: 'Service is shutting down, try again in a moment',
  reason: 'internal_error',
};

/** Counts a connection in, and says why it may not stay. */
export function openConnection(connection: HarakaConnection, limit: number): Reply | null {
  const { ip } = connection.remote;
  const count = (perAddress.get(ip) ?? 0) + 1;
  open.add(connection);
  perAddress.set(ip, count);
  if (isDraining) return shuttingDown;
  return count > limit ? tooManyConnections : null;
}

/** Counts a connection out. */
export function closeConnection(connection: HarakaConnection): void {
  if (!open.delete(connection)) return;
  const { ip } = connection.remote;
  const count = (perAddress.get(ip) ?? 1) - 1;
  if (count > 0) perAddress.set(ip, count);
  else perAddress.delete(ip);
}

/** True once the process has been told to end: no further transaction begins. */
export function isEnding(): boolean {
  return isDraining;
}

/** How many connections are open. */
export function openConnections(): number {
  return open.size;
}

/** Sends idle peers away and waits for the others, at most so long; each message that was taken gets its answer. */
export async function drainConnections(milliseconds: number): Promise<void> {
  isDraining = true;
  for (const connection of open) {
    if (connection.transaction) continue;
    connection.respond(shuttingDown.code, `${shuttingDown.enhancedCode} ${shuttingDown.text}`, () =>
      connection.disconnect(),
    );
  }
  const end = Date.now() + milliseconds;
  while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25));
}
