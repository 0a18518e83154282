import type { Ctx } from '../context/context.ts';
import { leftAloneMs } from '../mailstore/unfinished-removals.ts';
import { findLeft } from '../sweeps/find-left.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { eraseCompanyRows, eraseUserRows } from './erase-rows.ts';

const atOnce = 20;

/**
 * Continues permanent deletions of companies and people whose job was lost or has failed for good.
 * If such a job still runs, the two share the remaining pages.
 * @returns how many were done
 */
export async function resumeErasures(ctx: Ctx, signal?: AbortSignal, now = Date.now()): Promise<number> {
  const left = { before: now - leftAloneMs, most: atOnce };
  const companies = await findLeft(ctx, 'companies', left);
  const erased = await workThrough(companies, (id) => eraseCompanyRows(ctx, id, signal), {
    failure: 'a company could not be erased',
    signal,
  });
  const people = await findLeft(ctx, 'users', left);
  const gone = await workThrough(people, (id) => eraseUserRows(ctx, id, signal), {
    failure: 'a person could not be erased',
    signal,
  });
  return erased + gone;
}
