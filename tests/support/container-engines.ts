import { MariaDbContainer } from '@testcontainers/mariadb';
import { RedisContainer } from '@testcontainers/redis';

export interface ContainerEngines {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/** The same images as docker-compose.yml. */
const images = { mariadb: 'mariadb:11.8', redis: 'redis:8' };

/** Starts MariaDB and Redis as containers; the database user may create databases, as the private one may. */
export async function startContainerEngines(): Promise<ContainerEngines> {
  const [mariadb, redis] = await Promise.all([
    new MariaDbContainer(images.mariadb).withRootPassword('test').start(),
    new RedisContainer(images.redis).start(),
  ]);
  return {
    databaseUrl: `mysql://root:test@${mariadb.getHost()}:${mariadb.getPort()}/test`,
    redisUrl: `redis://${redis.getHost()}:${redis.getPort()}/0`,
    stop: async () => {
      await Promise.all([mariadb.stop(), redis.stop()]);
    },
  };
}
