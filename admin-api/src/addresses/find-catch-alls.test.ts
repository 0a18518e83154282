import type { CatchAllRowDto } from '@selvage/core/contracts/catch-all';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox } from '../../../tests/support/factories.ts';
import { countQueries } from '../../../tests/support/queries-of.ts';
import {
  type Administrator,
  buildAdministrator,
  buildDomain,
  buildProvider,
  buildRole,
  deleteCompany,
  signInAs,
} from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const path = '/domain/catch_all/get/all';
const list = async (as: Administrator, query = '') => {
  const { status, body } = await as.call('GET', `${path}${query}`);
  expect(status).toBe(200);
  return body.data as CatchAllRowDto[];
};
const set = async (as: Administrator, domainId: string, address: string) =>
  expect((await as.call('PUT', `/domain/catch_all/${domainId}`, { address })).status).toBe(200);

describe('the list of catch-alls', () => {
  it('names the person or the group that takes mail for unknown names, and says where there is none', async () => {
    const ana = await buildMailbox(server.app, { tenant: admin, user: { fname: 'Ana', lname: 'Silva' } });
    const group = await buildGroup(admin);
    const [second, third] = [await buildDomain(admin), await buildDomain(admin)];
    await buildDomain(admin, { deletedAt: new Date() });
    await set(admin, String(admin.domain.id), ana.user.email);
    await set(admin, String(second.id), group.address);
    const company_id = { _id: String(admin.company.id), name: admin.company.name };
    const expected = [
      { domain: admin.domain, address: ana.user.email, kind: 'person', _id: String(ana.user.id), name: 'Ana Silva' },
      { domain: second, address: group.address, kind: 'group', _id: String(group.id), name: group.name },
      { domain: third, address: null },
    ].map(({ domain, address, ...target }) => ({
      domain_id: String(domain.id),
      domain_name: domain.domainName,
      company_id,
      address,
      target: address === null ? null : target,
      version: address === null ? 1 : 2,
      abilities: { edit: true },
    }));
    const byName = expected.toSorted((a, b) => (a.domain_name < b.domain_name ? -1 : 1));
    expect(await list(admin)).toEqual(byName);
    expect(await list(admin, '?sort=-domain_name')).toEqual(byName.toReversed());
    expect(await list(admin, `?search=${second.domainName.slice(0, 8)}`)).toEqual([expected[1]]);
  });

  it('has the domains of the own company alone, and for the provider those of all companies that are kept', async () => {
    const provider = await buildProvider(server);
    const [mine, gone] = [await buildAdministrator(server), await buildAdministrator(server)];
    await deleteCompany(gone);
    const domainsOf = async (as: Administrator, of: Administrator) =>
      (await list(as, `?company_id=${of.company.id}`)).map(({ domain_name: name }) => name);
    expect((await list(mine)).map(({ domain_name: name }) => name)).toEqual([mine.domain.domainName]);
    expect(await domainsOf(mine, provider)).toEqual([]);
    expect(await domainsOf(provider, mine)).toEqual([mine.domain.domainName]);
    expect(await domainsOf(provider, gone)).toEqual([]);
  });

  it('is for those that may see domains, and says whether they may change them', async () => {
    const tenant = await buildAdministrator(server);
    const withRole = async (...flags: Parameters<typeof buildRole>[1]) => {
      const role = await buildRole(tenant, flags);
      return await signInAs(server, await buildMailbox(server.app, { tenant, user: { roleId: String(role.id) } }));
    };
    const viewer = await withRole(['domain', 'view']);
    expect((await list(viewer)).map(({ abilities }) => abilities)).toEqual([{ edit: false }]);
    const stranger = await withRole(['user', 'view', 'edit']);
    expect((await stranger.call('GET', path)).status).toBe(403);
  });

  it('takes no more queries for more domains', async () => {
    const tenant = await buildAdministrator(server);
    const group = await buildGroup(tenant);
    const domains = await Promise.all(Array.from({ length: 20 }, () => buildDomain(tenant)));
    const targets = [group.address, tenant.user.email];
    for (const [index, { id }] of domains.entries()) await set(tenant, String(id), targets[index % 2] ?? '');
    await list(tenant);
    const ofPage = (limit: number) => countQueries(server.app, () => list(tenant, `?sort=-domain_name&limit=${limit}`));
    expect(await ofPage(20)).toBe(await ofPage(6));
  });
});
