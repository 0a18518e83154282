import type { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { newMailId } from '@selvage/core/mail/mail-id';
import type { User } from '@selvage/core/models/user';
import type { SMTPServerSession } from 'smtp-server';
import { noteRefusals } from '../note-refusals.ts';
import type { Reply } from '../reply.ts';

/**
 * Notes for the ledger that a message of a person was refused, for each of the recipients; for none
 * when the sender was refused.
 */
export function noteRefused(
  refusals: RefusalLedger,
  { user, remoteAddress, envelope }: SMTPServerSession,
  { reply, recipients }: { reply: Reply; recipients: readonly string[] },
): void {
  const { id, companyId, email } = user as User;
  noteRefusals(refusals, {
    source: `user:${id}`,
    direction: 'out',
    mailId: newMailId(),
    envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : email,
    remoteHost: remoteAddress,
    companyId: String(companyId),
    reply,
    recipients: recipients.map((address) => ({ address })),
  });
}
