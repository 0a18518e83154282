import { subscriberOf } from '@selvage/core/access/network-of';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { noteRefusals, type Refused } from '../note-refusals.ts';
import { runningApp } from './running-app.ts';

/** The refusals of this process. */
export const refusals = new RefusalLedger(() => ({ app: runningApp() }));

/** Notes an answer of the inbound door that refused a message of the peer at this address. */
export function noteRefused(
  remoteHost: string,
  refused: Pick<Refused, 'mailId' | 'envelopeFrom' | 'recipients' | 'reply'>,
): void {
  noteRefusals(refusals, {
    ...refused,
    source: subscriberOf(remoteHost),
    direction: 'in',
    remoteHost,
    companyId: null,
  });
}
