import type { App } from '../context/app.ts';
import { readRows } from '../database/run-sql.ts';
import type { Config } from '../process/config.ts';

/** The settings of engines that the operator provides. */
export interface EngineSettings {
  /** `innodb_flush_log_at_trx_commit` */
  flush: number;
  /** `max_allowed_packet`, in bytes. */
  packet: number;
  /** `max_connections` */
  connections: number;
  /** `maxmemory-policy` of Redis; null when it does not tell. */
  policy: string | null;
}

const leastPacket = 64 * 2 ** 20;

/** A sentence for each setting with which the host works worse than it says. */
export function doubtsAbout(
  { flush, packet, connections, policy }: EngineSettings,
  { databasePool, processes }: Pick<Config, 'databasePool' | 'processes'>,
): string[] {
  const doubts: string[] = [];
  if (flush !== 1) {
    doubts.push(`innodb_flush_log_at_trx_commit is ${flush}, not 1: a crash of its machine loses mail that was taken`);
  }
  if (packet < leastPacket) doubts.push(`max_allowed_packet is ${packet}, less than 64M: large changes can fail`);
  const needed = databasePool * Object.values(processes).reduce((sum, count) => sum + count, 0);
  if (connections < needed) doubts.push(`max_connections is ${connections}, and the processes may need ${needed}`);
  if (policy !== null && policy !== 'noeviction') {
    doubts.push(`maxmemory-policy of Redis is ${policy}, not noeviction: full, it drops jobs and counts of attempts`);
  }
  return doubts;
}

/** The same about the engines of a host. Private ones are set right by whatever starts them. */
export async function doubtsAboutEngines(app: App): Promise<string[]> {
  if (app.config.source.given['DATABASE_URL'] === undefined) return [];
  const [database] = await readRows<Omit<EngineSettings, 'policy'>>(
    { app },
    `SELECT @@GLOBAL.innodb_flush_log_at_trx_commit AS flush, @@GLOBAL.max_allowed_packet AS packet,
            @@GLOBAL.max_connections AS connections`,
    [],
  );
  if (database === undefined) return [];
  const { flush, packet, connections } = database;
  const numbers = { flush: Number(flush), packet: Number(packet), connections: Number(connections) };
  return doubtsAbout({ ...numbers, policy: await policyOf(app) }, app.config);
}

async function policyOf({ redis }: App): Promise<string | null> {
  try {
    const answer = await redis.config('GET', 'maxmemory-policy');
    return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : null;
  } catch {
    // Redis is away, or its operator has disabled this command
    return null;
  }
}
