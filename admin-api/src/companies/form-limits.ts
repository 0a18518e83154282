import { requireHost } from '@selvage/core/access/effective-permissions';
import type { PlanLimitsDto } from '@selvage/core/contracts/plan';
import type { PlanLimits } from '@selvage/core/directory/plan-limits';
import type { Company } from '@selvage/core/models/company';
import type { SignedIn } from '../http/request-context.ts';

/** The limits in a form, by the attribute of the company that each fills. */
export const limitFields = {
  maxUsers: 'max_users',
  maxDomains: 'max_domains',
  storageLimit: 'storage_limit',
  mailboxLimit: 'mailbox_limit',
} as const;

/** The limits that a form sends. Bigint columns are strings in JavaScript, as ids are. */
export function limitsOf(body: Partial<PlanLimitsDto>): Partial<PlanLimits> {
  const { max_users: maxUsers, max_domains: maxDomains, storage_limit: storage, mailbox_limit: mailbox } = body;
  const bytes = (value: number | null) => (value === null ? null : String(value));
  return {
    ...(maxUsers !== undefined && { maxUsers }),
    ...(maxDomains !== undefined && { maxDomains }),
    ...(storage !== undefined && { storageLimit: bytes(storage) }),
    ...(mailbox !== undefined && { mailboxLimit: bytes(mailbox) }),
  };
}

/**
 * Refuses people of tenants who would change a limit. Forms also send the present ones.
 * @throws 403
 */
export function refuseNewLimits(ctx: SignedIn, company: Company, given: Partial<PlanLimits>): void {
  const names = Object.keys(given) as (keyof PlanLimits)[];
  if (names.some((name) => given[name] !== (company[name] ?? null))) requireHost(ctx);
}

/** The limits of a company as answers show them. */
export function presentLimits({ maxUsers, maxDomains, storageLimit, mailboxLimit }: Company): PlanLimitsDto {
  const bytes = (text: string | null | undefined) => (text ? Number(text) : null);
  return {
    max_users: maxUsers ?? null,
    max_domains: maxDomains ?? null,
    storage_limit: bytes(storageLimit),
    mailbox_limit: bytes(mailboxLimit),
  };
}
