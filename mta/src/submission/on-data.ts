import { submitMessage } from '@selvage/core/outbound/submit-message';
import { findMessageId } from '@selvage/core/mail/find-message-id';
import { tooLarge } from '@selvage/core/errors';
import { tooMuchAtOnce } from '@selvage/core/memory-budget';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { isLoginInForce, type MailLogin } from '@selvage/core/directory/mail-login';
import { type Collected, MessageBytes } from '../message-bytes.ts';
import { headerRefused, type Reply } from '../reply.ts';
import { SmtpFailure } from './failure.ts';
import { loginOver } from './on-mail-from.ts';

/** A message on its way in at the submission door. */
export interface Submitted {
  login: MailLogin;
  recipients: string[];
  stream: AsyncIterable<Buffer>;
  sessionId: string;
  /** IP address of the peer. */
  address: string;
  /** Gets the Message-ID of a message that is refused. */
  known: { messageIdHeader: string | null };
}

/**
 * Submits the message and returns its mail id once everything is committed.
 * @throws AppError when it may not be sent
 */
export async function takeMessage(
  app: App,
  { login, recipients, stream, sessionId, address, known }: Submitted,
): Promise<string> {
  const { user } = login;
  const collected = new MessageBytes(app.config, (giveWay) => app.memory.open(`user:${user.id}`, giveWay));
  try {
    // Read to its end in any case: the peer listens for our answer only after its last byte
    for await (const chunk of untilHungUp(stream)) collected.add(chunk);
    const finished = await collected.finish();
    try {
      const raw = wholeMessage(finished);
      const ctx = { ...systemContext(app, sessionId), address };
      // A message may come for as long as a transfer may take. Mail of a person who is barred
      // meanwhile is held at that moment, and this message would be queued behind it
      if (!(await isLoginInForce(ctx, login))) throw new SmtpFailure(loginOver);
      const { mailId } = await submitMessage(ctx, { user, raw, recipients, bcc: [], door: 'submission', holdMs: 0 });
      return mailId;
    } catch (error) {
      known.messageIdHeader = finished.kind === 'complete' ? findMessageId(finished.raw) : collected.messageIdHeader;
      throw error;
    }
  } finally {
    collected.release();
  }
}

const hungUp: Reply = {
  code: 421,
  enhancedCode: '4.4.2',
  text: 'The connection ended before the message was received',
  reason: 'timeout',
};

/**
 * Refuses a message whose connection ended in the middle, since that is no failure of this host.
 */
async function* untilHungUp(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* stream;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNECTION') throw new SmtpFailure(hungUp);
    throw error;
  }
}

function wholeMessage(collected: Collected): Buffer {
  if (collected.kind === 'too_large')
    throw tooLarge('The message is larger than this host accepts.', 'message_too_large');
  if (collected.kind === 'bad_header') throw new SmtpFailure(headerRefused(collected.problem));
  if (collected.kind === 'no_room') throw tooMuchAtOnce();
  return collected.raw;
}
