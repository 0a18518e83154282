import {
  askAhead,
  type AuthenticationInput,
  type AuthenticationResults,
  mostTimeMs,
  undecided,
} from '../mail/authenticate-message.ts';
import { AnswerCollector, type Question } from '../mail/dns-answers.ts';
import { withDeadline } from '../with-deadline.ts';
import type { AuthenticationTask } from './thread.ts';

/** Does a task in a thread, in its turn. */
type Run = (
  task: Omit<AuthenticationTask, 'raw'>,
) => Promise<{ results: AuthenticationResults; missing: readonly Question[] }>;

/** How often a message is checked at most. Nearly all are checked once, or twice. */
const mostPasses = 5;

/**
 * Authenticates a message in a thread. The sender chooses name servers, which may be slow, so no
 * thread waits for them: the answers are collected first, and the thread says what else it would
 * ask.
 */
export async function authenticateInThread(
  raw: Buffer,
  { resolver, ...input }: AuthenticationInput,
  run: Run,
): Promise<AuthenticationResults> {
  const collector = new AnswerCollector(resolver);
  // The time that remains for the name servers. The wait for a thread is not taken from it
  let leftMs = input.timeoutMs ?? mostTimeMs;
  const inTime = async (asking: Promise<void>): Promise<void> => {
    const startedAt = performance.now();
    await withDeadline(asking, leftMs).catch(() => undefined);
    leftMs -= performance.now() - startedAt;
  };
  await inTime(askAhead(raw, { ...input, resolver: collector.ask }));
  for (let pass = 1; ; pass += 1) {
    const { results, missing } = await run({ input, answers: collector.answers });
    if (missing.length === 0) return results;
    if (pass === mostPasses || leftMs <= 0) return undecided(results, input);
    await inTime(collector.askAll(missing));
  }
}
