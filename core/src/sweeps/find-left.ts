import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** Tables whose records are marked when they are deleted, and the column that says since when. */
const marks = { folders: 'removed_at', labels: 'removed_at', companies: 'erased_at', users: 'erased_at' } as const;

/** The ids of records whose deletion began before a moment, the oldest first. */
export async function findLeft(
  ctx: Ctx,
  table: keyof typeof marks,
  { before, most }: { before: number; most: number },
): Promise<string[]> {
  const mark = marks[table];
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM ${table} WHERE ${mark} < ? ORDER BY ${mark} LIMIT ${most}`,
    [new Date(before)],
  );
  return rows.map(({ id }) => String(id));
}
