import { blockOf, networkOf } from '@selvage/core/access/network-of';
import { consume } from '@selvage/core/access/rate-limit';
import type { App } from '@selvage/core/context/app';
import type { Reply } from '../reply.ts';
import type { HarakaConnection } from './haraka.ts';

/**
 * How many unknown recipients a session may name before its replies are delayed: mailing lists have
 * stale addresses.
 */
const quickAnswers = 10;
const longestDelayMs = 5000;
/** A session ends after this many unknown recipients. */
const mostOfSession = 50;
/**
 * The limit on the unknown recipients that one network names in an hour. Each message that a
 * process stores lowers the count by one, down to the unknown recipients that this process has
 * noted.
 */
const perNetwork = { limit: 200, windowSeconds: 3600 };
/** The same for a whole block of addresses: one customer may have 65,536 networks of IPv6. */
const perBlock = { ...perNetwork, limit: 2000 };

/** The reply to a session that has named too many unknown recipients. */
export const tooManyUnknown: Reply = {
  code: 421,
  enhancedCode: '4.7.1',
  text: 'Too many unknown recipients in this session; closing the connection',
  reason: 'rate_limited',
};
const tooManyOfNetwork: Reply = {
  code: 450,
  enhancedCode: '4.7.1',
  text: 'Too many unknown recipients from your network, try again later',
  reason: 'rate_limited',
};

/**
 * What this process knows of a network or block that has named unknown recipients. The moments are
 * from `performance.now()`, since the wall clock may be ahead and then put right.
 */
interface Network {
  /** The unknown recipients, less the messages that were stored since. */
  unknown: number;
  shutUntil: number;
  endsAt: number;
}

const sessions = new WeakMap<HarakaConnection, number>();
const networks = new Map<string, Network>();
const mostNetworks = 10_000;

/**
 * Counts an unknown recipient.
 * @returns by how many milliseconds to delay the reply; null when the session has named too many
 */
export async function noteUnknownRecipient(app: App, connection: HarakaConnection): Promise<number | null> {
  const count = (sessions.get(connection) ?? 0) + 1;
  sessions.set(connection, count);
  for (const bound of boundsOf(connection)) await countFor(app, bound);
  if (count >= mostOfSession) return null;
  return Math.min(Math.max(0, count - quickAnswers) * 1000, longestDelayMs);
}

/**
 * Refuses every recipient, known or not, of a network that this process has counted beyond the
 * limit. Another process learns of it with the next unknown recipient that it counts. If known ones
 * got another reply, the network would learn which addresses exist.
 */
export function refuseSearchingNetwork(connection: HarakaConnection): Reply | null {
  const now = performance.now();
  const isShut = boundsOf(connection).some(({ key }) => (networks.get(key)?.shutUntil ?? 0) > now);
  return isShut ? tooManyOfNetwork : null;
}

/**
 * Lowers the count of a network by one for a stored message, so that large senders with some stale
 * addresses are seldom shut out.
 */
export async function noteStoredMessage(app: App, connection: HarakaConnection): Promise<void> {
  for (const { key, limit } of boundsOf(connection)) {
    const network = networks.get(key);
    if (!network || network.unknown <= 0) continue;
    network.unknown -= 1;
    await consume(app.redis, rateKey(key), limit, -1);
  }
}

/** A network or a block of addresses, and its limit. */
interface Bound {
  key: string;
  limit: typeof perNetwork;
}

/** The limits that hold for a peer. With IPv4 its block is its network. */
function boundsOf({ remote: { ip } }: HarakaConnection): Bound[] {
  const [network, block] = [networkOf(ip), blockOf(ip)];
  const ofNetwork = { key: network, limit: perNetwork };
  return block === network ? [ofNetwork] : [ofNetwork, { key: block, limit: perBlock }];
}

const rateKey = (network: string) => `unknown-recipients:${network}`;

/** Counts an unknown recipient, and shuts the network or block out beyond the limit. */
async function countFor(app: App, { key, limit }: Bound): Promise<void> {
  const now = performance.now();
  const known = networks.get(key);
  const network = known && known.endsAt > now ? known : begin(key, now);
  network.unknown += 1;
  const { allowed, retryAfterSeconds } = await consume(app.redis, rateKey(key), limit);
  if (!allowed) network.shutUntil = now + retryAfterSeconds * 1000;
}

function begin(key: string, now: number): Network {
  const network = { unknown: 0, shutUntil: 0, endsAt: now + perNetwork.windowSeconds * 1000 };
  const [oldest] = networks.keys();
  if (networks.size >= mostNetworks && oldest !== undefined) networks.delete(oldest);
  networks.delete(key);
  networks.set(key, network);
  return network;
}
