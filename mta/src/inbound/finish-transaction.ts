import { isEnding } from './connections.ts';
import { DSN, type HarakaConnection } from './haraka.ts';
import { type Reply, replyLine } from '../reply.ts';

/**
 * Answers the end of DATA with exactly this code and text. Haraka takes a refusal from `data_post`,
 * but an acceptance only from `queue`, and appends its own transaction number there. Resetting the
 * transaction cancels the waiting hook, so the callback of the hook must not be called as well.
 */
export function finishTransaction(connection: HarakaConnection, reply: Reply): void {
  // An object, as plugins reply: a plain text would count as a reply of Haraka's own
  connection.respond(reply.code, new DSN(reply.code, replyLine(reply)), () => {
    connection.reset_transaction(() => {
      if (isEnding()) connection.disconnect();
      else connection.resume();
    });
  });
}
