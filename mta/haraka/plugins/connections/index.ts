import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnection, noteHandshake, openConnection } from '../../../src/inbound/connections.ts';
import { explainOwnAnswers } from '../../../src/inbound/explained.ts';
import { findEnvelope } from '../../../src/inbound/smtp-envelope.ts';
import {
  boundPipeline,
  type HarakaConnection,
  type Next,
  quoteOddSenders,
  shareTurns,
  takeUnderscores,
  verdicts,
} from '../../../src/inbound/haraka.ts';
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
 * A program that does not wait for the greeting sends right after its handshake, so its first
 * bytes are there within this time. Greeting at once would hide it; each further millisecond holds
 * up honest peers, and costs a sender with ten connections some four messages in a hundred.
 */
const greetingDelayMs = 1;

/** More than the recipients of a message, which a peer may name in one go (RFC 2920). */
const pipelineBytes = 65_536;

export function hook_connect(next: Next, connection: HarakaConnection): void {
  explainOwnAnswers(connection);
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

/** Before the plugin that sets TLS up. */
export function hook_unrecognized_command(next: Next, connection: HarakaConnection, [verb = '']: string[]): void {
  if (verb.toUpperCase() === 'STARTTLS' && connection.tls.advertised) noteHandshake(connection);
  next();
}

/**
 * Frees what was collected. Haraka also runs this hook for a peer that disconnects in the middle of
 * a message, or while it is decided about; then the decision frees it.
 */
export function hook_reset_transaction(next: Next, connection: HarakaConnection): void {
  findEnvelope(connection.transaction)?.collector?.drop();
  next();
}

export function hook_disconnect(next: Next, connection: HarakaConnection): void {
  closeConnection(connection);
  // The end of a peer that is not read from any more would go unnoticed
  connection.client.resume();
  next();
}
