import { newMailId } from '@selvage/core/mail/mail-id';
import { addressOfCommand } from '../address-of-command.ts';
import { noteEvent } from '../note-event.ts';
import { connectionEnds, type Reply } from '../reply.ts';
import { findEnvelope } from './smtp-envelope.ts';
import { explained } from './explained.ts';
import { type HarakaConnection, rewriteReplies } from './haraka.ts';
import { noteRefused } from './refusals.ts';

/**
 * The codes by which Haraka itself refuses MAIL and RCPT. 503 is not one of them: it answers a
 * command out of sequence.
 */
const refusing: ReadonlySet<number> = new Set([452, 501, 550, 555]);

/**
 * Notes for the ledger what Haraka refuses without asking a plugin: a MAIL or RCPT command that it
 * can't parse, and a message under way whose peer has taken too long. The replies of plugins are
 * objects, so a plain text shows a reply of Haraka's own.
 */
export function noteOwnRefusals(connection: HarakaConnection): void {
  rewriteReplies(connection, (code, text) => {
    if (code !== 421 && !refusing.has(code)) return null;
    if (typeof text !== 'string' && !Array.isArray(text)) return null;
    const own = { code, enhancedCode: '', text: [text].flat().map(String).join(' ') };
    if (code === 421) return { code, text: noteEnded(connection, { ...own, reason: connectionEnds.reason }).text };
    const command = connection.current_line ?? '';
    if (!/^(?:mail|rcpt) /i.test(command)) return null;
    return { code, text: noteCommand(connection, command, own).text };
  });
}

function noteCommand(connection: HarakaConnection, command: string, own: Omit<Reply, 'reason'>): Reply {
  const { transaction, uuid: sessionId } = connection;
  const { mailId = newMailId(), from = '' } = findEnvelope(transaction) ?? {};
  const reply = explained({ ...own, reason: 'malformed_message' }, mailId);
  const address = addressOfCommand(command);
  const [envelopeFrom, recipients] = /^rcpt/i.test(command) ? [from, [{ address }]] : [address, []];
  noteEvent(recipients.length > 0 ? 'recipient refused' : 'sender refused', reply, { sessionId, mailId });
  noteRefused(connection, { mailId, envelopeFrom, recipients, reply });
  return reply;
}

/**
 * Notes for the ledger that a message under way ends with its connection, if there is one. Returns
 * the reply to send.
 */
export function noteEnded(connection: HarakaConnection, reason: Reply): Reply {
  const { transaction, uuid: sessionId } = connection;
  const envelope = findEnvelope(transaction);
  if (!envelope || envelope.recipients.length === 0) return explained(reason);
  const { mailId, from, recipients, known } = envelope;
  const reply = explained(reason, mailId);
  noteEvent('message refused', reply, { sessionId, mailId, recipients: recipients.length });
  noteRefused(connection, { mailId, envelopeFrom: from, recipients, reply }, known);
  return reply;
}
