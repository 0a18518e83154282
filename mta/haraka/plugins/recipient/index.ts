import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { systemContext } from '@selvage/core/context/context';
import { envelopeOf } from '../../../src/inbound/envelope.ts';
import type { HarakaAddress, HarakaConnection, Next } from '../../../src/inbound/haraka.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { refusals } from '../../../src/inbound/refusal-ledger.ts';
import { type HookAnswer, runHook } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { takeRecipient } from '../../../src/inbound/take-recipient.ts';

export function hook_rcpt(next: Next, connection: HarakaConnection, [recipient]: [HarakaAddress]): void {
  runHook(connection, next, () => answerRecipient(connection, recipient.address));
}

async function answerRecipient(connection: HarakaConnection, recipient: string): Promise<HookAnswer> {
  const app = runningApp();
  const { mailId, from, recipients } = envelopeOf(connection.transaction);
  const { hostname, maxRecipients } = app.config;
  const answer = await takeRecipient(
    { address: recipient, taken: recipients.length, limit: maxRecipients, hostname },
    (address) => resolveRecipient(systemContext(app, mailId), address),
  );
  if ('accept' in answer) {
    const { address } = answer.accept;
    // The same address twice in an envelope is one delivery
    if (!recipients.some((taken) => taken.address === address)) recipients.push(answer.accept);
    return { accepted: '2.1.5 Recipient ok' };
  }
  const reply = answer.refuse;
  noteEvent('recipient refused', reply, { mailId, recipient });
  refusals.note(connection.remote.ip, { mailId, from, recipient, companyId: null, reply });
  return { refused: reply };
}
