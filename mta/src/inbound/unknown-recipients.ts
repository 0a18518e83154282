import { networkOf } from '@selvage/core/access/network-of';
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
 * The limit on the unknown recipients that one network names in an hour. Each message of the
 * network that is stored lowers their count by one.
 */
const perNetwork = { limit: 200, windowSeconds: 3600 };

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
 * What this process knows of a network that has named unknown recipients. The moments are from
 * `performance.now()`, since the wall clock may be ahead and then put right.
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
  await countForNetwork(app, networkOf(connection.remote.ip));
  if (count >= mostOfSession) return null;
  return Math.min(Math.max(0, count - quickAnswers) * 1000, longestDelayMs);
}

/**
 * Refuses every recipient, known or not, that comes from a network over the limit. If known ones
 * got another reply, the network would learn which addresses exist.
 */
export function refuseSearchingNetwork(connection: HarakaConnection): Reply | null {
  const network = networks.get(networkOf(connection.remote.ip));
  return network && network.shutUntil > performance.now() ? tooManyOfNetwork : null;
}

/**
 * Lowers the count of a network by one for a stored message, so that large senders with some stale
 * addresses are never shut out.
 */
export async function noteStoredMessage(app: App, connection: HarakaConnection): Promise<void> {
  const key = networkOf(connection.remote.ip);
  const network = networks.get(key);
  if (!network || network.unknown <= 0) return;
  network.unknown -= 1;
  await consume(app.redis, rateKey(key), perNetwork, -1);
}

const rateKey = (network: string) => `unknown-recipients:${network}`;

/** Counts an unknown recipient of a network, and shuts the network out beyond the limit. */
async function countForNetwork(app: App, key: string): Promise<void> {
  const now = performance.now();
  const known = networks.get(key);
  const network = known && known.endsAt > now ? known : begin(key, now);
  network.unknown += 1;
  const { allowed, retryAfterSeconds } = await consume(app.redis, rateKey(key), perNetwork);
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
