import { type Arrival, arrivalBy } from '../ledger/message-facts.ts';

const fromServer =
  /^Received: from (\S*) \(\[(?:IPv6:)?([\da-f.:]+)\]\)\r\n\tby \S+ with (E?SMTPS?) id \S+(?: \(([^()\r\n]*)\))?/m;
const fromPerson = /^Received: by \S+ with (HTTPS|ESMTPSA) id /m;

/**
 * How a message came, by the trace that this host wrote (RFC 5321 4.4); null for a message that it
 * made itself.
 */
export function arrivalOf(traceHeaders: string): Arrival | null {
  const server = fromServer.exec(traceHeaders);
  if (server) {
    const [, helo = '', address = '', protocol = '', tls = null] = server;
    return arrivalBy({ helo, address, protocol, tls });
  }
  const protocol = fromPerson.exec(traceHeaders)?.[1];
  return protocol === undefined ? null : arrivalBy({ helo: null, address: null, protocol, tls: null });
}
