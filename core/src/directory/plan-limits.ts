import type { Ctx, TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { PlanUse } from '../contracts/plan.ts';
import { bytesOfCompanies } from '../mailstore/storage-use.ts';
import type { Company } from '../models/company.ts';
import { conflict } from '../errors.ts';

/** The limits of a company's plan; null means no limit. The columns of `Company` say more. */
export type PlanLimits = Pick<Company, 'maxUsers' | 'maxDomains' | 'storageLimit' | 'mailboxLimit'>;

type PlanRow = Pick<Company, 'maxUsers' | 'maxDomains'>;

/**
 * Refuses to add people for whom the plan of a company has no seat. With a limit, the company's row
 * stays locked until the transaction ends. So of two calls that want the last seat at once, the
 * second is refused. A caller that locks the row first must lock it FOR UPDATE when there is a
 * limit.
 * @param count how many people are to be added
 * @throws AppError 409 `users_limit_reached`
 */
export async function requireSeat(ctx: TxCtx, companyId: string, count = 1): Promise<void> {
  // Without a limit no lock is needed. It would hold up everything that is added to the company
  if ((await readPlan(ctx, companyId))?.maxUsers == null) return;
  const limit = (await lockPlan(ctx, companyId))?.maxUsers ?? null;
  if (limit !== null) await refuseOverLimit(ctx, companyId, { limit, count });
}

/**
 * Refuses people for whom the plan of a company has no seat, for a trial run: it locks no row.
 * @throws AppError 409 `users_limit_reached`
 */
export async function checkSeats(ctx: Ctx, companyId: string, count: number): Promise<void> {
  const limit = (await readPlan(ctx, companyId))?.maxUsers ?? null;
  if (limit !== null) await refuseOverLimit(ctx, companyId, { limit, count });
}

async function refuseOverLimit(
  ctx: Ctx,
  companyId: string,
  { limit, count }: { limit: number; count: number },
): Promise<void> {
  const used = await countUsers(ctx, companyId);
  if (used + count <= limit) return;
  throw conflict(`${sayUse(used, limit, 'users')} The provider can raise the limit.`, 'users_limit_reached');
}

/**
 * Refuses domains for which the plan of a company has no room, as `requireSeat` refuses people.
 * @param count how many domains are to be added
 * @throws AppError 409 `domains_limit_reached`
 */
export async function requireDomainRoom(ctx: TxCtx, companyId: string, count = 1): Promise<void> {
  const limit = (await lockPlan(ctx, companyId))?.maxDomains ?? null;
  if (limit === null) return;
  const used = await countDomains(ctx, companyId);
  if (used + count <= limit) return;
  throw conflict(`${sayUse(used, limit, 'domains')} The provider can raise the limit.`, 'domains_limit_reached');
}

/** People of a company that are not deleted, counted from an index alone. */
async function countUsers(ctx: Ctx, companyId: string): Promise<number> {
  const [row] = await readRows<{ count: number }>(
    ctx,
    'SELECT COUNT(*) AS count FROM users FORCE INDEX (users_company_created) WHERE company_id = ? AND deleted_at IS NULL',
    [companyId],
  );
  return Number(row?.count ?? 0);
}

/** Domains of a company that are not deleted. */
async function countDomains(ctx: Ctx, companyId: string): Promise<number> {
  const [row] = await readRows<{ count: number }>(
    ctx,
    'SELECT COUNT(*) AS count FROM domains WHERE company_id = ? AND deleted_at IS NULL',
    [companyId],
  );
  return Number(row?.count ?? 0);
}

/** How many people a company has, and how many it may have. */
export async function readSeats(ctx: Ctx, { id, maxUsers }: Company): Promise<PlanUse['users']> {
  return { used: await countUsers(ctx, String(id)), limit: maxUsers ?? null };
}

/** How much of its plan a company uses. */
export async function readPlanUse(ctx: Ctx, company: Company): Promise<PlanUse> {
  const id = String(company.id);
  const { maxDomains, storageLimit } = company;
  const bytes = await bytesOfCompanies(ctx, [id]);
  return {
    users: await readSeats(ctx, company),
    domains: { used: await countDomains(ctx, id), limit: maxDomains ?? null },
    storage: { used: bytes.get(id) ?? 0, limit: storageLimit ? Number(storageLimit) : null },
  };
}

const planOf = 'SELECT max_users AS maxUsers, max_domains AS maxDomains FROM companies WHERE id = ?';

async function readPlan(ctx: Ctx, companyId: string): Promise<PlanRow | undefined> {
  return (await readRows<PlanRow>(ctx, planOf, [companyId]))[0];
}

async function lockPlan(ctx: TxCtx, companyId: string): Promise<PlanRow | undefined> {
  return (await readRows<PlanRow>(ctx, `${planOf} FOR UPDATE`, [companyId]))[0];
}

function sayUse(used: number, limit: number, what: string): string {
  return `The company has ${used} of the ${limit} ${what} of its plan.`;
}
