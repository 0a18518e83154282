import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { leftAloneMs } from '../mailstore/left-removals.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { eraseCompanyRows, eraseUserRows } from './erase-rows.ts';

const atOnce = 20;

/**
 * Goes on with permanent deletions of companies and people whose job was lost or has failed for
 * good. A run that is still at work shares the rest, page by page.
 * @returns how many were done
 */
export async function goOnWithErasures(ctx: Ctx, signal?: AbortSignal, now = Date.now()): Promise<number> {
  const companies = await erasedBefore(ctx, 'companies', now - leftAloneMs);
  const erased = await workThrough(companies, (id) => eraseCompanyRows(ctx, id, signal), {
    failure: 'a company could not be erased',
    signal,
  });
  const people = await erasedBefore(ctx, 'users', now - leftAloneMs);
  const gone = await workThrough(people, (id) => eraseUserRows(ctx, id, signal), {
    failure: 'a person could not be erased',
    signal,
  });
  return erased + gone;
}

async function erasedBefore(ctx: Ctx, table: 'companies' | 'users', moment: number): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM ${table} WHERE erased_at < ? ORDER BY erased_at LIMIT ${atOnce}`,
    [new Date(moment)],
  );
  return rows.map(({ id }) => String(id));
}
