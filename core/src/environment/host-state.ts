import { changeRows, readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';

/** The programs of a host in the order in which a restart replaces their processes. */
export const programs = ['workers', 'inbound', 'submission', 'api'] as const;
export type ProgramName = (typeof programs)[number];

/**
 * The changes and restarts that an administrator has asked for. Processes compare only numbers,
 * since the clocks of servers differ.
 */
export interface HostState {
  /** How often the list of variables was changed. */
  revision: number;
  /** How many restarts were asked for. */
  restart: number;
  /** When the last restart was asked for. */
  askedAt: Date | null;
  askedBy: string | null;
  /** How many processes of each program ran when the restart was asked for. */
  expected: Partial<Record<ProgramName, number>>;
  finishedAt: Date | null;
  /** Why it ended before all processes were replaced. */
  problem: string | null;
  /** Seconds since the restart was asked for, by the database's clock. */
  ageSeconds: number;
}

/** A process that does the work of a program. */
export interface HostProcess {
  id: string;
  program: ProgramName;
  machine: string;
  pid: number;
  /** The revision of the list that it was started with. */
  revision: number;
  /** How many restarts had been asked for when it was started. */
  restart: number;
  /**
   * With a primary, the process is replaced before it ends. Without one, it ends and its supervisor
   * starts it again.
   */
  hasPrimary: boolean;
}

/** A process that was seen lately. */
export interface SeenProcess extends HostProcess {
  /** By the clock of the database; null for a process of an older version. */
  startedAt: Date | null;
}

/** How often a process says that it is there; see `aliveSeconds`. */
export const heartbeatMs = 30_000;
/** A process that has not been seen for this long has died. */
const aliveSeconds = 95;

interface StateRow extends Omit<HostState, 'expected'> {
  expected: string | null;
}

/** @param isLocked locks the row until the transaction ends, so that changes come one by one */
export async function readHostState(target: DatabaseTarget, { isLocked = false } = {}): Promise<HostState> {
  const [row] = await readRows<StateRow>(
    target,
    `SELECT revision, restart, asked_at AS askedAt, asked_by AS askedBy, expected, finished_at AS finishedAt, problem,
            COALESCE(TIMESTAMPDIFF(SECOND, asked_at, UTC_TIMESTAMP(3)), 0) AS ageSeconds
       FROM host_state WHERE id = 1${isLocked ? ' FOR UPDATE' : ''}`,
    [],
  );
  if (!row) throw new Error('the database lacks the state of the host');
  const expected = JSON.parse(row.expected ?? '{}') as HostState['expected'];
  return { ...row, ageSeconds: Number(row.ageSeconds), expected };
}

/** Notes a change of the list. The caller has locked the row. */
export async function writeRevision(target: DatabaseTarget, revision: number): Promise<void> {
  await changeRows(target, 'UPDATE host_state SET revision = ? WHERE id = 1', [revision]);
}

/** Notes that a restart is asked for. The caller has locked the row. */
export async function writeRestart(
  target: DatabaseTarget,
  { askedBy, expected }: Pick<HostState, 'askedBy' | 'expected'>,
): Promise<void> {
  await changeRows(
    target,
    `UPDATE host_state SET restart = restart + 1, asked_at = UTC_TIMESTAMP(3), asked_by = ?, expected = ?,
            finished_at = NULL, problem = NULL WHERE id = 1`,
    [askedBy, JSON.stringify(expected)],
  );
}

/**
 * Whether alarms are held back, like the outgoing mail of a restored host. A restored host may run
 * beside the old one for a trial, and people must not get alarms from both.
 * @param isLocked keeps the answer true until the transaction ends
 */
export async function holdsAlarms(target: DatabaseTarget, { isLocked = false } = {}): Promise<boolean> {
  const rows = await readRows<{ held: number }>(
    target,
    `SELECT holds_alarms AS held FROM host_state WHERE id = 1${isLocked ? ' LOCK IN SHARE MODE' : ''}`,
    [],
  );
  return Number(rows[0]?.held ?? 0) === 1;
}

/** Sets whether alarms are held back. */
export async function writeHoldsAlarms(target: DatabaseTarget, held: boolean): Promise<void> {
  await changeRows(target, 'UPDATE host_state SET holds_alarms = ? WHERE id = 1', [held ? 1 : 0]);
}

/** What tells the secret key and the blob store of this database from others. */
export interface HostMarks {
  /** A text that only the key can make; null until a start has noted it. */
  keyMark: string | null;
  /** The random name of the store; null until a start has noted it. */
  storeName: string | null;
}

export async function readHostMarks(target: DatabaseTarget): Promise<HostMarks> {
  const [row] = await readRows<HostMarks>(
    target,
    'SELECT key_mark AS keyMark, store_name AS storeName FROM host_state WHERE id = 1',
    [],
  );
  if (!row) throw new Error('the database lacks the state of the host');
  return row;
}

export async function writeKeyMark(target: DatabaseTarget, keyMark: string): Promise<void> {
  await changeRows(target, 'UPDATE host_state SET key_mark = ? WHERE id = 1', [keyMark]);
}

export async function writeStoreName(target: DatabaseTarget, storeName: string | null): Promise<void> {
  await changeRows(target, 'UPDATE host_state SET store_name = ? WHERE id = 1', [storeName]);
}

/** Notes how a restart has ended. The first process to do so wins. */
export async function endRestart(target: DatabaseTarget, restart: number, problem: string | null): Promise<void> {
  await changeRows(
    target,
    `UPDATE host_state SET finished_at = UTC_TIMESTAMP(3), problem = ?
      WHERE id = 1 AND restart = ? AND finished_at IS NULL`,
    [problem, restart],
  );
}

/** The processes that were seen lately, those that were started first in front. */
export async function readProcesses(target: DatabaseTarget): Promise<SeenProcess[]> {
  const rows = await readRows<Omit<SeenProcess, 'hasPrimary'> & { hasPrimary: 0 | 1 }>(
    target,
    `SELECT id, program, machine, pid, revision, restart, has_primary AS hasPrimary, started_at AS startedAt
       FROM host_processes
      WHERE seen_at > UTC_TIMESTAMP(3) - INTERVAL ? SECOND ORDER BY restart, id`,
    [aliveSeconds],
  );
  return rows.map((row) => ({ ...row, hasPrimary: row.hasPrimary === 1 }));
}

/**
 * Notes that a process is alive, and forgets those that have not been seen for long.
 * @param ageSeconds how long ago it was started
 */
export async function writeProcess(target: DatabaseTarget, process: HostProcess, ageSeconds = 0): Promise<void> {
  const { id, program, machine, pid, revision, restart, hasPrimary } = process;
  await changeRows(
    target,
    `INSERT INTO host_processes (id, program, machine, pid, revision, restart, has_primary, started_at, seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3) - INTERVAL ? SECOND, UTC_TIMESTAMP(3))
         ON DUPLICATE KEY UPDATE seen_at = VALUES(seen_at)`,
    [id, program, machine, pid, revision, restart, hasPrimary, ageSeconds],
  );
  await changeRows(target, 'DELETE FROM host_processes WHERE seen_at < UTC_TIMESTAMP(3) - INTERVAL 1 DAY', []);
}

/** Takes processes that have ended out of the list. */
export async function removeProcesses(target: DatabaseTarget, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await changeRows(target, 'DELETE FROM host_processes WHERE id IN (?)', [[...ids]]);
}
