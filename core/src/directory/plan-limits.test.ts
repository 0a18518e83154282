import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, type Tenant } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Domain } from '../models/domain.ts';
import { User } from '../models/user.ts';
import { requireDomainRoom, requireSeat } from './plan-limits.ts';

async function setUp() {
  const app = await testApp();
  const tenant = await buildCompany(app);
  await buildMailbox(app, { tenant });
  return { app, ctx: systemContext(app), tenant, companyId: String(tenant.company.id) };
}

async function addPeople(ctx: Ctx, { company, domain, roles }: Tenant, count: number): Promise<void> {
  const ids = { companyId: String(company.id), domainId: String(domain.id), roleId: String(roles.get(2)?.id) };
  await inTransaction(ctx, async (tx) => {
    await requireSeat(tx, ids.companyId, count);
    for (let i = 0; i < count; i++) {
      const email = `${randomBytes(5).toString('hex')}@${domain.domainName}`;
      await User.create({ ...ids, email, passwordHash: 'x', fname: 'Ana' }, { transaction: tx.tx });
    }
  });
}

const outcomes = (results: readonly PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'added' : (result.reason as { code: string }).code));

describe('the seats of a plan', () => {
  it('are never passed by people who are added several at a time and at once', async () => {
    const { ctx, tenant, companyId } = await setUp();
    await tenant.company.update({ maxUsers: 6 });
    const results = await Promise.allSettled([2, 2, 2, 2].map((count) => addPeople(ctx, tenant, count)));
    expect(outcomes(results).toSorted()).toEqual(['added', 'added', 'users_limit_reached', 'users_limit_reached']);
    await addPeople(ctx, tenant, 1);
    expect(await User.count({ where: { companyId } })).toBe(6);
  });

  it('are any number without a limit', async () => {
    const { ctx, tenant, companyId } = await setUp();
    await addPeople(ctx, tenant, 20);
    expect(await User.count({ where: { companyId } })).toBe(21);
  });
});

describe('the domains of a plan', () => {
  it('are never passed by domains that are added at once', async () => {
    const { ctx, tenant, companyId } = await setUp();
    await tenant.company.update({ maxDomains: 2 });
    const add = () =>
      inTransaction(ctx, async (tx) => {
        await requireDomainRoom(tx, companyId);
        const domainName = `${randomBytes(5).toString('hex')}.test`;
        await Domain.create({ companyId, domainName }, { transaction: tx.tx });
      });
    const results = await Promise.allSettled([add(), add(), add()]);
    expect(outcomes(results).toSorted()).toEqual(['added', 'domains_limit_reached', 'domains_limit_reached']);
    expect(await Domain.count({ where: { companyId } })).toBe(2);
  });
});
