import type { Ctx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { bytesOfCompanies } from './storage-use.ts';

/** Companies that one step counts. */
const companiesOfStep = 20;
/** The column has room for 4,294,967,295. */
const mostFill = 4_000_000_000;

/**
 * Counts what the next companies past `after` have stored, each by a statement of its own, and
 * stores the sums.
 * @returns the last one; null when there is none after it
 */
export async function countCompanies(ctx: Ctx, after: string, signal?: AbortSignal): Promise<string | null> {
  const companies = await readRows<{ id: string; storageLimit: string | null }>(
    ctx,
    `SELECT id, storage_limit AS storageLimit FROM companies WHERE id > ? ORDER BY id LIMIT ${companiesOfStep}`,
    [after],
  );
  const limits = new Map(companies.map(({ id, storageLimit }) => [String(id), storageLimit]));
  const count = async (id: string): Promise<boolean> => {
    await recordUse(ctx, id, limits.get(id) ?? null);
    return true;
  };
  await workThrough([...limits.keys()], count, { failure: 'what a company stores could not be counted', signal });
  return companies.length < companiesOfStep ? null : String(companies.at(-1)?.id);
}

async function recordUse(ctx: Ctx, id: string, storageLimit: string | null): Promise<void> {
  const bytes = (await bytesOfCompanies(ctx, [id])).get(id) ?? 0;
  const fill = storageLimit === null ? 0 : Math.min(mostFill, Math.round((1000 * bytes) / Number(storageLimit)));
  await changeRows(
    ctx,
    // The company may have been deleted for good meanwhile
    `INSERT INTO company_use (company_id, bytes, fill, counted_at)
     SELECT id, ?, ?, ? FROM companies WHERE id = ?
     ON DUPLICATE KEY UPDATE bytes = VALUES(bytes), fill = VALUES(fill), counted_at = VALUES(counted_at)`,
    [bytes, fill, new Date(), id],
  );
}
