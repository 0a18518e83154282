import type { DoorGuard } from '@selvage/core/access/door-guard';
import { type GuardedServer, guardServer } from '@selvage/core/access/guard-server';
import type { EndReason, Stage } from '@selvage/core/access/guarded-connection';
import type { Server } from 'node:net';
import { lastLine, lastReply } from '../door-limits.ts';
import { type Reply, replyLine, shuttingDown } from '../reply.ts';
import { explained } from './explained.ts';
import { connectionStates, DSN, type HarakaConnection } from './haraka.ts';
import { noteEnded } from './own-refusals.ts';
import { findEnvelope } from './smtp-envelope.ts';

/** Every open connection, for the drain. */
const open = new Set<HarakaConnection>();
const inHandshake = new WeakSet<HarakaConnection>();
const servers: GuardedServer[] = [];
let isDraining = false;

/** Puts the guard before Haraka's listeners. */
export function guardInbound(listeners: readonly Server[], guard: DoorGuard): void {
  for (const server of listeners) servers.push(guardServer(server, guard, { first: 'silent', lastWords }));
}

const lastWords = (reason: EndReason) => lastLine(reason, explained);

/**
 * Registers a connection, and makes the guard end it by a reply from now on. Returns the reply that
 * refuses the connection while the process shuts down, else null.
 */
export function openConnection(connection: HarakaConnection): Reply | null {
  const { ip, port } = connection.remote;
  const guarded = servers.map((server) => server.find(ip, port)).find((found) => found !== undefined);
  open.add(connection);
  if (guarded) {
    guarded.stage = () => stageOf(connection);
    guarded.destroy = () => connection.client.destroy();
    guarded.takeLeave = (reason) => sendAway(connection, lastReply(reason));
  }
  return isDraining ? shuttingDown : null;
}

/** Notes that the peer asked for TLS; its handshake has a time limit of its own. */
export function noteHandshake(connection: HarakaConnection): void {
  inHandshake.add(connection);
}

function stageOf(connection: HarakaConnection): Stage {
  if (inHandshake.has(connection) && !connection.tls.enabled) return 'handshake';
  if (!connection.hello.host) return 'silent';
  if (connection.state === connectionStates.data) return 'transfer';
  return findEnvelope(connection.transaction)?.collector?.isFinished ? 'deciding' : 'open';
}

/**
 * Sends a last reply and disconnects. A message under way is refused with that reply. A peer whose
 * TLS handshake hangs can't read a reply; where the guard calls, it destroys the socket a moment
 * later.
 */
function sendAway(connection: HarakaConnection, reason: Reply): void {
  if (stageOf(connection) === 'handshake') return;
  const reply = noteEnded(connection, reason);
  connection.respond(reply.code, new DSN(reply.code, replyLine(reply)), () => connection.disconnect());
}

/** Forgets a connection that ended. */
export function closeConnection(connection: HarakaConnection): void {
  open.delete(connection);
}

/** Whether the process refuses further transactions, since it shuts down. */
export function isEnding(): boolean {
  return isDraining;
}

/**
 * Waits until no connection is open, at most `milliseconds`. For the first `patienceMs` all peers
 * may go on. Then this function disconnects the idle ones and waits for the others, so that each
 * message under way gets its reply.
 */
export async function drainConnections(milliseconds: number, patienceMs: number): Promise<void> {
  const end = Date.now() + milliseconds;
  await untilNoneOpen(Date.now() + patienceMs);
  isDraining = true;
  for (const connection of open) {
    if (!connection.transaction) sendAway(connection, shuttingDown);
  }
  await untilNoneOpen(end);
}

async function untilNoneOpen(end: number): Promise<void> {
  while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25));
}
