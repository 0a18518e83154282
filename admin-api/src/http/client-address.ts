import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '@selvage/core/access/network-of';

/**
 * The address of the client. Each trusted proxy appends the address it saw; everything left of
 * those is the client's own claim.
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
