import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { DnsCheck } from '@selvage/core/contracts/domain-check';
import type { DomainChangeDto, DomainHealthDto } from '@selvage/core/contracts/domain-guard';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { activateSeenKeys } from '@selvage/core/domain-check/activate-seen-keys';
import { guardDomain } from '@selvage/core/domain-guard/guard-domain';
import { guardDueDomains } from '@selvage/core/domain-guard/guard-due-domains';
import { retireOldKeys } from '@selvage/core/domain-guard/retire-keys';
import { dkimRecord, generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { Company } from '@selvage/core/models/company';
import { Delivery } from '@selvage/core/models/delivery';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { DomainChange } from '@selvage/core/models/domain-change';
import { DomainHealth } from '@selvage/core/models/domain-health';
import { Message } from '@selvage/core/models/message';
import { Op } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer, type ZoneEntry } from '../../../tests/support/dns-server.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { untilHourLasts } from '../../../tests/support/rest-of-day.ts';
import { type RemoteServer, startRemoteServer } from '../../../tests/support/remote-server.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let dns: DnsServer;
let smtp: RemoteServer;
let ctx: Ctx;
let publicKey: string;

beforeAll(async () => {
  dns = await startDnsServer({ 'host.test': { A: ['127.0.0.1'] }, 'ns1.dns.test': { A: ['192.0.2.53'] } });
  smtp = await startRemoteServer();
  const environment = { DNS_SERVERS: dns.address, OUTBOUND_SMTP_PORT: String(smtp.port) };
  server = await startTestServer({ environment });
  ctx = systemContext(server.app);
  publicKey = (await generateDkimKeyPair()).publicKeyBase64;
});

afterAll(async () => {
  await dns.stop();
  await smtp.stop();
});

const minute = 60_000;
const day = 86_400_000;
const pieces = (text: string): string[] => text.match(/.{1,255}/g) ?? [];
const goodMx = [{ preference: 10, exchange: 'host.test' }];

/** A domain of a company of its own, as its DNS should be, and a clock that a test moves. */
async function setUp(values: Partial<Domain> = {}) {
  const admin = await buildMailbox(server.app, { roleNumber: builtInRole.admin });
  const name = `mill${randomBytes(6).toString('hex')}.test`;
  const companyId = String(admin.company.id);
  const domain = await Domain.create({ companyId, domainName: name, verifiedAt: new Date(), ...values });
  const key = { companyId, domainId: String(domain.id), selector: 'default', privateKey: 'sealed', publicKey };
  await DkimKey.create({ ...key, signsSince: new Date() });
  const good = { NS: ['ns1.dns.test'], MX: goodMx, TXT: ['v=spf1 a:host.test -all'] };
  const say = (change: Record<string, unknown[]>) => dns.addRecords(name, { ...good, ...change });
  say({});
  dns.addRecords(`_dmarc.${name}`, { TXT: ['v=DMARC1; p=reject'] });
  dns.addRecords(`default._domainkey.${name}`, { TXT: [pieces(dkimRecord(publicKey))] });
  let now = Date.now();
  const look = async (minutesLater = 0) => {
    now += minutesLater * minute;
    await guardDomain(ctx, await domain.reload(), { now: new Date(now) });
    await domain.reload();
    return Math.round((domain.nextCheckAt.getTime() - now) / minute);
  };
  const { token } = await server.signIn(admin.user.email, admin.password);
  return { admin, name, domain, say, look, token, setName: (entry: ZoneEntry) => dns.addRecords(name, entry) };
}

/** Subjects and texts of the mails of the host to a person, the oldest first. */
async function mailsTo({ user }: Mailbox): Promise<{ subject: string; text: string }[]> {
  const rows = await Delivery.findAll({ where: { recipient: user.email, direction: 'out' }, order: [['id', 'ASC']] });
  return await Promise.all(
    rows.map(async ({ messageId }) => {
      const { subject, blobKey } = await Message.findByPk(String(messageId), { rejectOnEmpty: true });
      return { subject, text: (await text(server.app.blobs.get(blobKey))).replaceAll('=\r\n', '') };
    }),
  );
}

const subjectsTo = async (mailbox: Mailbox) => (await mailsTo(mailbox)).map(({ subject }) => subject);

