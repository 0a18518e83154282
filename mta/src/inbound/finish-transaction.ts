import { isEnding } from './connections.ts';
import { DSN, type HarakaConnection } from './haraka.ts';
import { outcomeOf, type Reply, replyLine } from '../reply.ts';

const counters = { accepted: 'accept', deferred: 'tempfail', rejected: 'reject' } as const;

/**
 * Answers the end of DATA with exactly this code and text. Haraka itself would answer 250, 450 or
 * 550 only, and append its own transaction number. Resetting the transaction cancels the waiting
 * hook, so the callback of the hook must not be called as well.
 */
export function finishTransaction(connection: HarakaConnection, reply: Reply): void {
  // An object, as plugins reply: a plain text would count as a reply of Haraka's own
  connection.respond(reply.code, new DSN(reply.code, replyLine(reply)), () => {
    connection.msg_count[counters[outcomeOf(reply)]]++;
    connection.reset_transaction(() => {
      if (isEnding()) connection.disconnect();
      else connection.resume();
    });
  });
}
