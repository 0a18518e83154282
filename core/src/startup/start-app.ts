import { refuseOtherStore } from './host-marks.ts';
import { messageOf } from '../errors.ts';
import type { Redis } from 'ioredis';
import type { Sequelize } from 'sequelize';
import type { App } from '../context/app.ts';
import { openContentReader } from '../content/content-reader.ts';
import { createResolver } from '../dns/resolver.ts';
import { Queues } from '../jobs/queues.ts';
import { OutboxRelay } from '../jobs/relay-outbox.ts';
import { openBlobStore } from '../mailstore/blob-store.ts';
import type { Config } from '../process/config.ts';
import { connectDatabase, waitForDatabase } from '../database/connect-database.ts';
import { schemaState } from '../database/migrate.ts';
import { withStoredEnvironment } from '../environment/with-stored-environment.ts';
import { log, setLogLevel } from '../log.ts';
import { budgetLimits, MemoryBudget } from '../memory-budget.ts';
import { OperatorError } from '../operator-error.ts';
import { closeRedis, createRedis, waitForRedis } from '../process/create-redis.ts';
import { withoutList } from '../process/overlay-config.ts';
import { SearchThreads } from '../search/search-threads.ts';
import { SecretsBox } from '../secrets/secrets-box.ts';

/** Which process this is: `migrate` may meet a database whose schema is older than the code. */
export type AppRole = 'api' | 'inbound' | 'submission' | 'workers' | 'migrate';

interface StartOptions {
  role: AppRole;
  /** Takes a sentence for the operator when the start has to wait. */
  say?: (sentence: string) => void;
}

/**
 * Connects a process to its engines, and puts the variables that are kept in the database over its
 * configuration, which is then the App's (D55). Waits for the database with back-off. Goes on
 * without Redis, which holds nothing that can't be lost; its connection is tried again for ever.
 * @throws if the database stays away for a minute or refuses the login, lacks schema steps of this
 *   version, or has some of a newer one, or the blob store is not the one of this database
 */
export async function startApp(config: Config, options: StartOptions): Promise<App> {
  const db = connectDatabase(config, { forSchema: options.role === 'migrate' });
  const redis = createRedis(config, { role: 'producer' });
  try {
    await waitForDatabase(db, { say: options.say });
    await checkSchema(db, { mayBeOlder: options.role === 'migrate' });
    if (options.role !== 'migrate') await refuseOtherStore({ app: { db } }, config);
    const app = options.role === 'migrate' ? await assemble(config, db, redis) : await startWithList(config, db, redis);
    log.info('engines connected', { role: options.role, redis: redis.status });
    return app;
  } catch (error) {
    closeRedis(redis);
    await db.close();
    throw error;
  }
}

async function checkSchema(db: Sequelize, { mayBeOlder }: { mayBeOlder: boolean }): Promise<void> {
  const { pending, unknown } = await schemaState(db);
  if (unknown.length > 0) {
    throw new OperatorError(
      `The database was used by a newer version of Selvage. Start that version again, or restore a backup of this one. (unknown: ${unknown.join(', ')})`,
    );
  }
  if (pending.length > 0 && !mayBeOlder) {
    throw new OperatorError(`The database lacks schema steps, run the migration first: ${pending.join(', ')}`);
  }
}

/**
 * Starts with the variables of the list, or else without them: none of their values may keep people
 * out of the console, where they can be changed (D55).
 */
async function startWithList(config: Config, db: Sequelize, redis: Redis): Promise<App> {
  const inForce = await withStoredEnvironment(db, config);
  const hasOwnLevel = inForce.logLevel !== config.logLevel;
  try {
    if (hasOwnLevel) setLogLevel(inForce.logLevel);
    return await assemble(inForce, db, redis);
  } catch (error) {
    if (Object.keys(inForce.source.stored).length === 0) throw error;
    if (hasOwnLevel) setLogLevel(config.logLevel);
    log.error('the start failed with the variables of the list, trying without them', { error });
    const reason = `The host did not start with this list, so it runs without it: ${messageOf(error)}`;
    return await assemble(withoutList(config, inForce, reason), db, redis);
  }
}

async function assemble(config: Config, db: Sequelize, redis: Redis): Promise<App> {
  await waitForRedis(redis, 5000);
  const blobs = await openBlobStore(config.blobStore.directory);
  const resolver = createResolver(config.dnsServers, { validates: config.dnsValidates });
  return {
    config,
    db,
    redis,
    blobs,
    secrets: new SecretsBox(config.secretKey),
    resolver,
    content: openContentReader(config, { blobs, resolver }),
    search: new SearchThreads({ directory: config.searchDirectory, threads: config.searchThreads }),
    relay: new OutboxRelay(new Queues(redis), db),
    memory: new MemoryBudget(budgetLimits(config.messageMemoryBytes, config.maxMessageBytes)),
  };
}

/** Waits until the committed jobs are announced, then closes every connection. */
export async function stopApp(app: App): Promise<void> {
  await app.relay.close();
  await app.content.close();
  await app.search.close();
  closeRedis(app.redis);
  await app.db.close();
}
