import { Op } from 'sequelize';
import type { App } from '../context/app.ts';
import { log } from '../log.ts';
import { AppPassword } from '../models/app-password.ts';
import { Session } from '../models/session.ts';
import { networkOf } from './network-of.ts';
import { askRedis } from './rate-limit.ts';

const knownSeconds = 30 * 86_400;

const since = () => new Date(Date.now() - knownSeconds * 1000);
const keyOf = (userId: string, network: string) => `known-network:${userId}:${network}`;

/** Says whether a person logged in to the web app from a network during the last month. */
export async function hasSessionFrom(userId: string, network: string): Promise<boolean> {
  const where = { userId, createdAt: { [Op.gt]: since() } };
  const sessions = await Session.findAll({ where, attributes: ['deviceIp'], raw: true });
  return sessions.some(({ deviceIp }) => networkOf(deviceIp) === network);
}

/**
 * Says whether a person got in from a network during the last month: to the web app, with an app
 * password, or as `rememberNetwork` was told. An attacker who still guesses did not.
 */
export async function isKnownNetwork({ redis }: App, userId: string, network: string): Promise<boolean> {
  const answers = await Promise.all([
    hasSessionFrom(userId, network),
    usedAppPasswordFrom(userId, network),
    isRemembered(() => askRedis(redis, () => redis.exists(keyOf(userId, network)))),
  ]);
  return answers.includes(true);
}

async function usedAppPasswordFrom(userId: string, network: string): Promise<boolean> {
  const where = { userId, lastUsedAt: { [Op.gt]: since() } };
  const used = await AppPassword.findAll({ where, attributes: ['lastUsedAddress'], raw: true });
  return used.some(({ lastUsedAddress }) => lastUsedAddress !== null && networkOf(lastUsedAddress) === network);
}

async function isRemembered(ask: () => Promise<number>): Promise<boolean> {
  try {
    return (await ask()) === 1;
  } catch {
    return false;
  }
}

/** Notes that a person got in from a network in a way of which the database keeps no address. */
export async function rememberNetwork({ redis }: App, userId: string, network: string): Promise<void> {
  try {
    await askRedis(redis, () => redis.set(keyOf(userId, network), 1, 'EX', knownSeconds));
  } catch (error) {
    log.debug('a network cannot be remembered, redis is away', { error });
  }
}
