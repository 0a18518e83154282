import { newMailId } from '@selvage/core/mail/mail-id';
import { noteEvent } from '../note-event.ts';
import { type Reply, replyLine } from '../reply.ts';
import { explained } from './explained.ts';
import { findEnvelope } from './smtp-envelope.ts';
import { type HarakaConnection, rewriteReplies } from './haraka.ts';
import { noteRefused } from './refusals.ts';

/** RFC 5321 2.3.8: lines end with CRLF, never with LF alone. */
const bareLineFeed: Reply = {
  code: 550,
  enhancedCode: '5.6.0',
  text: 'Bare LF in the message: lines must end with CRLF',
  reason: 'bare_line_feed',
};

/**
 * Replaces Haraka's 451 for a bare LF, about which Haraka asks no plugin, with a 550. A retry would
 * bring the same bytes. With 550 the sender hears of it at once and not after days of retries.
 */
export function refuseBareLineFeedForGood(connection: HarakaConnection): void {
  rewriteReplies(connection, (code, text) => {
    const isBareLineFeed = code === 451 && typeof text === 'string' && text.startsWith('Bare line-feed');
    if (!isBareLineFeed) return null;
    const refused = note(connection);
    return { code: refused.code, text: replyLine(refused) };
  });
}

function note(connection: HarakaConnection): Reply {
  const { transaction, remote, uuid: sessionId } = connection;
  const { mailId = newMailId(), from = '', recipients = [] } = findEnvelope(transaction) ?? {};
  const reply = explained(bareLineFeed, mailId);
  noteEvent('message refused', reply, { sessionId, mailId, address: remote.ip });
  noteRefused(connection, { mailId, envelopeFrom: from, recipients, reply });
  return reply;
}
