import { type SetupGuideDto, setupExtraNames } from '@selvage/core/contracts/setup-guide';
import { readExtras } from '@selvage/core/domain-check/extra-records';
import { Questions } from '@selvage/core/domain-check/questions';
import { stsPolicyId } from '@selvage/core/domain-check/sts-policy';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DnsServer, Zone } from '../../../tests/support/dns-server.ts';
import { waitedMs } from '../../../tests/support/waited-ms.ts';
import type { TestServer } from '../test-server.ts';
import { type CheckedDomains, startCheckedDomains } from './test-checked-domains.ts';

let world: CheckedDomains;
let server: TestServer;
let dns: DnsServer;
let token: string;

beforeAll(async () => {
  world = await startCheckedDomains();
  ({ server, dns, token } = world);
});

afterAll(() => world.stop());

const domainWith: CheckedDomains['domainWith'] = (...change) => world.domainWith(...change);

describe('the setup guide', () => {
  const guide = async (name: string) => {
    const domain = await Domain.findOne({ where: { domainName: name }, rejectOnEmpty: true });
    const { body } = await server.call('GET', `/domain/getnewclient/dnssetup?domain_id=${domain.id}`, { token });
    return body.data as SetupGuideDto;
  };

  it('has seven steps, each done once the DNS says so, and all records as a zone file', async () => {
    const name = await domainWith((own) => ({ [own]: { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] } }));
    const before = await guide(name);
    expect(before.steps.map(({ number, name: step, state }) => [number, step, state])).toEqual([
      [1, 'add', 'done'],
      [2, 'prove', 'done'],
      [3, 'a', 'done'],
      [4, 'mx', 'waiting'],
      [5, 'spf', 'waiting'],
      [6, 'dkim', 'done'],
      [7, 'dmarc', 'done'],
    ]);
    const lines = before.zone_file.split('\n');
    const dmarc = `_dmarc.${name}.\t3600\tIN\tTXT\t"v=DMARC1; p=reject; rua=mailto:d@x.test"`;
    expect(lines.toSpliced(4, 1).slice(0, 5).concat(lines.slice(-1))).toEqual([
      `; Records for mail of ${name}`,
      `${name}.\t3600\tIN\tMX\t10 host.test.`,
      '; in place of the SPF record that is there',
      `${name}.\t3600\tIN\tTXT\t"v=spf1 ip4:192.0.2.1 a:host.test ~all"`,
      `; done: ${dmarc}`,
      '',
    ]);
    expect(lines[4]).toMatch(/^; done: default\._domainkey\.\S+\t3600\tIN\tTXT\t"v=DKIM1/);
    dns.addRecords(name, {
      MX: [{ preference: 10, exchange: 'host.test' }],
      TXT: ['v=spf1 ip4:192.0.2.1 a:host.test ~all'],
    });
    expect((await guide(name)).done).toBe(true);
  });

  it('waits while another mail server stands before this host, and offers no record that is there', async () => {
    dns.addRecords('old.test', { A: ['127.0.3.9'] });
    const both = (preference: number) => ({
      MX: [
        { preference: 10, exchange: 'host.test' },
        { preference, exchange: 'old.test' },
      ],
      TXT: ['v=spf1 a:host.test -all'],
    });
    const name = await domainWith((own) => ({ [own]: both(1) }));
    const before = await guide(name);
    expect([before.done, before.steps[3]]).toMatchObject([false, { name: 'mx', state: 'waiting', record: null }]);
    expect(before.steps[3]?.details).toContain('goes to old.test first');
    dns.addRecords(name, both(20));
    expect((await guide(name)).done).toBe(true);
  });

  it('proves a domain whose record is there, and offers the record of the key that signs', async () => {
    const name = await domainWith();
    const domain = await Domain.findOne({ where: { domainName: name }, rejectOnEmpty: true });
    await domain.update({ verifiedAt: null });
    const [, before] = (await guide(name)).steps;
    expect([before?.name, before?.state]).toEqual(['prove', 'waiting']);
    dns.addRecords(`_selvage.${name}`, { TXT: [before?.record?.content] });
    expect((await guide(name)).steps[1]?.state).toBe('done');
    expect((await domain.reload()).verifiedAt).not.toBeNull();
    dns.addRecords(`default._domainkey.${name}`, 'NXDOMAIN');
    const owner = { companyId: domain.companyId, domainId: String(domain.id), privateKey: 'sealed' };
    await DkimKey.create({ ...owner, selector: 'next', publicKey: 'QUJD' });
    const dkim = (await guide(name)).steps.find((step) => step.name === 'dkim');
    expect([dkim?.state, dkim?.record?.name]).toEqual(['waiting', `next._domainkey.${name}`]);
  });

  it('says in the zone file which records stand in place of others, and only there', async () => {
    const notesOf = async (change: (own: string) => Zone) =>
      (await guide(await domainWith(change))).zone_file.split('\n').filter((line) => line.startsWith('; in place'));
    const none = (own: string): Zone => ({ [own]: {}, [`_dmarc.${own}`]: {}, [`default._domainkey.${own}`]: {} });
    expect(await notesOf(none)).toEqual([]);
    const others = (own: string): Zone => ({
      [own]: { MX: [{ preference: 1, exchange: 'old.test' }], TXT: ['v=spf1 -all'] },
      [`_dmarc.${own}`]: { TXT: ['v=DMARC1; p=nothing'] },
      [`default._domainkey.${own}`]: { TXT: ['v=DKIM1; p=QUJD'] },
    });
    expect(await notesOf(others)).toEqual(
      ['MX', 'SPF', 'DKIM', 'DMARC'].map((what) => `; in place of the ${what} record that is there`),
    );
  });

  it('shows the DMARC record above a domain under the name that has it', async () => {
    const name = await domainWith();
    const own = await domainWith();
    const domain = await Domain.findOne({ where: { domainName: own }, rejectOnEmpty: true });
    await domain.update({ domainName: `mail.${name}` });
    const record = { type: 'TXT', name: `_dmarc.${name}`, content: 'v=DMARC1; p=reject; rua=mailto:d@x.test' };
    expect((await guide(`mail.${name}`)).steps.at(-1)).toMatchObject({
      state: 'done',
      record,
      details: `Forged mail is dealt with by the policy reject of ${name}.`,
    });
  });

  it('splits a key, which is longer than one string of a TXT record', async () => {
    const name = await domainWith((own) => ({ [`default._domainkey.${own}`]: 'NXDOMAIN' }));
    const { zone_file: file } = await guide(name);
    expect(file).toMatch(/^default\._domainkey\.\S+\t3600\tIN\tTXT\t"v=DKIM1[^"]{240,}" "[^"]+"$/m);
  });

  it('recommends records for mail programs and other servers beyond the steps, and in the zone file', async () => {
    const name = await domainWith();
    const { done, extras, zone_file: file } = await guide(name);
    expect([done, new Set(extras.map(({ state }) => state))]).toEqual([true, new Set(['waiting'])]);
    const id = stsPolicyId(server.app.config);
    const records = extras.map(({ record: { type, name: owner, content } }) => [type, owner, content]);
    expect(records).toEqual([
      ['CNAME', `mta-sts.${name}`, 'host.test.'],
      ['TXT', `_mta-sts.${name}`, `v=STSv1; id=${id}`],
      ['TXT', `_smtp._tls.${name}`, `v=TLSRPTv1; rua=mailto:postmaster@${name}`],
      ['CNAME', `autoconfig.${name}`, 'host.test.'],
      ['SRV', `_autodiscover._tcp.${name}`, '0 1 443 host.test.'],
      ['SRV', `_submissions._tcp.${name}`, '0 1 465 host.test.'],
      ['SRV', `_submission._tcp.${name}`, '0 1 587 host.test.'],
      ['SRV', `_imaps._tcp.${name}`, '0 0 0 .'],
      ['SRV', `_pop3s._tcp.${name}`, '0 0 0 .'],
    ]);
    const zone = records.map(
      ([type, owner, content]) => `${owner}.\t3600\tIN\t${type}\t${type === 'TXT' ? `"${content}"` : content}`,
    );
    expect(file.split('\n').filter((line) => !line.startsWith(';'))).toEqual([...zone, '']);
  });

  it('finds the recommended records that are there, and asks nothing twice', async () => {
    const srv = (port: number, target = 'host.test') => ({ SRV: [{ priority: 0, weight: 1, port, target }] });
    const name = await domainWith(
      (own): Zone => ({
        [`mta-sts.${own}`]: { CNAME: ['HOST.test'] },
        // Some keepers of a DNS put the address in the place of an alias
        [`autoconfig.${own}`]: { A: ['127.0.0.1'] },
        [`_mta-sts.${own}`]: { TXT: ['other', `v=STSv1; id=${stsPolicyId(server.app.config)};`] },
        [`_smtp._tls.${own}`]: { TXT: ['v=TLSRPTv1; rua=https://reports.test/tls'] },
        [`_autodiscover._tcp.${own}`]: srv(443),
        [`_submissions._tcp.${own}`]: srv(465, 'HOST.TEST'),
        [`_submission._tcp.${own}`]: { SRV: [{ priority: 9, weight: 7, port: 587, target: 'host.test' }] },
        [`_imaps._tcp.${own}`]: srv(0, '.'),
        [`_pop3s._tcp.${own}`]: srv(0, '.'),
      }),
    );
    dns.questions.splice(0);
    const { extras, zone_file: file } = await guide(name);
    expect(extras.map(({ state, details }) => [state, details])).toEqual(
      extras.map(() => ['done', 'The record is in the DNS.']),
    );
    expect(extras).toHaveLength(9);
    const lines = file.split('\n');
    expect(lines.filter((line) => line.startsWith('; done: '))).toHaveLength(4 + extras.length);
    expect(lines.filter((line) => !line.startsWith(';'))).toEqual(['']);
    const own = dns.questions.filter((question) => !question.includes('_domainkey'));
    expect(own.length).toBe(new Set(own).size);
  });

  const extraOf = async (name: string, which: string) => {
    const { extras } = await guide(name);
    const { state, details } = extras.find((one) => one.name === which) ?? {};
    return [state, details];
  };

  it.each<[string, string, (own: string) => Zone, RegExp]>([
    [
      'an alias to elsewhere',
      'autoconfig',
      (own) => ({ [`autoconfig.${own}`]: { CNAME: ['a.test'] } }),
      /leads to a\.test/,
    ],
    [
      'an address of elsewhere',
      'sts_host',
      (own) => ({ [`mta-sts.${own}`]: { A: ['192.0.2.7'] } }),
      /leads to 192\.0\.2\.7/,
    ],
    ['a name without an address', 'sts_host', (own) => ({ [`mta-sts.${own}`]: { TXT: ['x'] } }), /not in the DNS yet/],
    ['an older id', 'sts', (own) => ({ [`_mta-sts.${own}`]: { TXT: ['v=STSv1; id=1'] } }), /older id/],
    [
      'two policies',
      'sts',
      (own) => ({ [`_mta-sts.${own}`]: { TXT: ['v=STSv1; id=1', 'v=STSv1; id=2'] } }),
      /several MTA-STS/,
    ],
    ['another text', 'sts', (own) => ({ [`_mta-sts.${own}`]: { TXT: ['id=1; v=STSv1'] } }), /not in the DNS yet/],
    [
      'reports to nowhere',
      'tls_reports',
      (own) => ({ [`_smtp._tls.${own}`]: { TXT: ['v=TLSRPTv1; rua='] } }),
      /no address/,
    ],
    [
      'another port',
      'submissions',
      (own) => ({ [`_submissions._tcp.${own}`]: { SRV: [{ priority: 0, weight: 1, port: 25, target: 'host.test' }] } }),
      /host\.test at port 25\. Change/,
    ],
    [
      'a second server',
      'submission',
      (own) => ({
        [`_submission._tcp.${own}`]: {
          SRV: [
            { priority: 0, weight: 1, port: 587, target: 'host.test' },
            { priority: 0, weight: 1, port: 587, target: 'old.test' },
          ],
        },
      }),
      /old\.test at port 587/,
    ],
    [
      'a server that is said not to be there',
      'submission',
      (own) => ({ [`_submission._tcp.${own}`]: { SRV: [{ priority: 0, weight: 0, port: 0, target: '.' }] } }),
      /has no server\./,
    ],
    [
      'a server for fetching mail that this host is not',
      'imaps',
      (own) => ({ [`_imaps._tcp.${own}`]: { SRV: [{ priority: 0, weight: 1, port: 993, target: 'imap.test' }] } }),
      /imap\.test at port 993/,
    ],
  ])('waits for a recommended record with %s', async (_what, which, change, details) => {
    const name = await domainWith(change);
    expect(await extraOf(name, which)).toEqual(['waiting', expect.stringMatching(details)]);
  });

  it('recommends no MTA-STS on a host that has it off', async () => {
    const config = { ...server.app.config, stsMode: 'none' } as const;
    const extras = await readExtras(new Questions([dns.address]), await domainWith(), config);
    expect(extras.map(({ name: which }) => which)).toEqual(setupExtraNames.slice(2));
    // Servers that have read the policy of before must hear that it is taken back
    const name = await domainWith((own) => ({ [`_mta-sts.${own}`]: { TXT: ['v=STSv1; id=before'] } }));
    const [host, policy] = await readExtras(new Questions([dns.address]), name, config);
    expect([host?.name, policy?.name, policy?.state]).toEqual(['sts_host', 'sts', 'waiting']);
    expect(policy?.record?.content).toBe(`v=STSv1; id=${stsPolicyId(config)}`);
  });

  it('says of a recommended record that the name servers were silent, within five seconds', async () => {
    const name = await domainWith((own) => ({
      [`_mta-sts.${own}`]: 'TIMEOUT',
      [`mta-sts.${own}`]: 'SERVFAIL',
      [`_imaps._tcp.${own}`]: 'TIMEOUT',
    }));
    let extras: SetupGuideDto['extras'] = [];
    const waited = await waitedMs(async () => {
      ({ extras } = await guide(name));
    });
    expect(waited).toBeLessThan(5000);
    const silent = extras.filter(({ state }) => state === 'unknown').map(({ name: which }) => which);
    expect(silent).toEqual(['sts_host', 'sts', 'imaps']);
  });

  it('says what it does not know while the name servers are silent', async () => {
    const name = await domainWith((own) => ({ [own]: 'TIMEOUT' }));
    const { steps } = await guide(name);
    expect(steps.filter(({ state }) => state === 'unknown').map(({ name: step }) => step)).toEqual(['mx', 'spf']);
  });
});
