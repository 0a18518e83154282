import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { Ctx } from '@selvage/core/context/context';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import type { MatrixRow, PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import { isProviderOnly, type PermissionAction, permissionActions } from '@selvage/core/contracts/permissions';
import { Module } from '@selvage/core/models/module';
import type { SignedIn } from '../http/request-context.ts';
import { loadSubject, lockOf, type Named, type Subject } from './matrix-subject.ts';

/**
 * The whole matrix of a role or of a person: a row for each module (D5).
 * @throws 404 when it is not in the caller's scope
 */
export async function readMatrix(ctx: SignedIn, named: Named): Promise<PermissionMatrix> {
  const [subject, models] = await Promise.all([loadSubject(ctx, named), modelsInOrder(ctx)]);
  return presentMatrix(ctx, subject, models);
}

/** The names of all modules: the built-in ones first, as they were seeded, then the added ones. */
export async function modelsInOrder(ctx: Ctx): Promise<string[]> {
  const modules = await Module.findAll({
    attributes: ['name'],
    order: [
      ['isBuiltIn', 'DESC'],
      ['id', 'ASC'],
    ],
    transaction: ctx.tx,
  });
  return modules.map(({ name }) => name);
}

/** A matrix as the calls answer it. */
export function presentMatrix(ctx: SignedIn, subject: Subject, models: string[]): PermissionMatrix {
  const { kind, user, role, company } = subject;
  const lock = lockOf(ctx, subject);
  const held = new Map(subject.held.map((entry) => [entry.model, entry]));
  const rows = models.map((model): MatrixRow => {
    const mayChange = (action: PermissionAction): boolean => lock === null && mayGrant(ctx, subject, model, action);
    return {
      ...(held.get(model) ?? noFlags(model)),
      source: subject.own.has(model) ? 'own' : 'role',
      grantable: flags(mayChange),
    };
  });
  return {
    subject: {
      kind,
      _id: String((user ?? role).id),
      name: user ? nameOrAddress(user) : role.roleName,
      company_id: { _id: String(company.id), name: company.name },
      role: { _id: String(role.id), role_id: role.roleId, role_name: role.roleName },
    },
    lock,
    permissions: rows,
  };
}

/**
 * Whether the caller may switch a flag on in a company: the caller must hold it, and flags that
 * only the provider may have can't be given to a tenant.
 */
export function mayGrant(
  { actor }: SignedIn,
  { company }: Pick<Subject, 'company'>,
  model: string,
  action: PermissionAction,
): boolean {
  return holdsPermission(actor.permissions, model, action) && (company.isProvider || !isProviderOnly(model, action));
}

/** An entry without any flag. */
export function noFlags(model: string): PermissionEntry {
  return { model, ...flags(() => false) };
}

function flags(valueOf: (action: PermissionAction) => boolean): Record<PermissionAction, boolean> {
  return Object.fromEntries(permissionActions.map((action) => [action, valueOf(action)])) as Record<
    PermissionAction,
    boolean
  >;
}
