import { readInScope } from '@selvage/core/access/scope';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import type { listRoles, RoleDto } from '@selvage/core/contracts/roles';
import { notFound } from '@selvage/core/errors';
import { Role } from '@selvage/core/models/role';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { ofKeptCompany, whereState, withCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentRoles } from './presenter.ts';

/** One page of the roles in the caller's scope. Roles of deleted companies are left out. */
export async function findRoles(ctx: SignedIn, query: InferQuery<typeof listRoles>): Promise<Page<RoleDto[]>> {
  const { rows, total } = await findPage(ctx, Role, {
    query,
    sortColumns: { role_name: 'roleName', role_id: 'roleId', createdAt: 'createdAt' },
    searchColumns: ['roleName'],
    where: {
      [Op.and]: [whereState(Role, query), ofKeptCompany, query.company_id ? { companyId: query.company_id } : {}],
    },
    include: [withCompany],
  });
  return { rows: rows.length > 0 ? await presentRoles(ctx, rows) : [], total };
}

/** @throws 404 for another company's */
export async function readRole(ctx: SignedIn, id: string): Promise<RoleDto> {
  const role = await readInScope(ctx, Role, id, { include: [withCompany] });
  const [presented] = await presentRoles(ctx, [role]);
  if (!presented) throw notFound('role');
  return presented;
}
