import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { makeBackups, makeWhole, readOf } from '../../../tests/support/backups.ts';
import { startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { builtInRole } from '../contracts/permissions.ts';
import { guardDomain } from '../domain-guard/guard-domain.ts';
import { guardDueDomains } from '../domain-guard/guard-due-domains.ts';
import { holdsAlarms } from '../environment/host-state.ts';
import { Domain } from '../models/domain.ts';
import { loadConfig } from '../process/config.ts';
import { startApp, stopApp } from '../startup/start-app.ts';
import { releaseOutgoing } from './settle-restored.ts';

const hourMs = 3_600_000;

it.each([
  { options: [], outcome: 'raises no alarm over DNS that names the old one', alarms: 0 },
  { options: ['--send-outgoing'], outcome: 'raises it when it takes the place of the old one', alarms: 1 },
])('a restored host $outcome', { timeout: 240_000 }, async ({ options, alarms }) => {
  const dns = await startDnsServer({ 'host.test': { A: ['127.0.0.1'] }, 'ns1.dns.test': { A: ['192.0.2.53'] } });
  onTestFinished(() => dns.stop());
  const environment = await testEnvironment({ DNS_SERVERS: dns.address });
  const app = await startTestApp(environment);
  const { company } = await buildMailbox(app, { roleNumber: builtInRole.admin });
  const domainName = `mill${randomBytes(6).toString('hex')}.test`;
  const domain = await Domain.create({ companyId: String(company.id), domainName, verifiedAt: new Date() });
  const mx = [{ preference: 10, exchange: 'host.test' }];
  dns.addRecords(domainName, { NS: ['ns1.dns.test'], MX: mx, TXT: ['v=spf1 a:host.test -all'] });
  await guardDomain(systemContext(app), domain);
  const backups = await makeBackups();
  await makeWhole(backups, environment);

  dns.addRecords('trial.test', { A: ['127.0.3.9'] });
  const target = await testEnvironment({ DNS_SERVERS: dns.address, SELVAGE_HOSTNAME: 'trial.test' });
  expect((await backups.restore(target, ...options)).code).toBe(0);
  const trial = await startApp(loadConfig(target), { role: 'workers' });
  onTestFinished(() => stopApp(trial));
  // A part that is seen bad is looked at again before it is believed to be
  for (const hours of [13, 14]) {
    const now = new Date(Date.now() + hours * hourMs);
    await guardDueDomains(systemContext(trial), new AbortController().signal, () => now);
  }
  expect(readOf(target, `SELECT health FROM domains WHERE domain_name = '${domainName}'`)).toEqual(['3']);
  expect(readOf(target, "SELECT id FROM deliveries WHERE direction = 'out'")).toHaveLength(alarms);

  // What both hosts see while the trial runs
  const soon = new Date(Date.now() + 40 * 24 * hourMs);
  await trial.db.query('UPDATE domains SET expiration_date = :soon WHERE domain_name = :domainName', {
    replacements: { soon, domainName },
  });
  await guardDueDomains(systemContext(trial), new AbortController().signal, () => new Date(Date.now() + 30 * hourMs));
  const told = "SELECT next_attempt_at IS NOT NULL FROM deliveries WHERE direction = 'out' ORDER BY id DESC LIMIT 1";
  expect(readOf(target, told)).toEqual([alarms === 0 ? '0' : '1']);
  await releaseOutgoing({ app: trial });
  expect(readOf(target, told)).toEqual(['1']);
  expect(await holdsAlarms({ app: trial })).toBe(false);
});
