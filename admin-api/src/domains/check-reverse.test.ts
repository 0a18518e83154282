import { systemContext } from '@selvage/core/context/context';
import { checkReverse } from '@selvage/core/domain-check/check-reverse';
import { Questions } from '@selvage/core/domain-check/questions';
import type { Domain } from '@selvage/core/models/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCompany } from '../../../tests/support/factories.ts';
import { type CheckedDomains, startCheckedDomains } from './test-checked-domains.ts';

let world: CheckedDomains;
beforeAll(async () => {
  world = await startCheckedDomains();
  world.dns.addRecords('1.33.22.11.in-addr.arpa', { PTR: ['host.test'] });
  world.dns.addRecords('2.33.22.11.in-addr.arpa', { PTR: ['vps2.rented.test'] });
  world.dns.addRecords('4.33.22.11.in-addr.arpa', 'SERVFAIL');
});
afterAll(() => world.stop());

/** What is said of addresses of the host, in the check of a domain. */
async function saidOf(domain: Domain, addresses: string[]) {
  const questions = new Questions([world.dns.address]);
  const problems = await checkReverse(systemContext(world.server.app), questions, { domain, addresses });
  return problems.map(({ level, text, record }) => [level, text.split('. ')[0], record?.name, record?.content]);
}

it('warns the provider of addresses of the host whose reverse DNS does not name it', async () => {
  const { domain } = await buildCompany(world.server.app, { isProvider: true });
  expect(await saidOf(domain, ['11.22.33.1', '11.22.33.4', '127.0.0.1', '192.168.0.9'])).toEqual([]);
  expect(await saidOf(domain, ['11.22.33.2', '11.22.33.3'])).toEqual([
    [
      'warning',
      'The reverse DNS of 11.22.33.2, an address of this host, names vps2.rented.test and not host.test',
      '2.33.22.11.in-addr.arpa',
      'host.test',
    ],
    [
      'warning',
      'The reverse DNS of 11.22.33.3, an address of this host, has no name',
      '3.33.22.11.in-addr.arpa',
      'host.test',
    ],
  ]);
});

it('says nothing to other companies, which can’t mend it', async () => {
  const { domain } = await buildCompany(world.server.app);
  expect(await saidOf(domain, ['11.22.33.2'])).toEqual([]);
});
