import type { Refusal, RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { type Reply, replyLine } from './reply.ts';

/** A message, or some recipients of it, that a door refused. */
export interface Refused
  extends Pick<
    Refusal,
    'source' | 'direction' | 'mailId' | 'envelopeFrom' | 'remoteHost' | 'facts' | 'messageIdHeader'
  > {
  reply: Reply;
  /** None when the sender was refused. */
  recipients: readonly { address: string; companyId?: string | null }[];
  /** Whose refusal it is where the recipient does not say. */
  companyId: string | null;
}

/** Notes a refusal for the ledger: a row for each recipient, or one for the sender alone. */
export function noteRefusals(ledger: RefusalLedger, { reply, recipients, companyId, ...refused }: Refused): void {
  const refusedFor: Refused['recipients'] = recipients.length === 0 ? [{ address: '' }] : recipients;
  // A group stands among the recipients once for each of its people
  const byAddress = new Map(refusedFor.map((recipient) => [recipient.address, recipient]));
  for (const { address, companyId: own } of byAddress.values()) {
    ledger.note({
      ...refused,
      companyId: own ?? companyId,
      recipient: address,
      reason: reply.reason,
      lastReply: `${reply.code} ${replyLine(reply)}`,
    });
  }
}
