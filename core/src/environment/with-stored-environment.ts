import type { Sequelize } from 'sequelize';
import { log } from '../log.ts';
import type { Config } from '../process/config.ts';
import { overlayConfig } from '../process/overlay-config.ts';
import { SecretsBox } from '../secrets/secrets-box.ts';
import { readHostState } from './host-state.ts';
import { readVariables, type StoredVariables } from './stored-variables.ts';

const none: StoredVariables = { values: {}, unreadable: {} };

/**
 * The configuration of a process that starts, with the variables of the list. Values that can't be
 * used are named in the log and left out.
 */
export async function withStoredEnvironment(db: Sequelize, config: Config): Promise<Config> {
  const target = { app: { db } };
  // Read before the variables: a change in between shows as one that this process does not have
  const { revision, restart } = await readHostState(target);
  const isUsed = config.usesStoredEnvironment;
  const { values, unreadable } = isUsed ? await readVariables(target, new SecretsBox(config.secretKey)) : none;
  const inForce = overlayConfig(config, values);
  const unusable = { ...unreadable, ...inForce.source.unusable };
  for (const [name, reason] of Object.entries(unusable)) {
    log.error('a variable of the list is not used', { variable: name, reason });
  }
  if (!isUsed) log.warn('the variables of the list are not used: STORED_ENVIRONMENT is false');
  return { ...inForce, source: { ...inForce.source, unusable, revision, restart } };
}
