import { submitMessage } from '@selvage/core/outbound/submit-message';
import { tooLarge } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { HeaderGuard } from '@selvage/core/mail/header-guard';
import { headerRefused } from '../reply.ts';
import { SmtpFailure } from './failure.ts';

/** A message on its way in at the submission door. */
export interface Submitted {
  user: User;
  recipients: string[];
  stream: AsyncIterable<Buffer>;
  sessionId: string;
  /** IP address of the peer. */
  address: string;
}

/**
 * Submits the message and returns its mail id once everything is committed.
 * @throws AppError when it may not be sent
 */
export async function takeMessage(
  app: App,
  { user, recipients, stream, sessionId, address }: Submitted,
): Promise<string> {
  const raw = await collect(stream, app.config);
  const ctx = { ...systemContext(app, sessionId), address };
  const { mailId } = await submitMessage(ctx, { user, raw, recipients, bcc: [], door: 'submission', holdMs: 0 });
  return mailId;
}

type Limits = Pick<App['config'], 'maxMessageBytes' | 'headerLimits'>;

/**
 * Reads to the end even beyond a limit: the peer listens for the reply only after its last byte.
 */
async function collect(stream: AsyncIterable<Buffer>, limits: Limits): Promise<Buffer> {
  const { maxMessageBytes: maxBytes, headerLimits } = limits;
  const header = new HeaderGuard(headerLimits);
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    header.add(chunk);
    if (size <= maxBytes && header.problem === null) chunks.push(chunk);
    else chunks = [];
  }
  if (size > maxBytes) throw tooLarge('The message is larger than this host accepts.', 'message_too_large');
  if (header.problem !== null) throw new SmtpFailure(headerRefused(header.problem));
  return Buffer.concat(chunks, size);
}
