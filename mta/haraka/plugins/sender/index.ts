import { openEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import { explained } from '../../../src/inbound/explained.ts';
import type { HarakaAddress, HarakaConnection, Next } from '../../../src/inbound/haraka.ts';
import { restoreSender } from '../../../src/inbound/odd-senders.ts';
import { newMailId } from '@selvage/core/mail/mail-id';
import { noteEvent } from '../../../src/note-event.ts';
import { type HookAnswer, runHook } from '../../../src/inbound/run-hook.ts';
import { noteRefused } from '../../../src/inbound/refusals.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { checkConnection } from '../../../src/inbound/check-connection.ts';
import { checkMailFrom, countMessage, type SenderCommand } from '../../../src/inbound/check-mail-from.ts';
import { ourFailure, type Reply } from '../../../src/reply.ts';
import type { EsmtpParameters } from '../../../src/esmtp-parameters.ts';

export function hook_mail(
  next: Next,
  connection: HarakaConnection,
  [from, parameters]: [HarakaAddress, EsmtpParameters],
): void {
  const command = { address: restoreSender(connection, from), parameters };
  runHook(
    connection,
    next,
    () => takeSender(connection, command),
    () => refuse(connection, ourFailure, command.address),
  );
}

async function takeSender(connection: HarakaConnection, command: SenderCommand): Promise<HookAnswer> {
  const app = runningApp();
  const { ip, is_local: isLocal } = connection.remote;
  const broken = checkConnection(connection);
  const unfit = broken ?? checkMailFrom(command, app.config.maxMessageBytes) ?? (await countMessage(app, ip, isLocal));
  if (unfit) return { refused: refuse(connection, unfit, command.address), hangUp: broken !== null };
  if (!connection.transaction) return null;
  const envelope = openEnvelope(connection.transaction, newMailId(), command.address);
  envelope.declaredBytes = Number(command.parameters['SIZE'] ?? 0);
  return { accepted: '2.1.0 Sender ok' };
}

function refuse(connection: HarakaConnection, unfit: Reply, envelopeFrom: string): Reply {
  const mailId = newMailId();
  const reply = explained(unfit, mailId);
  noteEvent('sender refused', reply);
  noteRefused(connection, { mailId, envelopeFrom, recipients: [], reply });
  return reply;
}
