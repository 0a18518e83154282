/** How a message came to this host, by its own first line of the trace (RFC 5321 4.4). */
export interface Arrival {
  /** What the sending server called itself; null for mail of people of this host. */
  helo: string | null;
  /** Address of the sending server; null for mail of people of this host. */
  address: string | null;
  /** `ESMTPS`, `HTTPS`; the final S stands for encryption. */
  protocol: string;
  isEncrypted: boolean;
  /** TLS version and cipher, where they are known. */
  tls: string | null;
}

const fromServer =
  /^Received: from (\S*) \(\[(?:IPv6:)?([\da-f.:]+)\]\)\r\n\tby \S+ with (E?SMTPS?) id \S+(?: \(([^()\r\n]*)\))?/m;
const fromPerson = /^Received: by \S+ with (HTTPS|ESMTPSA) id /m;

/** Reads the trace that this host wrote; null for a message that it made itself. */
export function arrivalOf(traceHeaders: string): Arrival | null {
  const server = fromServer.exec(traceHeaders);
  if (server) {
    const [, helo = '', address = '', protocol = '', tls = null] = server;
    return { helo, address, protocol, isEncrypted: protocol === 'ESMTPS', tls };
  }
  const protocol = fromPerson.exec(traceHeaders)?.[1];
  return protocol === undefined ? null : { helo: null, address: null, protocol, isEncrypted: true, tls: null };
}
