import { dayMs } from '../utc-day.ts';
import type { Role } from '../models/role.ts';
import type { User } from '../models/user.ts';

/**
 * Until when a person may go on without a second factor, although their role asks for one. The days
 * of grace begin with the rule, or with the account where that is younger. Null for a person who
 * has a second factor, or needs none.
 */
export function twoFactorDue(
  user: Pick<User, 'twoFactorStatus' | 'createdAt'>,
  role: Pick<Role, 'twoFactorSince' | 'twoFactorGraceDays'>,
): Date | null {
  if (user.twoFactorStatus || !role.twoFactorSince) return null;
  const begin = Math.max(role.twoFactorSince.getTime(), user.createdAt.getTime());
  return new Date(begin + role.twoFactorGraceDays * dayMs);
}

/** Says whether a person has to set up a second factor before anything else. */
export function isTwoFactorOverdue(...about: Parameters<typeof twoFactorDue>): boolean {
  const due = twoFactorDue(...about);
  return due !== null && due.getTime() <= Date.now();
}
