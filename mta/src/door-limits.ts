import { DoorGuard } from '@selvage/core/access/door-guard';
import type { EndReason } from '@selvage/core/access/guarded-connection';
import type { Config } from '@selvage/core/process/config';
import { connectionEnds, type Reply, replyLine, tooManyConnections } from './reply.ts';

/** Longest time that a command may take. After it the peer is answered 451. */
export const commandTimeoutMs = 20_000;
/** The time in which a door decides about a message. */
export const messageTimeoutMs = 60_000;

/**
 * RFC 5321 4.5.3.2.6: a peer waits this long for the answer to its message. The inbound door
 * answers within a minute. At the submission door this limit ends a slower answer.
 */
const decidingMs = 10 * 60_000;

/** A guard with the limits of a mail door. */
export function guardMailDoor(config: Config, name: string): DoorGuard {
  return new DoorGuard({
    name,
    limits: {
      perAddress: config.smtpConnectionsPerAddress,
      perNetwork: config.smtpConnectionsPerNetwork,
      total: config.smtpConnections,
    },
    patience: {
      handshake: config.tlsHandshakeSeconds * 1000,
      silent: config.firstCommandSeconds * 1000,
      logging_in: config.loginSeconds * 1000,
      transfer: config.transferSeconds * 1000,
      deciding: decidingMs,
    },
    transferBytesPerSecond: config.transferBytesPerSecond,
  });
}

/** What a peer is told when its connection is refused or ended. */
export function lastReply(reason: EndReason): Reply {
  if (reason === 'too_long' || reason === 'too_slow') return connectionEnds;
  if (reason === 'door_full') return { ...tooManyConnections, text: 'Too many connections, try again later' };
  if (reason === 'account_limit') return { ...tooManyConnections, text: 'Too many connections of your account' };
  return tooManyConnections;
}

/**
 * The whole line of that reply, for a peer whose connection the guard refuses before any SMTP
 * library gets it.
 */
export function lastLine(reason: EndReason, explain = (reply: Reply): Reply => reply): string {
  const reply = explain(lastReply(reason));
  return `${reply.code} ${replyLine(reply)}\r\n`;
}
