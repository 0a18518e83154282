import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer, type Zone, type ZoneEntry } from '../../../tests/support/dns-server.ts';
import { createResolver } from '../dns/resolver.ts';
import { authenticateMessage } from './authenticate-message.ts';

/** A record as the suite writes it; `TIMEOUT` stands for look-ups of any other type. */
type SuiteRecord = 'TIMEOUT' | Record<string, string | [number, string] | string[]>;

interface SuiteTest {
  helo: string;
  host: string;
  mailfrom: string;
  /** Several where the RFC leaves a choice, the preferred one first. */
  result: string | string[];
}

interface Scenario {
  description: string;
  tests: Record<string, SuiteTest>;
  zonedata: Record<string, SuiteRecord[]>;
}

const scenarios = JSON.parse(
  readFileSync(new URL('./spf-suite/rfc7208-tests.json', import.meta.url), 'utf8'),
) as Scenario[];

const message = Buffer.from('From: a@elsewhere.test\r\nSubject: x\r\n\r\nhello\r\n');

/** The suite leaves the type SPF of RFC 4408 to its drivers: such records are TXT records. */
function zoneOf(records: Scenario['zonedata']): Zone {
  const names = Object.entries(records).map(([name, list]) => [name, entryOf(list, records)] as const);
  return Object.fromEntries(names);
}

function entryOf(list: readonly SuiteRecord[], all: Scenario['zonedata']): ZoneEntry {
  const entry: Record<string, unknown[]> = {};
  const add = (type: string, data: unknown) => (entry[type] ??= []).push(data);
  const given = list.filter((record) => record !== 'TIMEOUT').flatMap((record) => Object.entries(record));
  const hasText = given.some(([type]) => type === 'TXT');
  for (const [type, value] of given) {
    // A TXT record has one string at least (RFC 1035 3.3.14)
    if (type === 'SPF' && !hasText) add('TXT', value.length > 0 ? value : ['']);
    else if (type === 'TXT' && value !== 'NONE') add('TXT', value);
    else if (type === 'MX') add('MX', { preference: Number(value[0]), exchange: value[1] });
    else if (type === 'CNAME') Object.assign(entry, targetOf(String(value), all));
    else if (type !== 'SPF' && type !== 'TXT') add(type, value);
  }
  return list.includes('TIMEOUT') && !entry['TXT'] ? 'SERVFAIL' : entry;
}

/** The records that a name server sends along with a CNAME, if the name has other ones. */
function targetOf(name: string, all: Scenario['zonedata']): object {
  const target = all[name.replace(/\.$/, '')] ?? [];
  const isAlias = target.some((record) => record !== 'TIMEOUT' && 'CNAME' in record);
  return isAlias ? { CNAME: [name] } : (entryOf(target, all) as object);
}

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer({});
});
afterAll(() => server.stop());

describe.each(scenarios)('RFC 7208: $description', ({ tests, zonedata }) => {
  beforeAll(() => server.setZone(zoneOf(zonedata)));

  it.each(Object.entries(tests))('%s', async (_name, { helo, host, mailfrom, result }) => {
    const { mailauthResolver: resolver } = createResolver([server.address], { timeoutMs: 5000, tries: 1, cacheMs: 0 });
    const input = { ip: host, helo, mailFrom: mailfrom, mta: 'mx.ours.test', resolver };
    const { spf } = await authenticateMessage(message, input);
    expect([result].flat()).toContain(spf.result);
  });
});