async function historyOf({ id }: Domain, token: string): Promise<string[]> {
  const { body } = await server.call('GET', `/domain/history/${id}`, { token });
  return (body.data as DomainChangeDto[]).map(
    ({ part, kind, before, after }) => `${part} ${kind}: ${before ?? ''} > ${after ?? ''}`,
  );
}

describe('the guardian', () => {
  it('keeps what it finds, and sends no notice about a domain that has never been good', async () => {
    const { admin, say, domain, look, token } = await setUp();
    say({ MX: [{ preference: 10, exchange: 'mx.elsewhere.test' }] });
    // While it is being set up, the console soon shows what has been done
    expect([await look(), await look(12 * 60)]).toEqual([10, 10]);
    expect(await look(12 * 60)).toBeGreaterThanOrEqual(11 * 60);
    expect(await subjectsTo(admin)).toEqual([]);
    const { body } = await server.call('GET', '/domain/health/get/all', { token });
    const [worst] = body.data as DomainHealthDto[];
    expect(worst).toMatchObject({ _id: String(domain.id), health: 'error', failures: 0 });
    expect(worst?.problems[0]).toMatchObject({ part: 'mx', level: 'error' });
    expect(worst?.checked_at).not.toBeNull();
  });

  it('mails once when the MX record has moved away, and once when it is back', async () => {
    const { admin, name, domain, say, look, token } = await setUp();
    await admin.user.update({ confirmedRecoveryEmail: 'admin@home.test', recoveryEmail: 'admin@home.test' });
    await look();
    say({ MX: [{ preference: 5, exchange: 'mx.elsewhere.test' }] });
    // The first sight is looked at again after ten minutes
    expect(await look(12 * 60)).toBe(10);
    expect(await subjectsTo(admin)).toEqual([]);
    expect(await look(10)).toBe(10);
    const [told, ...others] = await mailsTo(admin);
    expect([told?.subject, others]).toEqual([`The DNS of ${name} has a problem`, []]);
    expect(told?.text).toContain(`No MX record names host.test, so mail for ${name} does not come here.`);
    for (const line of [
      `Name:  ${name}`,
      'Value: 10 host.test.',
      'Before: 10 host.test',
      'After:  5 mx.elsewhere.test',
    ]) {
      expect(told?.text).toContain(line);
    }
    expect(await Delivery.count({ where: { recipient: 'admin@home.test' } })).toBe(1);
    expect(await look(12 * 60)).toBe(10);
    expect(await look(12 * 60)).toBeGreaterThanOrEqual(11 * 60);
    expect(await subjectsTo(admin)).toHaveLength(1);
    say({});
    await look(12 * 60);
    await look(12 * 60);
    expect(await subjectsTo(admin)).toEqual([`The DNS of ${name} has a problem`, `The DNS of ${name} is right again`]);
    expect(await historyOf(domain, token)).toEqual([
      'mx mended:  > Mail for {name} is delivered to host.test.'.replace('{name}', name),
      'mx changed: 5 mx.elsewhere.test > 10 host.test',
      `mx broken:  > No MX record names host.test, so mail for ${name} does not come here. Set this one and delete the others.`,
      'mx changed: 10 host.test > 5 mx.elsewhere.test',
    ]);
  });

  it('mails of a mail server that was put before this host, whose own record is still there', async () => {
    const { admin, name, domain, say, look, token } = await setUp();
    dns.addRecords('mx.before.test', { A: ['127.0.3.9'] });
    await look();
    say({ MX: [...goodMx, { preference: 1, exchange: 'mx.before.test' }] });
    for (const minutes of [12 * 60, 10]) await look(minutes);
    const [told, ...others] = await mailsTo(admin);
    expect([told?.subject, others]).toEqual([`The DNS of ${name} has a problem`, []]);
    expect(told?.text).toContain(`Mail for ${name} goes to mx.before.test first, and here only when that is down.`);
    expect(told?.text).not.toContain('The record as it should be');
    const { body } = await server.call('GET', '/domain/health/get/all', { token });
    expect((body.data as DomainHealthDto[])[0]).toMatchObject({ _id: String(domain.id), health: 'error' });
  });

  it('takes another name of this host for no break, nor one whose name servers are silent', async () => {
    const { admin, name, say, look, token } = await setUp();
    const own = `mail.${name}`;
    dns.addRecords(own, { CNAME: ['host.test'] });
    await look();
    say({ MX: [{ preference: 10, exchange: own }] });
    expect(await look(12 * 60)).toBeGreaterThanOrEqual(11 * 60);
    const health = async () =>
      ((await server.call('GET', '/domain/health/get/all', { token })).body.data as DomainHealthDto[])[0]?.health;
    expect(await health()).toBe('warning');
    dns.addRecords(own, 'TIMEOUT');
    for (const minutes of [12 * 60, 12 * 60]) await look(minutes);
    expect(await subjectsTo(admin)).toEqual([]);
    dns.addRecords(own, { A: ['127.0.3.9'] });
    for (const minutes of [12 * 60, 12 * 60]) await look(minutes);
    expect([await health(), await subjectsTo(admin)]).toEqual(['error', [`The DNS of ${name} has a problem`]]);
  });

  it('keeps forty changes of a day, however often its name servers say something else', async () => {
    const { domain, say, look } = await setUp();
    await look();
    const changes = () => DomainChange.count({ where: { domainId: domain.id, kind: 'changed' } });
    for (let turn = 0; turn < 45; turn++) {
      say({ TXT: [`v=spf1 a:host.test ip4:192.0.2.${turn} -all`] });
      await look(10);
    }
    expect(await changes()).toBe(40);
    say({});
    await look(24 * 60);
    expect(await changes()).toBe(41);
  });

  it('believes no single look, and mails of a part that comes and goes once a day', async () => {
    const { admin, say, look } = await setUp();
    const broken = { TXT: ['v=spf1 -all'] };
    await look();
    say(broken);
    expect(await look(60)).toBe(10);
    say({});
    expect(await look(10)).toBeGreaterThanOrEqual(11 * 60);
    expect(await subjectsTo(admin)).toEqual([]);
    for (const expected of [1, 1]) {
      say(broken);
      await look(10);
      await look(10);
      expect((await subjectsTo(admin)).filter((subject) => subject.endsWith('problem'))).toHaveLength(expected);
      say({});
      await look(10);
    }
    // The second time was not mailed, so its end is not either
    expect((await subjectsTo(admin)).filter((subject) => subject.endsWith('again'))).toHaveLength(1);
    // It breaks again, and stays: they hear of that when the day is over
    say(broken);
    for (const minutes of [10, 10]) await look(minutes);
    expect((await subjectsTo(admin)).filter((subject) => subject.endsWith('problem'))).toHaveLength(1);
    for (const minutes of [24 * 60, 12 * 60]) await look(minutes);
    expect((await subjectsTo(admin)).filter((subject) => subject.endsWith('problem'))).toHaveLength(2);
    say({});
    await look(12 * 60);
    expect((await subjectsTo(admin)).filter((subject) => subject.endsWith('again'))).toHaveLength(2);
  });

  it('hurries to no second look while a part that was seen bad is unknown, and blames no company for the host', async () => {
    const { admin, name, say, look, setName } = await setUp();
    await look();
    say({ MX: [] });
    expect(await look(60)).toBe(10);
    setName('REFUSED');
    dns.addRecords(`_dmarc.${name}`, 'REFUSED');
    dns.addRecords(`default._domainkey.${name}`, 'REFUSED');
    expect([await look(10), await look(60)]).toEqual([60, 120]);
    const other = await setUp();
    await other.look();
    dns.addRecords('host.test', 'NXDOMAIN');
    for (const minutes of [60, 60]) await other.look(minutes);
    dns.addRecords('host.test', { A: ['127.0.0.1'] });
    expect([await subjectsTo(admin), await subjectsTo(other.admin)]).toEqual([[], []]);
  });

  it('takes silent name servers for no change, and asks them ever more seldom', async () => {
    const { admin, name, domain, say, setName, look, token } = await setUp();
    await look();
    const [before] = (await server.call('GET', '/domain/health/get/all', { token })).body.data as DomainHealthDto[];
    setName('TIMEOUT');
    for (const owner of [`_dmarc.${name}`, `default._domainkey.${name}`]) dns.addRecords(owner, 'SERVFAIL');
    expect([await look(60), await look(60), await look(120)]).toEqual([60, 120, 240]);
    expect([await subjectsTo(admin), await historyOf(domain, token)]).toEqual([[], []]);
    const { facts, failures } = await DomainHealth.findByPk(String(domain.id), { rejectOnEmpty: true });
    expect([failures, facts.mx]).toEqual([3, ['10 host.test']]);
    const [after] = (await server.call('GET', '/domain/health/get/all', { token })).body.data as DomainHealthDto[];
    expect([after?.health, after?.problems]).toEqual([before?.health, before?.problems]);
    setName('REFUSED');
    for (const minutes of [8 * 60, 16 * 60, 24 * 60]) await look(minutes);
    const [silent] = (await server.call('GET', '/domain/health/get/all', { token })).body.data as DomainHealthDto[];
    const told = await mailsTo(admin);
    expect([silent?.health, told.map(({ subject }) => subject)]).toEqual([
      'error',
      [`The name servers of ${name} answer with an error`],
    ]);
    expect(told[0]?.text).toMatch(/answered with an error \(REFUSED\) since [^]* \(DS\) at the registrar/);
    for (const owner of [`_dmarc.${name}`, `default._domainkey.${name}`]) dns.addRecords(owner, 'NXDOMAIN');
    say({});
    await look(60);
    expect((await subjectsTo(admin)).slice(1)).toEqual([`The DNS of ${name} is right again`]);
    expect((await historyOf(domain, token)).filter((entry) => entry.startsWith('ns '))).toEqual([
      'ns mended:  > The name servers answer again.',
      'ns broken:  > The name servers have answered with an error (REFUSED) for a day.',
    ]);
  }, 120_000);

  it('mails once that no name server has answered for a day', { timeout: 120_000 }, async () => {
    const { admin, name, domain, look, setName, token } = await setUp();
    await look();
    setName('TIMEOUT');
    for (const owner of [`_dmarc.${name}`, `default._domainkey.${name}`]) dns.addRecords(owner, 'TIMEOUT');
    for (const minutes of [60, 25 * 60, 25 * 60]) await look(minutes);
    const told = await mailsTo(admin);
    expect(told.map(({ subject }) => subject)).toEqual([`No name server of ${name} answers`]);
    expect(told[0]?.text).not.toContain('error');
    expect(await historyOf(domain, token)).toEqual(['ns broken:  > No name server has answered for a day.']);
  });

  it('takes silence about a domain below another one for silence, and not for the DMARC record above', async () => {
    const { admin, name, domain, look, token } = await setUp();
    const own = `mail.${name}`;
    await domain.update({ domainName: own });
    dns.addRecords(own, { NS: ['ns1.dns.test'], MX: goodMx, TXT: ['v=spf1 a:host.test -all'] });
    dns.addRecords(`_dmarc.${own}`, { TXT: ['v=DMARC1; p=quarantine'] });
    dns.addRecords(`default._domainkey.${own}`, { TXT: [pieces(dkimRecord(publicKey))] });
    await look();
    for (const owner of [own, `_dmarc.${own}`, `default._domainkey.${own}`]) dns.addRecords(owner, 'REFUSED');
    for (const minutes of [60, 25 * 60]) await look(minutes);
    expect(await subjectsTo(admin)).toEqual([`The name servers of ${own} answer with an error`]);
    expect(await historyOf(domain, token)).toEqual([
      'ns broken:  > The name servers have answered with an error (REFUSED) for a day.',
    ]);
  });

  it('warns 60, 30 and 7 days before a domain expires, each time once', { timeout: 120_000 }, async () => {
    await untilHourLasts();
    const inDays = (days: number) => new Date(new Date().setUTCHours(0, 0, 0, 0) + days * day);
    const { admin, name, domain, look } = await setUp({ expirationDate: inDays(62) });
    const warnings: string[][] = [];
    for (const days of [0, 2, 1, 29, 1, 22, 1, 5, 10]) {
      await look(days * 24 * 60);
      warnings.push(await subjectsTo(admin));
    }
    expect(warnings.map(({ length }) => length)).toEqual([0, 1, 1, 2, 2, 3, 3, 3, 3]);
    expect(warnings.at(-1)).toEqual([60, 30, 7].map((days) => `The domain ${name} expires in ${days} days`));
    await domain.update({ expirationDate: inDays(71 + 20) });
    await look();
    expect((await subjectsTo(admin)).at(-1)).toBe(`The domain ${name} expires in 20 days`);
  });

  it('looks at once when a check or the guide has found another health than it knows, and at no other time', async () => {
    const { name, domain, say, look, token } = await setUp();
    say({ MX: [] });
    for (const days of [0, 2]) await look(days * 24 * 60);
    await domain.update({ checkedAt: new Date(Date.now() - day / 2), nextCheckAt: new Date(Date.now() + day / 2) });
    const check = () => server.call('POST', '/domain/check-dns', { token, body: { domain: name } });
    const guide = () => server.call('GET', `/domain/getnewclient/dnssetup?domain_id=${domain.id}`, { token });
    const isDue = async () => (await domain.reload()).nextCheckAt.getTime() <= Date.now();
    await check();
    await guide();
    expect(await isDue()).toBe(false);
    say({});
    for (const ask of [check, guide]) {
      await domain.update({ nextCheckAt: new Date(Date.now() + day / 2) });
      await ask();
      expect(await isDue()).toBe(true);
    }
    await guardDueDomains(ctx, new AbortController().signal);
    const read = async () => (await server.call('GET', `/domain/get/${domain.id}`, { token })).body.data;
    expect(await read()).toMatchObject({ health: 'good', broken_parts: [] });
    // A caller whose look differs from that of the guardian makes it look once a minute at most
    say({ MX: [] });
    await guide();
    expect(await isDue()).toBe(false);
    await look(12 * 60);
    expect(await read()).toMatchObject({ health: 'error', broken_parts: ['mx'] });
  });

  it('looks at each domain that is due once, though two workers look', async () => {
    const due = await setUp();
    const plannedByClockAhead = await setUp({ nextCheckAt: new Date(Date.now() + 30 * day) });
    const others = [
      await setUp({ verifiedAt: null }),
      await setUp({ deletedAt: new Date() }),
      await setUp({ nextCheckAt: new Date(Date.now() + day) }),
      await setUp(),
    ];
    await Company.update({ deletedAt: new Date() }, { where: { id: String(others[3]?.admin.company.id) } });
    dns.questions.splice(0);
    const { signal } = new AbortController();
    const start = new Date();
    const looked = await Promise.all([guardDueDomains(ctx, signal), guardDueDomains(ctx, signal)]);
    // The clocks of other tests have gone ahead
    const checkedAt = { [Op.between]: [start, new Date()] as const };
    expect(looked[0] + looked[1]).toBe(await Domain.count({ where: { checkedAt } }));
    const asked = (name: string) => dns.questions.filter((question) => question === `MX ${name}`).length;
    expect([asked(due.name), asked(plannedByClockAhead.name)]).toEqual([1, 1]);
    expect(others.map(({ name }) => asked(name))).toEqual([0, 0, 0, 0]);
    expect((await due.domain.reload()).nextCheckAt.getTime()).toBeGreaterThan(Date.now() + day / 3);
  });
});

