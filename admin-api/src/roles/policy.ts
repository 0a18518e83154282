import type { Role } from '@selvage/core/models/role';
import type { SignedIn } from '../http/request-context.ts';

/** Whether a role is the caller's own. */
export function isOwnRole({ actor }: SignedIn, role: Pick<Role, 'companyId' | 'roleId'>): boolean {
  return String(role.companyId) === actor.companyId && role.roleId === actor.roleNumber;
}
