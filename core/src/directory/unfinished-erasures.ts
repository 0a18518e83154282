import type { Ctx } from '../context/context.ts';
import { leftAloneMs, passMs } from '../mailstore/unfinished-removals.ts';
import { findLeft } from '../sweeps/find-left.ts';
import { forAWhile } from '../sweeps/for-a-while.ts';
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
  // So one large mailbox does not hold up all else
  const run = { longestMs: passMs, signal };
  const eraseCompany = async (id: string) =>
    (await forAWhile(run, (limit) => eraseCompanyRows(ctx, id, limit))) === true;
  const erased = await workThrough(companies, eraseCompany, {
    failure: 'a company could not be erased',
    signal,
  });
  const people = await findLeft(ctx, 'users', left);
  const eraseUser = async (id: string) => (await forAWhile(run, (limit) => eraseUserRows(ctx, id, limit))) === true;
  const gone = await workThrough(people, eraseUser, {
    failure: 'a person could not be erased',
    signal,
  });
  return erased + gone;
}
