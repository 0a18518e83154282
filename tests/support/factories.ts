import { randomBytes } from 'node:crypto';
import type { CreationAttributes } from 'sequelize';
import { createBuiltInRoles } from '@selvage/core/access/built-in-roles';
import type { PermissionEntry } from '@selvage/core/contracts/auth';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Address } from '@selvage/core/models/address';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { Group } from '@selvage/core/models/group';
import { GroupMember } from '@selvage/core/models/group-member';
import { columnsOf } from '@selvage/core/access/effective-permissions';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { hashPassword } from '@selvage/core/secrets/password-hash';

export interface Tenant {
  company: Company;
  domain: Domain;
  roles: Map<number, Role>;
}

export interface Mailbox extends Tenant {
  user: User;
  role: Role;
  /** The password in clear text, for logging in. */
  password: string;
}

/** A new company with its built-in roles and a domain of its own. */
export async function buildCompany(
  app: App,
  overrides: Partial<{ name: string; isProvider: boolean }> = {},
): Promise<Tenant> {
  const unique = randomBytes(5).toString('hex');
  return await inTransaction(systemContext(app), async (ctx) => {
    const options = { transaction: ctx.tx };
    const company = await Company.create(
      { name: `Company ${unique}`, email: `office@${unique}.test`, ...overrides },
      options,
    );
    const domain = await Domain.create(
      { companyId: String(company.id), domainName: `${unique}.test`, verifiedAt: new Date() },
      options,
    );
    return { company, domain, roles: await createBuiltInRoles(ctx, company) };
  });
}

// One hash for all people: argon2id is deliberately slow, and these tests do not test it
const password = 'a long pass phrase';
let hashed: Promise<string> | undefined;

/** A person with a mailbox, in a new company unless one is given. */
export async function buildMailbox(
  app: App,
  overrides: { tenant?: Tenant; local?: string; roleNumber?: number; user?: Partial<CreationAttributes<User>> } = {},
): Promise<Mailbox> {
  const tenant = overrides.tenant ?? (await buildCompany(app));
  const role = tenant.roles.get(overrides.roleNumber ?? builtInRole.user);
  if (!role) throw new Error('no such built-in role');
  hashed ??= hashPassword(password);
  const local = overrides.local ?? `p${randomBytes(4).toString('hex')}`;
  const attributes = {
    companyId: String(tenant.company.id),
    roleId: String(role.id),
    domainId: String(tenant.domain.id),
    email: `${local}@${tenant.domain.domainName}`,
    passwordHash: await hashed,
    fname: 'Ana',
    lname: 'Test',
    ...overrides.user,
  } as CreationAttributes<User>;
  const user = await User.create(attributes);
  return { ...tenant, user, role, password };
}

/** A custom role of a company with the given flags. */
export async function buildRole(
  { company }: Tenant,
  overrides: {
    name?: string;
    number?: number;
    permissions?: (Pick<PermissionEntry, 'model'> & Partial<PermissionEntry>)[];
  } = {},
): Promise<Role> {
  const companyId = String(company.id);
  const { name = `Role ${randomBytes(4).toString('hex')}`, permissions = [] } = overrides;
  const number = overrides.number ?? 3 + (await Role.count({ where: { companyId } }));
  const role = await Role.create({ companyId, roleId: number, roleName: name });
  const none = { view: false, create: false, edit: false, delete: false };
  await RolePermission.bulkCreate(
    permissions.map((entry) => ({ companyId, roleId: String(role.id), ...columnsOf({ ...none, ...entry }) })),
  );
  return role;
}

/** An alias of a person. */
export async function buildAlias({ company, domain, user }: Mailbox, local = someName()): Promise<Address> {
  const where = { companyId: String(company.id), domainId: String(domain.id) };
  const address = `${local}@${domain.domainName}`;
  return await Address.create({ ...where, address, kind: 'alias', userId: String(user.id) });
}

/** What a person has who forwards their mail to an address whose owner has agreed. */
export async function forwardingTo(
  address: string,
): Promise<Pick<User, 'forwardTo' | 'forwardAddressId' | 'forwardConfirmedAt'>> {
  const row = await Address.findOne({ where: { address } });
  return { forwardTo: address, forwardAddressId: row && String(row.id), forwardConfirmedAt: new Date() };
}

/** A group of a company with these members. */
export async function buildGroup(
  { company, domain }: Tenant,
  overrides: { local?: string; members?: readonly Mailbox[]; activeStatus?: boolean } = {},
): Promise<Group> {
  const { local = someName(), members = [], activeStatus = true } = overrides;
  const companyId = String(company.id);
  const address = `${local}@${domain.domainName}`;
  const group = await Group.create({ companyId, name: `Group ${local}`, address, activeStatus });
  const groupId = String(group.id);
  await Address.create({ companyId, domainId: String(domain.id), address, kind: 'group', groupId });
  await GroupMember.bulkCreate(members.map(({ user }) => ({ companyId, groupId, userId: String(user.id) })));
  return group;
}

const someName = () => `a${randomBytes(4).toString('hex')}`;
