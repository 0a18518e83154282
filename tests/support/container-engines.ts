import { MariaDbContainer } from '@testcontainers/mariadb';
import { GenericContainer, Wait } from 'testcontainers';

export interface ContainerEngines {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/** The same images as docker-compose.yml. */
const images = { mariadb: 'mariadb:11.8', valkey: 'valkey/valkey:8' };

/**
 * The settings of docker-compose.yml, except that a commit need not survive a crash of the machine.
 */
const mariadbSettings = [
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-ft-min-token-size=2',
  '--max-allowed-packet=64M',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_ci',
];

/**
 * Starts MariaDB and Redis as containers. The database user may create databases, as with the
 * host's private engines.
 */
export async function startContainerEngines(): Promise<ContainerEngines> {
  const [mariadb, valkey] = await Promise.all([
    new MariaDbContainer(images.mariadb).withRootPassword('test').withCommand(mariadbSettings).start(),
    new GenericContainer(images.valkey)
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start(),
  ]);
  return {
    databaseUrl: `mysql://root:test@${mariadb.getHost()}:${mariadb.getPort()}/test`,
    redisUrl: `redis://${valkey.getHost()}:${valkey.getMappedPort(6379)}/0`,
    stop: async () => {
      await Promise.all([mariadb.stop(), valkey.stop()]);
    },
  };
}
