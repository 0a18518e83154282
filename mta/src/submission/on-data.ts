import { submitMessage } from '@selvage/core/outbound/submit-message';
import { tooLarge } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';

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
  const raw = await collect(stream, app.config.maxMessageBytes);
  const ctx = { ...systemContext(app, sessionId), address };
  const { mailId } = await submitMessage(ctx, { user, raw, recipients, bcc: [], door: 'submission', holdMs: 0 });
  return mailId;
}

/**
 * Reads to the end even beyond the limit: the peer listens for the reply only after its last byte.
 */
async function collect(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks = [];
  }
  if (size > maxBytes) throw tooLarge('The message is larger than this host accepts.', 'message_too_large');
  return Buffer.concat(chunks, size);
}
