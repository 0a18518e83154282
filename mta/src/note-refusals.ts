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
  /** The company of the refusal for a recipient that names none. */
  companyId: string | null;
}

/** Notes a refusal for the ledger: a row for each recipient, or one for the sender alone. */
export function noteRefusals(ledger: RefusalLedger, { reply, recipients, companyId, ...refused }: Refused): void {
  const refusedFor: Refused['recipients'] = recipients.length === 0 ? [{ address: '' }] : recipients;
  // A group is among the recipients once for each of its members, and gets one row
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
