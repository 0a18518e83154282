import { isEnding, shuttingDown } from './connections.ts';
import type { HarakaConnection } from './haraka.ts';
import type { Reply } from '../reply.ts';

const protocolError: Reply = {
  code: 554,
  enhancedCode: '5.5.1',
  text: 'Commands were sent before their turn',
  reason: 'malformed_message',
};

/** Why the connection may not go on with any command; null when it may. */
export function checkConnection(connection: HarakaConnection): Reply | null {
  if (isEnding()) return shuttingDown;
  // Whoever does not wait for our word is either broken or smuggles commands past a server in between
  return connection.early_talker ? protocolError : null;
}
