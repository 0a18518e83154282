import type { Ctx } from '../context/context.ts';
import type { MailboxUse } from '../contracts/plan.ts';
import { recentBytesOfCompanies } from './company-use.ts';
import { bytesOfPeople, limitsOfPeople } from './storage-use.ts';

/** How full a mailbox is, for its owner. */
export async function readMailboxUse(ctx: Ctx, userId: string): Promise<MailboxUse> {
  const [used, limits] = [await bytesOfPeople(ctx, [userId]), await limitsOfPeople(ctx, [userId])];
  const own = { used: used.get(userId) ?? 0, limit: limits.get(userId)?.mailbox ?? null };
  if (own.limit !== null && own.used >= own.limit) return { ...own, full: 'mailbox' };
  const { companyId, company } = limits.get(userId) ?? { companyId: '', company: null };
  if (company === null) return { ...own, full: null };
  const ofCompany = (await recentBytesOfCompanies(ctx, new Map([[companyId, company - 1]]))).get(companyId) ?? 0;
  return { ...own, full: ofCompany >= company ? 'company' : null };
}
