import { subscriberOf } from '@selvage/core/access/network-of';
import type { MailLogin } from '@selvage/core/directory/mail-login';
import { type Arrival, arrivalBy } from '@selvage/core/ledger/message-facts';
import type { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { newMailId } from '@selvage/core/mail/mail-id';
import type { SMTPServerSession } from 'smtp-server';
import { noteRefusals } from '../note-refusals.ts';
import type { Reply } from '../reply.ts';

interface RefusedMessage {
  reply: Reply;
  recipients: readonly string[];
  messageIdHeader?: string | null;
}

/**
 * Notes for the ledger that a message was refused: a row for each recipient, or one row without a
 * recipient when the sender was refused. Before the login the person is unknown, so the refusal
 * counts for the peer's address.
 */
export function noteRefused(
  refusals: RefusalLedger,
  session: SMTPServerSession,
  { reply, recipients, messageIdHeader = null }: RefusedMessage,
): void {
  const { user: login, remoteAddress, envelope } = session;
  const person = (login as MailLogin | undefined)?.user ?? null;
  noteRefusals(refusals, {
    source: person ? `user:${person.id}` : subscriberOf(remoteAddress),
    direction: 'out',
    mailId: newMailId(),
    envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : (person?.email ?? ''),
    remoteHost: remoteAddress,
    companyId: person && String(person.companyId),
    reply,
    messageIdHeader,
    facts: { arrival: arrivalOf(session), checks: null, placement: null },
    recipients: recipients.map((address) => ({ address })),
  });
}

function arrivalOf(session: SMTPServerSession): Arrival {
  const { hostNameAppearsAs: helo, remoteAddress: address, transmissionType: protocol, tlsOptions } = session;
  // smtp-server says false where there is no TLS
  const { version, standardName } = (tlsOptions || {}) as { version?: string; standardName?: string };
  const tls = version === undefined ? null : `${version} ${standardName ?? ''}`.trim();
  return arrivalBy({ helo: helo || null, address, protocol, tls });
}
