import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** Tables whose records are marked when they are deleted, and the column that says since when. */
const marks = { folders: 'removed_at', labels: 'removed_at', companies: 'erased_at', users: 'erased_at' } as const;

/** No clock of another process is so far ahead. */
const marginMs = 3_600_000;

/**
 * The ids of records whose deletion began before a moment, the oldest first, and of those that a
 * wrong clock has marked with a time in the future.
 */
export async function findLeft(
  ctx: Ctx,
  table: keyof typeof marks,
  { before, most }: { before: number; most: number },
): Promise<string[]> {
  const mark = marks[table];
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM ${table} WHERE ${mark} < ? OR ${mark} > ? ORDER BY ${mark} LIMIT ${most}`,
    [new Date(before), new Date(before + marginMs)],
  );
  return rows.map(({ id }) => String(id));
}
