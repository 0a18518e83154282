import { log, withLogContext } from '@selvage/core/log';
import { commandTimeoutMs } from '../door-limits.ts';
import { explained } from './explained.ts';
import { DSN, type HarakaConnection, type Next, verdicts } from './haraka.ts';
import { ourFailure, type Reply, replyLine } from '../reply.ts';
import { withDeadline } from '@selvage/core/with-deadline';

/**
 * The outcome of a hook: null for no opinion, accepted, or refused with a reply. `hangUp` also ends
 * the connection.
 */
export type HookAnswer = null | { accepted: string } | { refused: Reply; hangUp?: boolean };

/**
 * Runs one hook, answers exactly once, and turns an error or a timeout into a 451. Haraka ignores
 * promises, and a rejected one would end the process. `next` runs the rest of the conversation
 * synchronously, so it is called outside the attempt: an error there must not count as one of this
 * hook.
 * @param failed called when the command fails; notes that and returns the reply
 */
export function runHook(
  connection: HarakaConnection,
  next: Next,
  hook: () => Promise<HookAnswer>,
  failed: () => Reply = () => ourFailure,
): void {
  const fields = { sessionId: connection.uuid, address: connection.remote.ip };
  const attempt = withLogContext(fields, () => withDeadline(hook(), commandTimeoutMs));
  attempt.then(
    (answer) => setImmediate(() => pass(next, answer)),
    (error: unknown) => {
      withLogContext(fields, () => log.error('a command failed', { error }));
      const refused = failed();
      setImmediate(() => pass(next, { refused }));
    },
  );
}

/** Gives the answer to Haraka in Haraka's own terms. */
export function pass(next: Next, answer: HookAnswer): void {
  if (!answer) return next();
  if ('accepted' in answer) return next(verdicts.ok, answer.accepted);
  const { refused, hangUp } = answer;
  const isFinal = refused.code >= 500;
  const hangUpCode = isFinal ? verdicts.denyDisconnect : verdicts.denySoftDisconnect;
  const code = hangUp ? hangUpCode : isFinal ? verdicts.deny : verdicts.denySoft;
  next(code, new DSN(refused.code, replyLine(explained(refused))));
}
