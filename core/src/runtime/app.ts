import type { Redis } from 'ioredis';
import type { Sequelize } from 'sequelize';
import { createResolver, type DnsResolver } from '../dns/resolver.ts';
import { Queues } from '../jobs/queues.ts';
import { OutboxRelay } from '../jobs/relay-outbox.ts';
import { type BlobStore, openBlobStore } from '../mailstore/blob-store.ts';
import type { Config } from './config.ts';
import { connectDatabase, pendingMigrations, waitForDatabase } from './database.ts';
import { log } from './log.ts';
import { createRedis, waitForRedis } from './redis.ts';
import { SecretsBox } from './secrets.ts';

/** What every part of a process shares. */
export interface App {
  config: Config;
  db: Sequelize;
  /** Fails fast when Redis is away; blocking work makes a connection of its own with `createRedis`. */
  redis: Redis;
  blobs: BlobStore;
  secrets: SecretsBox;
  resolver: DnsResolver;
  queues: Queues;
  relay: OutboxRelay;
}

/** Which process this is: `migrate` may meet a database whose schema is older than the code. */
export type AppRole = 'api' | 'inbound' | 'submission' | 'workers' | 'migrate';

/**
 * Connects a process to its engines. Waits for the database with back-off; goes on without Redis, which holds nothing that
 * can't be lost and is connected to for ever.
 *
 * @throws if the database stays away for a minute, or lacks schema steps of this version.
 */
export async function startApp(config: Config, options: { role: AppRole }): Promise<App> {
  const db = connectDatabase(config, { forSchema: options.role === 'migrate' });
  const redis = createRedis(config, { role: 'producer' });
  try {
    await waitForDatabase(db);
    if (options.role !== 'migrate') await refusePending(db);
    const app = await assemble(config, db, redis);
    log.info('engines connected', { role: options.role, redis: redis.status });
    return app;
  } catch (error) {
    redis.disconnect();
    await db.close();
    throw error;
  }
}

async function refusePending(db: Sequelize): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    throw new Error(`The database lacks schema steps, run the migration first: ${pending.join(', ')}`);
  }
}

async function assemble(config: Config, db: Sequelize, redis: Redis): Promise<App> {
  await waitForRedis(redis, 5000);
  const queues = new Queues(redis);
  return {
    config,
    db,
    redis,
    blobs: await openBlobStore(config.blobStore.directory),
    secrets: new SecretsBox(config.secretKey),
    resolver: createResolver(config.dnsServers),
    queues,
    relay: new OutboxRelay(queues),
  };
}

/** Lets announced jobs out, then closes every connection. */
export async function stopApp(app: App): Promise<void> {
  await app.relay.idle();
  await app.queues.close();
  app.redis.disconnect();
  await app.db.close();
}
