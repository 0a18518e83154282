import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';

/** Folders, or labels, that one step of a check works on. */
const rowsOfStep = 100;

/** A step over the rows of a table by their ids. */
export interface RowStep {
  /** The rows of the step begin after this id. */
  after: string;
  /** The text that is logged for a row for which `work` fails, such as by taking too long. */
  failure: string;
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` on the next hundred folders or labels, one by one. If it fails for one, the others
 * still get their turn.
 * @returns the last of them, null when there is none after it; and those that failed
 */
export async function workOnStep(
  ctx: Ctx,
  table: 'folders' | 'labels',
  { after, failure, signal }: RowStep,
  work: (id: string) => Promise<void>,
): Promise<{ last: string | null; looked: number; failed: string[] }> {
  const statement = `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${rowsOfStep}`;
  const ids = (await readRows<{ id: string }>(ctx, statement, [after])).map(({ id }) => String(id));
  const failed: string[] = [];
  for (const id of ids) {
    signal?.throwIfAborted();
    try {
      await work(id);
    } catch (error) {
      signal?.throwIfAborted();
      log.warn(failure, { table, id, error });
      failed.push(id);
    }
  }
  return { last: ids.length < rowsOfStep ? null : (ids.at(-1) ?? null), looked: ids.length, failed };
}
