import type { Role } from '@selvage/core/models/role';
import type { SignedIn } from '../http/request-context.ts';

/** Says whether a role is the one that the caller has. */
export function isOwnRole({ actor }: SignedIn, role: Pick<Role, 'companyId' | 'roleId'>): boolean {
  return String(role.companyId) === actor.companyId && role.roleId === actor.roleNumber;
}
