import { subscriberOf } from '@selvage/core/access/network-of';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { type Reply, replyLine } from '../reply.ts';
import { runningApp } from './running-app.ts';

/** What was refused, at MAIL FROM, at RCPT TO or after DATA. */
export interface Refused {
  mailId: string;
  from: string;
  /** Empty when the sender was refused. */
  recipient: string;
  companyId: string | null;
  reply: Reply;
}

/** The refusals of this process. */
export const refusals = new RefusalLedger(() => ({ app: runningApp() }));

/** Notes an answer of the inbound door that refused a message, for the ledger. */
export function noteRefusal(address: string, { mailId, from, recipient, companyId, reply }: Refused): void {
  refusals.note({
    source: subscriberOf(address),
    companyId,
    mailId,
    direction: 'in',
    recipient,
    envelopeFrom: from,
    reason: reply.reason,
    lastReply: `${reply.code} ${replyLine(reply)}`,
    remoteHost: address,
  });
}
