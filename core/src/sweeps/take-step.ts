import { randomBytes } from 'node:crypto';
import { changeRows, readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';

/*
 * A slow sweep goes through much data in small steps. Its row in `sweep_steps` says where the next
 * step begins and when it is due:
 *
 *   due -- claim: lease_until, claim_id --> under way -- the step's end --> position, due_at
 *    ^                                       | the process dies: the lease runs out
 *    +---------------------------------------+
 *
 * So of any number of worker processes one takes each step, a restart goes on where the last one
 * stopped, and a step that was cut off is taken again.
 */

/** The slow sweeps; each has a row. */
export type SweepName =
  | 'messages'
  | 'blobs'
  | 'contents'
  | 'retention'
  | 'storage'
  | 'search'
  | 'junk'
  | 'ledger'
  | 'companies'
  | 'removals'
  | 'removed_uids'
  | 'correspondents'
  | 'correspondent_looks';

/** Where the step after this one begins, and how long it can wait. */
export interface NextStep {
  /** Empty at the beginning. At most 64 ASCII characters. */
  position: string;
  pauseMs: number;
}

/** A step takes seconds. A process that takes longer loses its claim, which does no harm. */
const leaseMs = 600_000;

/**
 * Takes the next step of a sweep if it is due and no other process has it. A step that throws is
 * due again at once.
 * @param longestPauseMs the longest that a step asks for. A time beyond it was written by a clock
 *   that was wrong, and counts as due
 * @returns how long the following step can wait; null when no step was taken
 */
export async function takeStep(
  target: DatabaseTarget,
  { name, longestPauseMs }: { name: SweepName; longestPauseMs: number },
  work: (position: string) => Promise<NextStep>,
): Promise<number | null> {
  const claimId = randomBytes(12).toString('hex');
  const position = await claim(target, { name, longestPauseMs, claimId });
  if (position === null) return null;
  let next: NextStep = { position, pauseMs: 0 };
  try {
    next = await work(position);
  } finally {
    await changeRows(
      target,
      'UPDATE sweep_steps SET position = ?, due_at = ?, lease_until = NULL WHERE name = ? AND claim_id = ?',
      [next.position, new Date(Date.now() + next.pauseMs), name, claimId],
    );
  }
  return next.pauseMs;
}

async function claim(
  target: DatabaseTarget,
  { name, longestPauseMs, claimId }: { name: SweepName; longestPauseMs: number; claimId: string },
): Promise<string | null> {
  const now = Date.now();
  const [lease, tooFar] = [new Date(now + leaseMs), new Date(now + longestPauseMs)];
  const claimed = await changeRows(
    target,
    `UPDATE sweep_steps SET lease_until = ?, claim_id = ?
      WHERE name = ? AND (due_at <= ? OR due_at > ?)
        AND (lease_until IS NULL OR lease_until <= ? OR lease_until > ?)`,
    [lease, claimId, name, new Date(now), tooFar, new Date(now), lease],
  );
  if (claimed === 0) return null;
  const rows = await readRows<{ position: string }>(
    target,
    'SELECT position FROM sweep_steps WHERE name = ? AND claim_id = ?',
    [name, claimId],
  );
  return rows[0]?.position ?? null;
}
