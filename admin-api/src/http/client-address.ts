import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '@selvage/core/access/network-of';

/**
 * The address of the client. Each trusted proxy appends the address from which it got the request.
 * All entries before those are unproved claims of the client.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  const direct = plainAddress(request.socket.remoteAddress ?? '');
  if (proxies === 0) return direct;
  const hops = [request.headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((hop) => plainAddress(hop.trim()));
  const seen = hops.at(-proxies) ?? '';
  return isIP(seen) > 0 ? seen : direct;
}
