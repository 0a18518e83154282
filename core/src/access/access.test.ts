import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { Domain } from '../models/domain.ts';
import { UserPermission } from '../models/user-permission.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { loadActor, scopeOf } from './load-actor.ts';
import { effectivePermissions, holdsPermission, requirePermission } from './effective-permissions.ts';
import { builtInPermissions } from './built-in-roles.ts';
import { inScope } from './scope.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

/** The context of a request by this person. */
async function contextOf(userId: string): Promise<Ctx> {
  const loaded = await loadActor(systemContext(app), userId, 'session');
  if (!loaded) throw new Error('no such person');
  return { ...systemContext(app), actor: loaded.actor, scope: scopeOf(loaded.actor) };
}

describe('tenant scope', () => {
  it("keeps a query to the person's own company, and lets the provider's people see every one", async () => {
    const [own, foreign] = [await buildMailbox(app), await buildCompany(app)];
    const find = async (userId: string, { domain }: { domain: Domain }) =>
      await Domain.findOne({ where: { id: domain.id, ...(inScope(await contextOf(userId), Domain) as object) } });
    expect(await find(String(own.user.id), own)).toMatchObject({ domainName: own.domain.domainName });
    expect(await find(String(own.user.id), foreign)).toBeNull();
    const provider = await buildCompany(app, { isProvider: true });
    const staff = await buildMailbox(app, { tenant: provider, roleNumber: 0 });
    expect(await find(String(staff.user.id), foreign)).toMatchObject({ domainName: foreign.domain.domainName });
  });
});

describe('permissions', () => {
  it('give the built-in roles what they are for', () => {
    const admin = builtInPermissions(1, false);
    const user = builtInPermissions(2, false);
    expect(holdsPermission(admin, 'user', 'create')).toBe(true);
    expect(holdsPermission(admin, 'clients', 'view')).toBe(false);
    expect(holdsPermission(admin, 'company', 'edit')).toBe(true);
    expect(holdsPermission(admin, 'company', 'delete')).toBe(false);
    expect(holdsPermission(admin, 'home', 'create')).toBe(false);
    expect(holdsPermission(builtInPermissions(0, true), 'home', 'create')).toBe(true);
    expect(holdsPermission(user, 'inbox', 'view')).toBe(true);
    expect(holdsPermission(user, 'user', 'view')).toBe(false);
  });

  it("let a person's own row win over the role's", async () => {
    const { user, company } = await buildMailbox(app);
    const ids = { companyId: String(company.id), userId: String(user.id) };
    await UserPermission.create({ ...ids, model: 'sent', canView: true, canCreate: false });
    const permissions = await effectivePermissions(systemContext(app), user);
    expect(holdsPermission(permissions, 'sent', 'view')).toBe(true);
    expect(holdsPermission(permissions, 'sent', 'create')).toBe(false);
    expect(holdsPermission(permissions, 'inbox', 'view')).toBe(true);
    const ctx = await contextOf(String(user.id));
    expect(() => requirePermission(ctx, 'sent', 'create')).toThrow(
      expect.objectContaining({ status: 403, code: 'forbidden' }),
    );
  });

  it('end with the person, their role, or their company', async () => {
    const { user, company, role } = await buildMailbox(app);
    const load = () => loadActor(systemContext(app), String(user.id), 'session');
    expect(await load()).not.toBeNull();
    await company.update({ activeStatus: false });
    expect(await load()).toBeNull();
    await company.update({ activeStatus: true });
    await role.update({ activeStatus: false });
    expect(await load()).toBeNull();
    await role.update({ activeStatus: true });
    expect(await load()).not.toBeNull();
    await user.update({ deletedAt: new Date() });
    expect(await load()).toBeNull();
  });
});
