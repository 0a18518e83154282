import { closeConnection, openConnection } from '../../../src/inbound/connections.ts';
import { findEnvelope } from '../../../src/inbound/envelope.ts';
import { type HarakaConnection, type Next, verdicts } from '../../../src/inbound/haraka.ts';
import { noteEvent } from '../../../src/note-event.ts';
import type { Reply } from '../../../src/reply.ts';
import { pass } from '../../../src/inbound/run-hook.ts';
import { runningApp } from '../../../src/inbound/running-app.ts';
import { checkManners } from '../../../src/inbound/take-sender.ts';

const bareLineFeed: Reply = { code: 451, enhancedCode: '4.6.0', text: 'Bare line feed', reason: 'bare_line_feed' };

/** Reverse names prove nothing and cost a look-up per connection; this word makes Haraka show the bare address. */
export function hook_lookup_rdns(next: Next): void {
  next(verdicts.ok, 'NXDOMAIN');
}

export function hook_connect(next: Next, connection: HarakaConnection): void {
  const refused = openConnection(connection, runningApp().config.smtpConnectionsPerAddress) ?? checkManners(connection);
  if (refused) noteEvent('connection refused', refused, { sessionId: connection.uuid, address: connection.remote.ip });
  pass(next, refused && { refused, hangUp: true });
}

/** Also the end of a peer that went away in the middle: what it had sent so far is let go. */
export function hook_reset_transaction(next: Next, connection: HarakaConnection): void {
  findEnvelope(connection.transaction)?.collector?.release();
  next();
}

export function hook_disconnect(next: Next, connection: HarakaConnection): void {
  closeConnection(connection);
  // Haraka answers this by itself and asks no plugin
  if (connection.last_reject.startsWith('451 Bare line-feed')) {
    noteEvent('message refused', bareLineFeed, { sessionId: connection.uuid, address: connection.remote.ip });
  }
  next();
}
