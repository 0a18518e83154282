import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnection, noteHandshake, openConnection } from '../../../src/inbound/connections.ts';
import { explainOwnReplies } from '../../../src/inbound/explained.ts';
import { findEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import { type HarakaConnection, type Next, verdicts } from '../../../src/inbound/haraka.ts';
import { quoteOddSenders, takeUnderscores } from '../../../src/inbound/odd-senders.ts';
import { boundPipeline, shareTurns } from '../../../src/inbound/pace-connection.ts';
import { noteEvent } from '../../../src/note-event.ts';
import { takePlainLinesTogether } from '../../../src/inbound/plain-lines.ts';
import { noteOwnRefusals } from '../../../src/inbound/own-refusals.ts';
import { refuseBareLineFeedForGood } from '../../../src/inbound/refuse-bare-line-feed.ts';
import { runHook } from '../../../src/inbound/run-hook.ts';
import { longestLine } from '../../../src/inbound/write-haraka-config.ts';
import { checkGreeted } from '../../../src/inbound/check-connection.ts';

/**
 * Skips the reverse look-up, which proves nothing and costs a DNS query per connection. With
 * NXDOMAIN Haraka shows the bare address.
 */
export function hook_lookup_rdns(next: Next): void {
  next(verdicts.ok, 'NXDOMAIN');
}

/**
 * How long this host waits before it greets. A program that does not wait for the greeting sends
 * right after its TCP handshake, so its first bytes arrive within this time. An immediate greeting
 * would hide that. Each further millisecond delays honest peers, and lowers the throughput of a
 * sender with ten connections by about 4 %.
 */
const greetingDelayMs = 1;

/**
 * How many bytes of commands a peer may send ahead: more than all RCPT commands of a message, which
 * a peer may send in one group (RFC 2920).
 */
const pipelineBytes = 65_536;

/*
 * `hook_connect` puts wrappers around methods of Haraka's connection. Each function wraps what the
 * ones before it have left there, so the last one runs first. The order of the calls below matters:
 *
 *   bytes of the peer
 *     -> _process_data: shareTurns             message data waits when this turn has no time left
 *     -> _process_data: boundPipeline          commands wait, a few handled in each turn
 *     -> _process_data: takePlainLinesTogether takes the plain lines of a message
 *     -> _process_data: Haraka                 gets the rest, which may be a command
 *          -> cmd_mail: takeUnderscores        changes the domain of MAIL
 *          -> cmd_mail: quoteOddSenders        changes the local part of MAIL
 *          -> cmd_mail: Haraka
 *   a reply of Haraka or of a plugin
 *     -> respond: refuseBareLineFeedForGood    makes a 550 of Haraka's 451, notes and explains it
 *     -> respond: noteOwnRefusals              notes and explains what Haraka refuses
 *     -> respond: explainOwnReplies            explains what is not explained yet
 *     -> respond: Haraka
 *          -> client.write: watchUnread        tells boundPipeline whether the peer reads
 *
 * shareTurns stands before the others, since it judges by the whole time that they take. The reply
 * is explained last, since one that is noted needs the code of its own message.
 */

export function hook_connect(next: Next, connection: HarakaConnection): void {
  explainOwnReplies(connection);
  noteOwnRefusals(connection);
  refuseBareLineFeedForGood(connection);
  takePlainLinesTogether(connection, longestLine);
  quoteOddSenders(connection);
  takeUnderscores(connection);
  boundPipeline(connection, pipelineBytes);
  shareTurns(connection);
  const ending = openConnection(connection);
  runHook(connection, next, async () => {
    await sleep(greetingDelayMs);
    const refused = ending ?? checkGreeted(connection);
    if (!refused) return null;
    noteEvent('connection refused', refused, { sessionId: connection.uuid, address: connection.remote.ip });
    return { refused, hangUp: true };
  });
}

/** Runs before the plugin that sets TLS up, and notes when the handshake begins. */
export function hook_unrecognized_command(next: Next, connection: HarakaConnection, [verb = '']: string[]): void {
  if (verb.toUpperCase() === 'STARTTLS' && connection.tls.advertised) noteHandshake(connection);
  next();
}

/** Made once: an error that `abort` makes by itself costs each message a hundredth of its time. */
const transactionOver = new Error('the transaction is over');

/**
 * Frees the memory of a message, and gives up the work on it that is not begun. Haraka also runs
 * this hook when a peer disconnects in the middle of a message. When the peer disconnects while its
 * message is being decided about, the decision frees the memory instead.
 */
export function hook_reset_transaction(next: Next, connection: HarakaConnection): void {
  const envelope = findEnvelope(connection.transaction);
  envelope?.collector?.drop();
  envelope?.over.abort(transactionOver);
  next();
}

export function hook_disconnect(next: Next, connection: HarakaConnection): void {
  closeConnection(connection);
  // While the socket is paused, this process would not notice that the peer closes it
  connection.client.resume();
  next();
}
