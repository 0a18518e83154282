import type { DnsCheck } from '@selvage/core/contracts/domain-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CheckedDomains, startCheckedDomains } from './test-checked-domains.ts';

let world: CheckedDomains;

beforeAll(async () => {
  world = await startCheckedDomains();
});

afterAll(() => world.stop());

/** The blocklists that a check finds the mail server on, when the zone has these records for it. */
async function listedBy(answers: string[]): Promise<string[] | undefined> {
  world.dns.addRecords('1.0.0.127.bl.test', { A: answers });
  const body = { domain: await world.domainWith(), dkimSelectors: ['default'] };
  const answer = await world.server.call('POST', '/domain/check-dns', { token: world.token, body });
  expect(answer.status).toBe(200);
  return (answer.body.data as DnsCheck).mx.records[0]?.blacklist;
}

it.each([[['127.0.0.2']], [['127.0.0.10', '127.0.0.4']], [['127.0.1.4']]])('counts %j as listed', async (answers) => {
  expect(await listedBy(answers)).toEqual(['bl.test']);
});

it.each([
  ['a mistyped zone', '127.255.255.252'],
  ['a public resolver', '127.255.255.254'],
  ['too many questions', '127.255.255.255'],
  ['a blocked resolver', '127.0.0.1'],
])('does not count the answer by which a blocklist refuses %s as listed', async (_what, answer) => {
  expect(await listedBy([answer])).toEqual([]);
});
