import { randomBytes } from 'node:crypto';
import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole, type ModelName, type PermissionAction } from '@selvage/core/contracts/permissions';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../../tests/support/factories.ts';
import type { Answer, TestServer } from './test-server.ts';

/** An administrator of a company, logged in. */
export interface Administrator extends Mailbox {
  token: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Logs a person in and lets them make calls. */
export async function signInAs(server: TestServer, mailbox: Mailbox): Promise<Administrator> {
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  return {
    ...mailbox,
    token,
    call: (method, path, body) => server.call(method, path, { token, ...(body === undefined ? {} : { body }) }),
  };
}

/** The administrator of a new company. */
export async function buildAdministrator(
  server: TestServer,
  overrides: Parameters<typeof buildMailbox>[1] = {},
): Promise<Administrator> {
  return await signInAs(server, await buildMailbox(server.app, { roleNumber: builtInRole.admin, ...overrides }));
}

/** A Super Admin of a provider that only this test uses. */
export async function buildProvider(server: TestServer): Promise<Administrator> {
  const tenant = await buildCompany(server.app, { isProvider: true });
  return await buildAdministrator(server, { tenant, roleNumber: builtInRole.superAdmin });
}

/** A custom role of a company that has only these flags. */
export async function buildRole(
  { company }: Tenant,
  flags: [ModelName, ...PermissionAction[]][],
  overrides: Partial<{ roleId: number; activeStatus: boolean; deletedAt: Date }> = {},
): Promise<Role> {
  const companyId = String(company.id);
  const roleId = 1000 + randomBytes(3).readUIntBE(0, 3);
  const role = await Role.create({ companyId, roleId, roleName: `Role ${roleId}`, ...overrides });
  await RolePermission.bulkCreate(
    flags.map(([model, ...actions]) => ({
      companyId,
      roleId: String(role.id),
      model,
      canView: actions.includes('view'),
      canCreate: actions.includes('create'),
      canEdit: actions.includes('edit'),
      canDelete: actions.includes('delete'),
    })),
  );
  return role;
}

/** Another domain of a company. */
export async function buildDomain({ company }: Tenant, values: { deletedAt?: Date } = {}): Promise<Domain> {
  const domainName = `${randomBytes(5).toString('hex')}.test`;
  return await Domain.create({ companyId: String(company.id), domainName, verifiedAt: new Date(), ...values });
}

export async function deleteCompany({ company }: Tenant): Promise<void> {
  await Company.update({ deletedAt: new Date() }, { where: { id: company.id } });
}

/** The body of the form for a new person of a tenant. */
export function newPerson(
  { company, domain, roles }: Tenant,
  overrides: Record<string, unknown> & { local?: string } = {},
) {
  const { local = `n${randomBytes(4).toString('hex')}`, ...others } = overrides;
  return {
    fname: 'Neha',
    lname: 'Rao',
    companyId: String(company.id),
    role_id: String(roles.get(builtInRole.user)?.id),
    domain_id: String(domain.id),
    email: `${local}@${domain.domainName}`,
    phone_number: '9876543210',
    recovery_email: '',
    password: encodePassword('a first pass phrase'),
    ...others,
  };
}