describe('records that are tried', () => {
  const tryIt = async (token: string, body: object) => await server.call('POST', '/domain/what-if', { token, body });

  it('are judged beside what the DNS says, and nothing is kept', async () => {
    const { name, domain, say, token } = await setUp();
    say({ TXT: ['v=spf1 -all', 'site-verification=1'] });
    const before = await DomainHealth.count();
    const body = { domain_id: String(domain.id), type: 'TXT', name: '@', content: '"v=spf1 a:host" ".test -all"' };
    const spf = await tryIt(token, body);
    expect(spf.status).toBe(200);
    const { check, problems_now: now } = spf.body.data as { check: { valid: boolean }; problems_now: object[] };
    expect([check.valid, now]).toEqual([true, [expect.objectContaining({ part: 'spf', level: 'error' })]]);
    const mx = { ...body, type: 'MX', name, content: '10 host.test.\n5 mx.elsewhere.test' };
    dns.addRecords('mx.elsewhere.test', { A: ['127.0.3.9'] });
    const moved = (await tryIt(token, mx)).body.data as { check: { problems: { text: string }[] } };
    expect(moved.check.problems.map(({ text: said }) => said)).toContainEqual(
      expect.stringContaining('goes to mx.elsewhere.test first'),
    );
    const dmarc = await tryIt(token, { ...body, name: '_dmarc', content: 'v=DMARC1; p=nothing' });
    expect(dmarc.body.data).toMatchObject({ check: { dmarc: { valid: false, record: 'v=DMARC1; p=nothing' } } });
    expect(await DomainHealth.count()).toBe(before);
  });

  it.each([
    ['content', { type: 'A', content: 'mail.example.com' }],
    ['content', { type: 'AAAA', content: '192.0.2.1' }],
    ['content', { type: 'MX', content: 'mail.example.com' }],
    ['content', { type: 'MX', content: '70000 mail.example.com' }],
    ['content', { type: 'CNAME', content: 'two words' }],
    ['content', { type: 'TXT', content: ' \n ' }],
    ['content', { type: 'TXT', content: 'x'.repeat(70_000) }],
    ['content', { type: 'TXT', content: 'x\n'.repeat(101) }],
    ['name', { name: 'two words' }],
    ['name', { name: 'x'.repeat(64) }],
    ['type', { type: 'SOA' }],
  ])('are refused at %s when they can’t be: %o', async (field, change) => {
    const { domain, token } = await setUp();
    const body = { domain_id: String(domain.id), type: 'TXT', name: '@', content: 'x', ...change };
    const answer = await tryIt(token, body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  });
});

describe('signing keys', () => {
  const keysOf = (detail: DomainDetailDto) => detail.dkim_keys.map(({ selector, state }) => `${selector} ${state}`);

  it('sign once the DNS has their record, and not before', async () => {
    const { name, domain, token } = await setUp();
    const values = { companyId: domain.companyId, domainId: String(domain.id), privateKey: 'sealed' };
    const { publicKeyBase64 } = await generateDkimKeyPair();
    const key = await DkimKey.create({ ...values, selector: 'next', publicKey: publicKeyBase64, isActive: false });
    const later = (minutes: number) => new Date(Date.now() + minutes * minute);
    expect(await activateSeenKeys(ctx)).not.toContain(`next._domainkey.${name}`);
    expect((await key.reload()).isActive).toBe(false);
    // Its record is not needed yet
    const { body } = await server.call('POST', '/domain/check-dns', { token, body: { domain: name } });
    const { valid, problems } = body.data as DnsCheck;
    expect([valid, problems]).toEqual([true, [expect.objectContaining({ part: 'dkim', level: 'warning' })]]);
    dns.addRecords(`next._domainkey.${name}`, { TXT: [pieces(dkimRecord(publicKeyBase64))] });
    expect(await activateSeenKeys(ctx, later(1))).not.toContain(`next._domainkey.${name}`);
    expect(await activateSeenKeys(ctx, later(6))).toContain(`next._domainkey.${name}`);
    const { isActive, signsSince } = await key.reload();
    expect([isActive, signsSince]).toEqual([true, expect.any(Date)]);
  });

  it('retire seven days after a newer one began to sign, and can be deleted then', async () => {
    const { domain, token } = await setUp();
    const values = { companyId: domain.companyId, domainId: String(domain.id), privateKey: 'sealed', publicKey };
    await DkimKey.create({ ...values, selector: 'next', signsSince: new Date() });
    await DkimKey.create({ ...values, selector: 'third', isActive: false });
    const states = async () => {
      const { body } = await server.call('GET', `/domain/get/${domain.id}`, { token });
      return keysOf(body.data as DomainDetailDto);
    };
    const remove = async (selector: string) => {
      const { status, body } = await server.call('DELETE', `/domain/dkim/${domain.id}/${selector}`, { token });
      return [status, body.code];
    };
    await retireOldKeys(ctx, new Date(Date.now() + 6.9 * day));
    expect(await states()).toEqual(['third waiting', 'next signing', 'default previous']);
    expect([await remove('next'), await remove('default')]).toEqual([
      [409, 'key_in_use'],
      [409, 'key_in_use'],
    ]);
    await retireOldKeys(ctx, new Date(Date.now() + 7.1 * day));
    expect(await states()).toEqual(['third waiting', 'next signing', 'default retired']);
    expect([await remove('default'), await remove('third'), await remove('none')]).toEqual([
      [200, undefined],
      [200, undefined],
      [404, 'dkim_key_not_found'],
    ]);
    expect(await remove('%C3%A9')).toEqual([422, 'invalid']);
    expect(await states()).toEqual(['next signing']);
  });
});
