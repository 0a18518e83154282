import { isOutranked } from '@selvage/core/access/grant';
import { permissionsOfRoles } from '@selvage/core/access/effective-permissions';
import { inScope, readInScope } from '@selvage/core/access/scope';
import type { InferAnswer, InferQuery } from '@selvage/core/contracts/endpoint';
import {
  type listUserNames,
  type listUsers,
  maxUserNames,
  type UserChoices,
  type UserDetailDto,
  type UserDto,
} from '@selvage/core/contracts/users';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { readSeats } from '@selvage/core/directory/plan-limits';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { ofKeptCompany, whereState } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentUser, presentUsers } from './present-users.ts';

/** One page of the people in the caller's scope, in seven queries. */
export async function findUsers(ctx: SignedIn, query: InferQuery<typeof listUsers>): Promise<Page<UserDto[]>> {
  const { rows, total } = await findPage(ctx, User, {
    query,
    sortColumns: { fname: 'fname', email: 'email', createdAt: 'createdAt' },
    searchColumns: ['fname', 'lname', 'email'],
    hasSearchText: true,
    where: {
      [Op.and]: [
        whereState(User, query),
        ofKeptCompany,
        query.company_id ? { companyId: query.company_id } : {},
        query.role_id ? { roleId: query.role_id } : {},
      ],
    },
  });
  return { rows: await presentUsers(ctx, rows), total };
}

/** The names and addresses of the first `maxUserNames` people of the caller's scope. */
export async function findUserNames(ctx: SignedIn): Promise<InferAnswer<typeof listUserNames>> {
  const people = await User.findAll({
    where: { [Op.and]: [inScope(ctx, User), ofKeptCompany, { deletedAt: null, erasedAt: null }] },
    attributes: ['id', 'fname', 'lname', 'email'],
    order: [
      ['fname', 'ASC'],
      ['lname', 'ASC'],
      ['id', 'ASC'],
    ],
    limit: maxUserNames,
  });
  return people.map(({ id, fname, lname, email }) => ({ _id: String(id), fname, lname, email }));
}

/** @throws 404 */
export async function findUser(ctx: SignedIn, id: string): Promise<UserDetailDto> {
  return await presentUser(ctx, await readInScope(ctx, User, id));
}

/**
 * The roles and domains that the caller may choose for a person of a company.
 * @throws 404 for a company outside the caller's scope
 */
export async function findChoices(ctx: SignedIn, companyId = ctx.actor.companyId): Promise<UserChoices> {
  const company = await readInScope(ctx, Company, companyId);
  const where = { companyId: String(company.id), deletedAt: null };
  const [roles, domains] = await Promise.all([
    Role.findAll({ where, order: [['roleId', 'ASC']] }),
    Domain.findAll({ where: { ...where, ...canHaveAddresses }, order: [['domainName', 'ASC']] }),
  ]);
  const flags = await permissionsOfRoles(
    ctx,
    roles.map(({ id }) => String(id)),
  );
  const seats = await readSeats(ctx, company);
  return {
    seats,
    company: { _id: String(company.id), name: company.name },
    roles: roles.map(({ id, roleId, roleName, activeStatus }) => ({
      _id: String(id),
      role_id: roleId,
      role_name: roleName,
      assignable: activeStatus && !isOutranked(ctx.actor, flags.get(String(id)) ?? [], roleId),
    })),
    domains: domains.map(({ id, domainName, activeStatus }) => ({
      _id: String(id),
      domain_name: domainName,
      active_status: activeStatus,
    })),
  };
}
