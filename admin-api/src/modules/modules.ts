import { writeUniqueName } from '../http/write-unique-name.ts';
import { recordAudit } from '@selvage/core/access/audit';
import { holdsPermission, requireHost } from '@selvage/core/access/effective-permissions';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import type { listModules, ModuleDto } from '@selvage/core/contracts/modules';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { conflict, notFound } from '@selvage/core/errors';
import { Company } from '@selvage/core/models/company';
import { Module } from '@selvage/core/models/module';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { UserPermission } from '@selvage/core/models/user-permission';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

const nameTaken = {
  text: 'A module with this name already exists',
  code: 'module_name_taken',
  field: 'name',
};

/** One page of the modules. */
export async function findModules(ctx: SignedIn, query: InferQuery<typeof listModules>): Promise<Page<ModuleDto[]>> {
  requireHost(ctx);
  const { rows, total } = await findPage(ctx, Module, {
    query,
    sortColumns: { name: 'name', updatedAt: 'updatedAt' },
    searchColumns: ['name'],
  });
  return { rows: rows.map((row) => presentModule(ctx, row)), total };
}

/**
 * Adds a module. The provider's Super Admin gets all of its flags, as for every module, and can
 * then grant them to others. No other role has any (D3, D5).
 * @throws 403 in a tenant, 409 when the name is taken
 */
export async function addModule(ctx: SignedIn, name: string): Promise<ModuleDto> {
  requireHost(ctx);
  return await inTransaction(ctx, async (tx) => {
    const made = await writeUniqueName(nameTaken, () => Module.create({ name }, { transaction: tx.tx }));
    await grantToSuperAdmin(tx, name);
    await audit(tx, 'module:created', made, { name });
    return presentModule(ctx, made);
  });
}

async function grantToSuperAdmin(ctx: TxCtx, model: string): Promise<void> {
  const options = { transaction: ctx.tx };
  const provider = await Company.findOne({ where: { isProvider: true }, attributes: ['id'], ...options });
  const companyId = String(provider?.id);
  const role = await Role.findOne({ where: { companyId, roleId: builtInRole.superAdmin }, ...options });
  if (!role) throw new Error('the provider lacks its Super Admin role');
  const all = { canView: true, canCreate: true, canEdit: true, canDelete: true };
  await RolePermission.create({ companyId, roleId: String(role.id), model, ...all }, options);
}

/**
 * Renames an added module in all permissions.
 * @throws 403 in a tenant, 404, 409 for a built-in one and when the name is taken
 */
export async function renameModule(ctx: SignedIn, id: string, name: string): Promise<ModuleDto> {
  requireHost(ctx);
  return await inTransaction(ctx, async (tx) => {
    const found = await findAdded(tx, id);
    const before = found.name;
    if (before !== name) {
      await writeUniqueName(nameTaken, () => found.update({ name }, { transaction: tx.tx }));
      const rows = { where: { model: before }, transaction: tx.tx };
      await RolePermission.update({ model: name }, rows);
      await UserPermission.update({ model: name }, rows);
      await audit(tx, 'module:renamed', found, { before, after: name });
    }
    return presentModule(ctx, found);
  });
}

/** @throws 403 in a tenant, 404, 409 for a built-in one */
export async function removeModule(ctx: SignedIn, id: string): Promise<void> {
  requireHost(ctx);
  await inTransaction(ctx, async (tx) => {
    const found = await findAdded(tx, id);
    const rows = { where: { model: found.name }, transaction: tx.tx };
    await RolePermission.destroy(rows);
    await UserPermission.destroy(rows);
    await found.destroy({ transaction: tx.tx });
    await audit(tx, 'module:removed', found, { name: found.name });
  });
}

/**
 * Locks an added module. Modules belong to no company, so the callers of this function check the
 * rights by `requireHost`.
 */
async function findAdded(ctx: TxCtx, id: string): Promise<Module> {
  const found = await Module.findByPk(id, { transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  if (!found) throw notFound('module');
  if (found.isBuiltIn) throw conflict('This is a built-in module. It cannot be changed or deleted.', 'built_in_module');
  return found;
}

async function audit(
  ctx: Ctx,
  action: `module:${'created' | 'renamed' | 'removed'}`,
  found: Module,
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(ctx, { action, entity: 'module', entityId: String(found.id), details });
}

function presentModule({ actor }: SignedIn, found: Module): ModuleDto {
  const may = (action: 'edit' | 'delete') => !found.isBuiltIn && holdsPermission(actor.permissions, 'module', action);
  return {
    _id: String(found.id),
    name: found.name,
    is_built_in: Boolean(found.isBuiltIn),
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
    abilities: { edit: may('edit'), delete: may('delete') },
  };
}
