import { log, withLogContext } from '@selvage/core/log';
import { DSN, type HarakaConnection, type Next, verdicts } from './haraka.ts';
import { ourFailure, type Reply, replyLine } from '../reply.ts';
import { withDeadline } from '@selvage/core/with-deadline';

/** How a hook ends: nothing to say, agreed, or a reply that refuses; `hangUp` also ends the connection. */
export type HookAnswer = null | { accepted: string } | { refused: Reply; hangUp?: boolean };

/** Longest time that a command may take; the peer is asked to come again after it. */
const commandTimeoutMs = 20_000;

/**
 * Runs one hook: answers exactly once, and turns a throw or a delay into a 451. Haraka ignores promises and dies of a rejected
 * one; `next` runs the rest of the conversation at once, so it is never called from inside the attempt.
 */
export function runHook(connection: HarakaConnection, next: Next, hook: () => Promise<HookAnswer>): void {
  const fields = { sessionId: connection.uuid, address: connection.remote.ip };
  const attempt = withLogContext(fields, () => withDeadline(hook(), commandTimeoutMs));
  attempt.then(
    (answer) => setImmediate(() => pass(next, answer)),
    (error: unknown) => {
      withLogContext(fields, () => log.error('a command failed', { error }));
      setImmediate(() => pass(next, { refused: ourFailure }));
    },
  );
}

/** Gives the answer to Haraka in its own terms. */
export function pass(next: Next, answer: HookAnswer): void {
  if (!answer) return next();
  if ('accepted' in answer) return next(verdicts.ok, answer.accepted);
  const { refused, hangUp } = answer;
  const isFinal = refused.code >= 500;
  const hangUpCode = isFinal ? verdicts.denyDisconnect : verdicts.denySoftDisconnect;
  const code = hangUp ? hangUpCode : isFinal ? verdicts.deny : verdicts.denySoft;
  next(code, new DSN(refused.code, replyLine(refused)));
}
