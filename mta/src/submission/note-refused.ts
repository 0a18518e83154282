import { subscriberOf } from '@selvage/core/access/network-of';
import type { MailLogin } from '@selvage/core/directory/mail-login';
import type { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { newMailId } from '@selvage/core/mail/mail-id';
import type { SMTPServerSession } from 'smtp-server';
import { noteRefusals } from '../note-refusals.ts';
import type { Reply } from '../reply.ts';

/**
 * Notes for the ledger that a message was refused, for each of the recipients; for none when the
 * sender was refused. Before the login its person is not known.
 */
export function noteRefused(
  refusals: RefusalLedger,
  { user: login, remoteAddress, envelope }: SMTPServerSession,
  { reply, recipients }: { reply: Reply; recipients: readonly string[] },
): void {
  const person = (login as MailLogin | undefined)?.user ?? null;
  noteRefusals(refusals, {
    source: person ? `user:${person.id}` : subscriberOf(remoteAddress),
    direction: 'out',
    mailId: newMailId(),
    envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : (person?.email ?? ''),
    remoteHost: remoteAddress,
    companyId: person && String(person.companyId),
    reply,
    recipients: recipients.map((address) => ({ address })),
  });
}
