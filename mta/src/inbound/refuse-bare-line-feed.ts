import type { HarakaConnection } from './haraka.ts';
import { type Reply, replyLine } from '../reply.ts';

/** RFC 5321 2.3.8: lines end with CRLF, never with LF alone. */
export const bareLineFeed: Reply = {
  code: 550,
  enhancedCode: '5.6.0',
  text: 'Bare LF in the message; lines end with CRLF',
  reason: 'bare_line_feed',
};

/**
 * Haraka sees the bare LF, answers 451 and hangs up, and asks no plugin. A message that is written wrongly does not get better
 * by waiting: with 550 its sender hears of it at once and not after days.
 */
export function refuseBareLineFeedForGood(connection: HarakaConnection): void {
  const respond = connection.respond.bind(connection);
  connection.respond = (code, text, after) => {
    const isBareLineFeed = code === 451 && typeof text === 'string' && text.startsWith('Bare line-feed');
    if (isBareLineFeed) respond(bareLineFeed.code, replyLine(bareLineFeed), after);
    else respond(code, text, after);
  };
}
