import type { HostHealthDto } from '@selvage/core/contracts/morning';
import { readRows } from '@selvage/core/database/run-sql';
import { programs, readProcesses, type SeenProcess } from '@selvage/core/environment/host-state';
import { log } from '@selvage/core/log';
import { readLastBackup } from '@selvage/core/monitoring/read-host';
import { readCertificateEnd } from '@selvage/core/secrets/certificate';
import { withDeadline } from '@selvage/core/with-deadline';
import packageJson from '../../package.json' with { type: 'json' };
import type { SignedIn } from '../http/request-context.ts';
import { readBlobDisk } from './blob-disk.ts';

const redisLimitMs = 1000;

/** How the host is at this moment. */
export async function readHostHealth(ctx: SignedIn): Promise<HostHealthDto> {
  const [engine, late, running, redis, disk] = await Promise.all([
    readRows<{ version: string }>(ctx, 'SELECT VERSION() AS version', []),
    readLateness(ctx),
    readProcesses(ctx),
    readRedis(ctx),
    readBlobDisk(ctx.app),
  ]);
  const counts = programs.map((name) => [name, running.filter(({ program }) => program === name).length]);
  return {
    version: packageJson.version,
    since: sinceOf(running).toISOString(),
    processes: Object.fromEntries(counts) as HostHealthDto['processes'],
    database: engine[0]?.version ?? '',
    redis,
    ...late,
    certificate: readCertificate(ctx),
    last_backup: readLastBackup(ctx.app)?.toISOString() ?? null,
    disk,
  };
}

/**
 * When the oldest process of the host started. The process that answers may be a recent
 * replacement.
 */
function sinceOf(running: readonly SeenProcess[]): Date {
  const starts = running.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt.getTime()]));
  return new Date(Math.min(performance.timeOrigin, ...starts));
}

/**
 * How late the oldest due delivery and job are, from the first entries of two indexes. Those due in
 * the future are not late.
 */
async function readLateness(ctx: SignedIn): Promise<Pick<HostHealthDto, 'queue_late_seconds' | 'jobs_late_seconds'>> {
  const [row] = await readRows<{ queue: Date | null; jobs: Date | null }>(
    ctx,
    `SELECT (SELECT next_attempt_at FROM deliveries FORCE INDEX (deliveries_due)
              WHERE direction = 'out' AND state = 'queued' AND next_attempt_at IS NOT NULL
              ORDER BY next_attempt_at LIMIT 1) AS queue,
            (SELECT available_at FROM outbox WHERE relayed_at IS NULL ORDER BY available_at LIMIT 1) AS jobs`,
    [],
  );
  const late = (due: Date | null | undefined) =>
    Math.max(0, Math.round((Date.now() - (due?.getTime() ?? Infinity)) / 1000));
  return { queue_late_seconds: late(row?.queue), jobs_late_seconds: late(row?.jobs) };
}

async function readRedis({ app }: SignedIn): Promise<string | null> {
  try {
    const text = await withDeadline(app.redis.info('server'), redisLimitMs);
    const name = /^server_name:(\S+)/m.exec(text)?.[1] ?? 'redis';
    const version = /^valkey_version:(\S+)/m.exec(text)?.[1] ?? /^redis_version:(\S+)/m.exec(text)?.[1];
    return version === undefined ? name : `${name} ${version}`;
  } catch (error) {
    log.info('Redis did not say how it is', { error });
    return null;
  }
}

function readCertificate({ app }: SignedIn): HostHealthDto['certificate'] {
  try {
    const found = readCertificateEnd(app.config);
    return found && { valid_to: found.validTo.toISOString(), is_self_signed: found.isSelfSigned };
  } catch (error) {
    log.warn('the certificate of the mail doors could not be read', { error });
    return null;
  }
}
