import { subscriberOf } from '@selvage/core/access/network-of';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { noteRefusals, type Refused } from '../note-refusals.ts';
import { arrivalOfClient, clientOf } from './client-of.ts';
import type { HarakaConnection } from './haraka.ts';
import { runningApp } from './running-app.ts';
import type { Known } from './smtp-envelope.ts';

/** The refusals of this process. */
export const refusals = new RefusalLedger(() => ({ app: runningApp() }));

/** Notes an answer of the inbound door that refused a message, with what is known of it by then. */
export function noteRefused(
  connection: HarakaConnection,
  refused: Pick<Refused, 'mailId' | 'envelopeFrom' | 'recipients' | 'reply'>,
  { messageIdHeader, checks }: Known = { messageIdHeader: null, checks: null },
): void {
  const remoteHost = connection.remote.ip;
  noteRefusals(refusals, {
    ...refused,
    messageIdHeader,
    facts: { arrival: arrivalOfClient(clientOf(connection)), checks, placement: null },
    source: subscriberOf(remoteHost),
    direction: 'in',
    remoteHost,
    companyId: null,
  });
}
