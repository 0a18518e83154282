import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { Domain } from '../models/domain.ts';
import { DomainRecord } from '../models/domain-record.ts';
import { compareRecords } from './compare-records.ts';

it('asks for every record of a list that is full', async () => {
  const app = await testApp();
  const dns = await startDnsServer({});
  onTestFinished(() => dns.stop());
  const { company } = await buildMailbox(app);
  const companyId = String(company.id);
  const domainName = `mill${randomBytes(6).toString('hex')}.test`;
  const domain = await Domain.create({ companyId, domainName });
  const names = Array.from({ length: 200 }, (_one, index) => `host${index}`);
  for (const name of names) dns.addRecords(`${name}.${domainName}`, { A: ['192.0.2.1'] });
  const record = { companyId, domainId: String(domain.id), type: 'A', priority: 0, content: '192.0.2.1' } as const;
  await DomainRecord.bulkCreate(names.map((name) => ({ ...record, recordName: name, name, ttl: 3600 })));
  const asking = { ...app, config: { ...app.config, dnsServers: [dns.address] } };
  const compared = await compareRecords(systemContext(asking), domain);
  expect(Map.groupBy(compared, ({ state }) => state).get('same')).toHaveLength(200);
});
