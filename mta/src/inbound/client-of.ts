import { type Arrival, arrivalBy } from '@selvage/core/ledger/message-facts';
import type { HarakaConnection } from './haraka.ts';

/** The peer of a connection. */
export interface Client {
  ip: string;
  helo: string;
  isExtended: boolean;
  /** TLS version and cipher, null without TLS. */
  tls: string | null;
}

export function clientOf({ remote, hello, tls }: Pick<HarakaConnection, 'remote' | 'hello' | 'tls'>): Client {
  const { version = 'TLS', standardName, name = '' } = tls.cipher ?? {};
  return {
    ip: remote.ip,
    helo: hello.host ?? '',
    isExtended: hello.verb === 'EHLO',
    tls: tls.enabled ? `${version} ${standardName ?? name}`.trim() : null,
  };
}

/** The protocol of the session, by its name in Received fields (RFC 3848). */
export function protocolOf({ isExtended, tls }: Pick<Client, 'isExtended' | 'tls'>): string {
  if (!isExtended) return 'SMTP';
  return tls ? 'ESMTPS' : 'ESMTP';
}

/** How a message arrives from this peer, for the ledger. */
export function arrivalOfClient(client: Client): Arrival {
  const { ip: address, helo, tls } = client;
  return arrivalBy({ helo: helo === '' ? null : helo, address, protocol: protocolOf(client), tls });
}
