import type { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { newMailId } from '@selvage/core/mail/mail-id';
import type { User } from '@selvage/core/models/user';
import type { SMTPServerSession } from 'smtp-server';
import { type Reply, replyLine } from '../reply.ts';

/**
 * Notes for the ledger that a message of a person was refused, for each of the recipients; for none
 * when the sender was refused.
 */
export function noteRefusal(
  refusals: RefusalLedger,
  { user, remoteAddress, envelope }: SMTPServerSession,
  { reply, recipients }: { reply: Reply; recipients: readonly string[] },
): void {
  const { id, companyId, email } = user as User;
  const mailId = newMailId();
  for (const recipient of recipients.length === 0 ? [''] : recipients) {
    refusals.note({
      source: `user:${id}`,
      companyId: String(companyId),
      mailId,
      direction: 'out',
      recipient,
      envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : email,
      reason: reply.reason,
      lastReply: `${reply.code} ${replyLine(reply)}`,
      remoteHost: remoteAddress,
    });
  }
}
