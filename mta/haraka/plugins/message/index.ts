import { blockOf } from '@selvage/core/access/network-of';
import { log, withLogContext } from '@selvage/core/log';
import { messageTimeoutMs } from '../../../src/door-limits.ts';
import { acceptMessage } from '../../../src/inbound/accept-message.ts';
import { type Envelope, envelopeOf } from '../../../src/inbound/smtp-envelope.ts';
import { clientOf } from '../../../src/inbound/client-of.ts';
import { explained } from '../../../src/inbound/explained.ts';
import { finishTransaction } from '../../../src/inbound/finish-transaction.ts';
import { collectData, type HarakaConnection, type Next } from '../../../src/inbound/haraka.ts';
import { MessageCollector } from '../../../src/inbound/message-collector.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { noteRefused } from '../../../src/inbound/refusals.ts';
import { ourFailure, type Reply } from '../../../src/reply.ts';
import { pass } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { noteStoredMessage } from '../../../src/inbound/unknown-recipients.ts';
import { checkConnection } from '../../../src/inbound/check-connection.ts';
import { withDeadline } from '@selvage/core/with-deadline';

export function hook_capabilities(next: Next, connection: HarakaConnection): void {
  const others = connection.capabilities.filter((capability) => !capability.startsWith('SIZE'));
  connection.capabilities = [...others, `SIZE ${runningApp().config.maxMessageBytes}`, 'ENHANCEDSTATUSCODES'];
  next();
}

export function hook_data(next: Next, connection: HarakaConnection): void {
  const { transaction } = connection;
  const refused = checkConnection(connection);
  if (!transaction) return pass(next, refused && { refused, hangUp: true });
  if (refused) {
    const envelope = envelopeOf(transaction);
    const reply = explained(refused, envelope.mailId);
    report(connection, envelope, reply);
    return pass(next, { refused: reply, hangUp: true });
  }
  const { config, memory } = runningApp();
  const block = blockOf(connection.remote.ip);
  const collector = new MessageCollector(config, (giveWay) => memory.open(block, giveWay));
  envelopeOf(transaction).collector = collector;
  collectData(transaction, (line) => collector.addLine(line));
  next();
}

/** Runs at the end of DATA. It answers the peer itself, so it never calls `next`. */
export function hook_data_post(_next: Next, connection: HarakaConnection): void {
  const { transaction } = connection;
  const envelope = envelopeOf(transaction);
  const fields = { sessionId: connection.uuid, mailId: envelope.mailId, address: connection.remote.ip };
  void withLogContext(fields, async () => {
    const reply = explained(await decide(connection, envelope), envelope.mailId);
    report(connection, envelope, reply);
    if (reply.code === 250) void noteStoredMessage(runningApp(), connection);
    // A peer that has disconnected has no transaction any more. If its message was stored, its
    // retry is recognised as a duplicate by its Message-ID. Without one it is stored again
    if (connection.transaction === transaction) setImmediate(() => finishTransaction(connection, reply));
  });
}

async function decide(connection: HarakaConnection, envelope: Envelope): Promise<Reply> {
  // The memory is released only when the work ends, since work that outlasts its deadline still
  // uses it
  const decided = judge(connection, envelope).finally(() => envelope.collector?.release());
  try {
    return await withDeadline(decided, messageTimeoutMs);
  } catch (error) {
    log.error('message could not be processed', { error });
    return ourFailure;
  }
}

async function judge(connection: HarakaConnection, envelope: Envelope): Promise<Reply> {
  const { mailId, from, recipients, collector, over, known } = envelope;
  if (!collector) throw new Error('DATA was not collected');
  const { transaction } = connection;
  const client = clientOf(connection);
  const message = await collector.finish();
  known.messageIdHeader = collector.messageIdHeader;
  return await acceptMessage(runningApp(), {
    mailId,
    from,
    recipients,
    message,
    hasEndlessLine: transaction?.notes.data_line_length_exceeded === true,
    client,
    over: over.signal,
    known,
  });
}

function report(connection: HarakaConnection, envelope: Envelope, reply: Reply): void {
  const { mailId, from, recipients, known } = envelope;
  noteEvent(reply.code === 250 ? 'message stored' : 'message refused', reply, { recipients: recipients.length });
  if (reply.code !== 250) noteRefused(connection, { mailId, envelopeFrom: from, recipients, reply }, known);
}
