import { isEnding } from './connections.ts';
import type { HarakaConnection } from './haraka.ts';
import { type Reply, shuttingDown } from '../reply.ts';

const protocolError: Reply = {
  code: 554,
  enhancedCode: '5.5.1',
  text: 'Sent too early: wait for the greeting and for each reply',
  reason: 'malformed_message',
};

/** The reply that refuses any further command; null when the connection may go on. */
export function checkConnection(connection: HarakaConnection): Reply | null {
  if (isEnding()) return shuttingDown;
  // A peer that sends before its turn is broken, or smuggles commands past a server in between
  return connection.early_talker ? protocolError : null;
}

/**
 * The same before the greeting. A peer must not send anything before it (RFC 5321 4.3.1). Haraka
 * notices only whole lines, so this function looks for any bytes.
 */
export function checkGreeted(connection: HarakaConnection): Reply | null {
  const hasSpoken = (connection.current_data?.length ?? 0) > 0;
  return checkConnection(connection) ?? (hasSpoken ? protocolError : null);
}
