import { isEnding } from './connections.ts';
import type { HarakaConnection } from './haraka.ts';
import { outcomeOf, type Reply, replyLine } from '../reply.ts';

const counters = { accepted: 'accept', deferred: 'tempfail', rejected: 'reject' } as const;

/**
 * Answers the end of DATA, with exactly this code and text: Haraka's own way knows 250, 450 and 550 only and appends a number
 * of its own. Ending the transaction cancels the hook that waits, so its callback must not be called as well.
 */
export function finishTransaction(connection: HarakaConnection, reply: Reply): void {
  connection.respond(reply.code, replyLine(reply), () => {
    connection.msg_count[counters[outcomeOf(reply)]]++;
    connection.reset_transaction(() => {
      if (isEnding()) connection.disconnect();
      else connection.resume();
    });
  });
}
