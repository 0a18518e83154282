import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { ModelName, PermissionAction } from '@selvage/core/contracts/permissions';

/** A flag of the permission matrix. */
export interface Requirement {
  model: ModelName;
  action: PermissionAction;
}

type Person = Pick<CurrentUserDto, 'permissions'> | undefined;

/**
 * Whether the person may make a call, as its contract says, or holds a flag of the matrix. It only
 * decides what is shown. The server decides what is done. Rights that depend on a record come with
 * the record, as `abilities`.
 */
export function can(person: Person, what: Pick<Endpoint, 'needs'> | Requirement): boolean {
  const needs = 'needs' in what ? what.needs : what;
  if (typeof needs === 'string') return true;
  const { or, ...flag }: Requirement & { or?: Requirement } = needs;
  const holds = ({ model, action }: Requirement) =>
    person?.permissions.some((entry) => entry.model === model && entry[action]) ?? false;
  return holds(flag) || (or !== undefined && holds(or));
}

/** Whether the person works for the provider, who sees the companies of the host. */
export function isOfProvider(person: Pick<CurrentUserDto, 'company_id'> | undefined): boolean {
  return person?.company_id.is_provider === true;
}

/**
 * Whether the person may open a page. A page for the host alone is closed to the people of tenants.
 */
export function mayOpen(
  person: Pick<CurrentUserDto, 'permissions' | 'company_id'> | undefined,
  { needs, isHostOnly = false }: { needs?: Requirement | undefined; isHostOnly?: boolean | undefined },
): boolean {
  if (isHostOnly && !isOfProvider(person)) return false;
  return !needs || can(person, needs);
}
