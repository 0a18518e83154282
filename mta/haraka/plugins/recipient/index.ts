import { setTimeout as sleep } from 'node:timers/promises';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { roomFor } from '@selvage/core/mailstore/require-room';
import type { Reason } from '@selvage/core/ledger/reasons';
import { systemContext } from '@selvage/core/context/context';
import { envelopeOf } from '../../../src/inbound/envelope.ts';
import type { HarakaAddress, HarakaConnection, Next } from '../../../src/inbound/haraka.ts';
import { checkRcptParameters, type EsmtpParameters } from '../../../src/esmtp-parameters.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { noteRefused } from '../../../src/inbound/refusals.ts';
import { type HookAnswer, runHook } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { takeRecipient } from '../../../src/inbound/take-recipient.ts';
import { mailboxFull, type Reply } from '../../../src/reply.ts';
import {
  noteUnknownRecipient,
  refuseSearchingNetwork,
  tooManyUnknown,
} from '../../../src/inbound/unknown-recipients.ts';

export function hook_rcpt(
  next: Next,
  connection: HarakaConnection,
  [recipient, parameters]: [HarakaAddress, EsmtpParameters],
): void {
  runHook(connection, next, () => answerRecipient(connection, recipient.address, parameters));
}

async function answerRecipient(
  connection: HarakaConnection,
  recipient: string,
  parameters: EsmtpParameters,
): Promise<HookAnswer> {
  const app = runningApp();
  const { mailId, recipients, declaredBytes } = envelopeOf(connection.transaction);
  const { hostname, maxRecipients } = app.config;
  const shut = refuseSearchingNetwork(connection) ?? checkRcptParameters(parameters);
  if (shut) return refuse(connection, shut, recipient);
  const answer = await takeRecipient(
    { address: recipient, taken: recipients.length, limit: maxRecipients, hostname },
    (address) => resolveRecipient(systemContext(app, mailId), address),
  );
  if ('accept' in answer) {
    const { address, userId } = answer.accept;
    // Of a size that is not declared, no more is known than that it is one
    const room = await roomFor(systemContext(app, mailId), userId, Math.max(declaredBytes, 1));
    if (room === 'mailbox' || room === 'company') return refuse(connection, mailboxFull, recipient);
    // The same address twice in an envelope is one delivery
    if (!recipients.some((taken) => taken.address === address)) {
      recipients.push({ ...answer.accept, isUnlimited: room === 'unlimited' });
    }
    return { accepted: '2.1.5 Recipient ok' };
  }
  const refused = refuse(connection, answer.refuse, recipient);
  if (!searchReasons.has(answer.refuse.reason)) return refused;
  const delayMs = await noteUnknownRecipient(app, connection);
  if (delayMs === null) return { refused: tooManyUnknown, hangUp: true };
  await sleep(delayMs);
  return refused;
}

/** Refusals of recipients that a search for addresses, or for an open relay, meets in numbers. */
const searchReasons: ReadonlySet<Reason> = new Set(['unknown_recipient', 'deleted_mailbox', 'relay_denied']);

function refuse(connection: HarakaConnection, reply: Reply, recipient: string): HookAnswer {
  const { mailId, from } = envelopeOf(connection.transaction);
  noteEvent('recipient refused', reply, { mailId, recipient });
  noteRefused(connection.remote.ip, { mailId, envelopeFrom: from, recipients: [{ address: recipient }], reply });
  return { refused: reply };
}
