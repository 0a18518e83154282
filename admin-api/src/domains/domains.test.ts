import { randomBytes } from 'node:crypto';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { proofOf, proveWaitingDomains } from '@selvage/core/directory/domain-proof';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { systemContext } from '@selvage/core/context/context';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let dns: DnsServer;
/** Administrators of two companies, and a person of the provider. */
let mine: Actor;
let other: Actor;
let staff: Actor;

interface Actor extends Mailbox {
  ask(method: string, path: string, body?: object): Promise<Answer>;
  add(name: string, overrides?: object): Promise<Answer>;
}

beforeAll(async () => {
  dns = await startDnsServer({});
  server = await startTestServer({ environment: { DNS_SERVERS: dns.address } });
  mine = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
  other = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
  const provider = await buildCompany(server.app, { isProvider: true });
  staff = await actorOf(await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
});

afterAll(() => dns.stop());

async function actorOf(mailbox: Mailbox): Promise<Actor> {
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ask: Actor['ask'] = (method, path, body) =>
    server.call(method, `/domain${path}`, { token, ...(body ? { body } : {}) });
  return {
    ...mailbox,
    ask,
    add: (name, overrides = {}) => ask('POST', '/create', { domain_name: name, ...overrides }),
  };
}

const newName = () => `mill${randomBytes(6).toString('hex')}.test`;
const dataOf = ({ body }: Answer) => body.data as DomainDetailDto;

async function added(actor: Actor, name = newName()): Promise<DomainDetailDto> {
  const answer = await actor.add(name);
  expect([answer.status, answer.body.message]).toEqual([200, 'Domain created successfully']);
  return dataOf(answer);
}

async function prove({ proof }: DomainDetailDto): Promise<void> {
  dns.addRecords(proof.name, { TXT: [proof.content] });
}

const resolve = async (address: string) => (await resolveRecipient(systemContext(server.app), address)).kind;

describe('a domain that a tenant adds', () => {
  it('takes no mail and has no addresses before its DNS proves it', async () => {
    const name = newName();
    const domain = await added(mine, name);
    expect(domain).toMatchObject({ domain_name: name, verified: false, active_status: true });
    expect(await resolve(`postmaster@${name}`)).toBe('relay');
    const job = await OutboxRow.findOne({ where: { jobName: 'domain.generate-dkim' }, order: [['id', 'DESC']] });
    expect(job?.payload).toEqual({ domainId: domain._id, selector: 'default' });

    const missing = await mine.ask('POST', `/verify/${domain._id}`);
    expect([missing.status, missing.body['code']]).toEqual([409, 'proof_missing']);
    dns.addRecords(domain.proof.name, 'TIMEOUT');
    await prove(domain);
    expect(dataOf(await mine.ask('POST', `/verify/${domain._id}`)).verified).toBe(true);
    expect(await resolve(`postmaster@${name}`)).toBe('deliver');
    expect(dataOf(await mine.ask('POST', `/verify/${domain._id}`)).verified).toBe(true);
    const events = await AuditEvent.findAll({ where: { entity: 'domain', entityId: domain._id }, order: ['id'] });
    expect(events.map(({ action }) => action)).toEqual(['domain:created', 'domain:proved']);
  });

  it('takes its name away from no company: the one that proves it owns it', async () => {
    const name = newName();
    const [first, second] = [await added(mine, name), await added(other, name)];
    expect(first.proof.content).not.toBe(second.proof.content);
    // The proof of one company proves nothing for another
    dns.addRecords(second.proof.name, { TXT: [second.proof.content] });
    expect((await mine.ask('POST', `/verify/${first._id}`)).body['code']).toBe('proof_missing');
    expect((await other.ask('POST', `/verify/${second._id}`)).status).toBe(200);
    dns.addRecords(first.proof.name, { TXT: [first.proof.content] });
    expect((await mine.ask('POST', `/verify/${first._id}`)).body['code']).toBe('domain_taken');
    const again = await staff.add(name, { company_id: String(mine.company.id) });
    expect([again.status, again.body['code']]).toEqual([409, 'domain_taken']);
  });

  it('is proved by one company when two prove it at the same time', async () => {
    const name = newName();
    const [first, second] = [await added(mine, name), await added(other, name)];
    dns.addRecords(name, { TXT: ['v=spf1 -all', first.proof.content, second.proof.content] });
    const answers = await Promise.all([
      mine.ask('POST', `/verify/${first._id}`),
      other.ask('POST', `/verify/${second._id}`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await Domain.count({ where: { domainName: name } })).toBe(2);
  });

  it('is asked about although a clock that was ahead has asked last', async () => {
    const domain = await added(mine);
    await prove(domain);
    await Domain.update({ proofAskedAt: new Date(Date.now() + 3_600_000) }, { where: { id: domain._id } });
    expect(await proveWaitingDomains(systemContext(server.app))).toContain(domain.domain_name);
  });

  it('is proved by the worker as well, which asks every domain that waits', async () => {
    const domain = await added(mine);
    const ctx = systemContext(server.app);
    await proveWaitingDomains(ctx);
    await prove(domain);
    expect(await proveWaitingDomains(ctx)).not.toContain(domain.domain_name);
    expect(await proveWaitingDomains(ctx, new Date(Date.now() + 6 * 60_000))).toContain(domain.domain_name);
    expect(dataOf(await mine.ask('GET', `/get/${domain._id}`)).verified).toBe(true);
  });

  it('is not proved for a company that is deleted', async () => {
    const gone = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
    const domain = await added(gone);
    await prove(domain);
    await gone.company.update({ deletedAt: new Date() });
    expect(await proveWaitingDomains(systemContext(server.app))).not.toContain(domain.domain_name);
    expect((await Domain.findByPk(domain._id))?.verifiedAt).toBeNull();
  });

  it('is asked for by one of two workers, and one that is taken meanwhile holds up no other', async () => {
    const ctx = systemContext(server.app);
    await proveWaitingDomains(ctx);
    const [domain, honest] = [await added(mine), await added(mine)];
    await prove(domain);
    await prove(honest);
    await Domain.create({
      companyId: String(other.company.id),
      domainName: domain.domain_name,
      verifiedAt: new Date(),
    });
    dns.questions.splice(0);
    const passes = await Promise.all([proveWaitingDomains(ctx), proveWaitingDomains(ctx)]);
    expect(passes.flat()).toEqual([honest.domain_name]);
    expect(dns.questions.filter((question) => question === `TXT ${honest.proof.name}`)).toHaveLength(1);
  });

  it('is not kept out by those that another company asked to add in its name', async () => {
    const [meddler, honest] = [
      await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin })),
      await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin })),
    ];
    const meddle = () => meddler.add(newName(), { company_id: String(honest.company.id) });
    expect((await meddle()).body.errors).toEqual({ company_id: 'Choose a company that is not deleted' });
    for (let n = 1; n < 30; n += 1) expect((await meddle()).status).toBe(422);
    expect((await meddle()).status).toBe(429);
    expect((await honest.add(newName())).status).toBe(200);
  });

  it('is one of at most fifty that wait, also when it is restored', async () => {
    const eager = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
    const { _id: id } = await added(eager);
    await Domain.update({ deletedAt: new Date() }, { where: { id } });
    const companyId = String(eager.company.id);
    await Domain.bulkCreate(Array.from({ length: 50 }, () => ({ companyId, domainName: newName() })));
    const restore = () => eager.ask('PATCH', `/restore/${id}`);
    expect((await restore()).body['code']).toBe('too_many_unproved');
    await Domain.update({ verifiedAt: new Date() }, { where: { companyId, deletedAt: null } });
    expect((await restore()).status).toBe(200);
  });

  it('is one of at most fifty that wait, and thirty an hour', async () => {
    const eager = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
    const companyId = String(eager.company.id);
    await Domain.bulkCreate(Array.from({ length: 50 }, () => ({ companyId, domainName: newName() })));
    expect((await eager.add(newName())).body['code']).toBe('too_many_unproved');
    await Domain.update({ verifiedAt: new Date() }, { where: { companyId } });
    const answers: number[] = [];
    for (let n = 0; n < 30; n += 1) answers.push((await eager.add(newName())).status);
    expect([answers.filter((status) => status === 200).length, answers.at(-1)]).toEqual([29, 429]);
  });

  it.each([
    ['SERVFAIL', /answer with an error \(SERVFAIL\).*DNSSEC/],
    ['REFUSED', /answer with an error \(REFUSED\)/],
    ['TIMEOUT', /^The name servers did not answer\.$/],
  ] as const)('is told apart from a missing record when its name servers say %s', async (failure, text) => {
    const domain = await added(mine);
    dns.addRecords(domain.proof.name, failure);
    const answer = await mine.ask('POST', `/verify/${domain._id}`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'proof_unanswered']);
    expect(answer.body.message).toMatch(text);
    const guide = await mine.ask('GET', `/getnewclient/dnssetup?domain_id=${domain._id}`);
    const { steps } = guide.body.data as SetupGuideDto;
    expect(steps.find(({ name }) => name === 'prove')).toMatchObject({
      state: 'unknown',
      details: answer.body.message,
    });
  });

  it('says which text the DNS has in place of the proof', async () => {
    const domain = await added(mine);
    dns.addRecords(domain.proof.name, { TXT: ['selvage-verification=another'] });
    const answer = await mine.ask('POST', `/verify/${domain._id}`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'proof_missing']);
    expect(answer.body.message).toContain(
      `At ${domain.proof.name} the DNS has another text: “selvage-verification=another”`,
    );
  });

  it.each([
    ['in pieces', (text: string) => [Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))]],
    ['in quotation marks that the form of the registrar kept', (text: string) => `"${text}"`],
    ['in capitals with a space', (text: string) => ` ${text.toUpperCase()}`],
  ])('is verified by a record %s', async (_how, kept) => {
    const domain = await added(mine);
    dns.addRecords(domain.proof.name, { TXT: [kept(domain.proof.content)] });
    expect((await mine.ask('POST', `/verify/${domain._id}`)).status).toBe(200);
  });

  it('can be vouched for by the provider alone', async () => {
    const domain = await added(mine);
    expect((await mine.ask('POST', `/vouch/${domain._id}`)).status).toBe(403);
    expect(domain.abilities.vouch).toBe(false);
    expect(dataOf(await staff.ask('GET', `/get/${domain._id}`)).abilities.vouch).toBe(true);
    expect(dataOf(await staff.ask('POST', `/vouch/${domain._id}`)).verified).toBe(true);
    expect((await Domain.findByPk(domain._id))?.vouchedBy).toBe(String(staff.user.id));
    const given = dataOf(await staff.add(newName(), { company_id: String(other.company.id) }));
    expect([given.verified, given.company_id._id]).toEqual([true, String(other.company.id)]);
  });
});

describe('the name of a domain', () => {
  it.each([
    ['in upper case', (name: string) => name.toUpperCase(), (name: string) => name],
    ['with the dot of the root', (name: string) => `${name}.`, (name: string) => name],
    ['below another one', (name: string) => `eu.${name}`, (name: string) => `eu.${name}`],
    [
      'in letters of its own',
      (name: string) => `b\u00fc${name}`,
      (name: string) => new URL(`http://b\u00fc${name}`).hostname,
    ],
  ])('is taken %s', async (_what, typed, stored) => {
    const name = newName();
    expect((await added(mine, typed(name))).domain_name).toBe(stored(name));
  });

  it.each([
    '',
    'localhost',
    'co.uk',
    '192.0.2.1',
    'under_score.test',
    'a@b.test',
    'two words.test',
    'x.t',
    `${'a'.repeat(64)}.test`,
    `${'abc.'.repeat(62)}test`,
    'exam\u202eple.test',
    "x'; DROP TABLE domains; --.test",
  ])('is refused as %j', async (typed) => {
    const answer = await mine.add(typed);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['domain_name']]);
  });

  it('is refused when it is the name of this host, or looks like another domain', async () => {
    expect((await mine.add(server.app.config.hostname)).status).toBe(422);
    const name = newName();
    await staff.add(name, { company_id: String(other.company.id) });
    const similar = name.replace('mill', 'mi1l');
    const asked = await mine.add(similar);
    expect([asked.status, asked.body['code']]).toEqual([409, 'similar_domain']);
    // What another company has is not told
    expect(asked.body.message).not.toContain(name);
    expect((await mine.add(similar, { similar_domain_ok: true })).status).toBe(200);
  });

  it('stays with its company, which may have it once', async () => {
    const name = newName();
    await added(mine, name);
    expect((await mine.add(name)).body['code']).toBe('domain_taken');
    const foreign = await mine.add(newName(), { company_id: String(other.company.id) });
    expect([foreign.status, Object.keys(foreign.body.errors ?? {})]).toEqual([422, ['company_id']]);
  });

  it('is not moved to another company, not even by the provider', async () => {
    const { _id } = await added(mine);
    const move = (company_id: string) => staff.ask('PUT', `/update/${_id}`, { company_id, active_status: true });
    const moved = await move(String(other.company.id));
    expect([moved.status, moved.body.errors]).toEqual([422, { company_id: 'The company cannot be changed' }]);
    expect((await move(String(mine.company.id))).status).toBe(200);
  });
});

describe('a domain', () => {
  it('is listed, filtered and searched in the scope of the caller', async () => {
    const name = newName();
    const { _id } = await added(mine, name);
    const found = async (actor: Actor, query: string) => {
      const { body } = await actor.ask('GET', `/get/all?limit=80&${query}`);
      return (body.data as DomainDetailDto[]).map((domain) => domain._id);
    };
    expect(await found(mine, `search=${name.slice(2, 12)}`)).toEqual([_id]);
    expect(await found(other, `search=${name}`)).toEqual([]);
    expect(await found(staff, `search=${name}&company_id=${mine.company.id}`)).toEqual([_id]);
    expect(await found(staff, `search=${name}&state=deleted`)).toEqual([]);
    expect((await mine.ask('GET', '/get/all?sort=id;DROP')).status).toBe(422);
  });

  it('changes its day and its state, of two forms that started from the same version once', async () => {
    const { _id, version } = await added(mine);
    const first = await mine.ask('PUT', `/update/${_id}`, {
      expiration_date: '2027-02-28',
      active_status: false,
      version,
    });
    expect(dataOf(first)).toMatchObject({ expiration_date: '2027-02-28', active_status: false, version: version + 1 });
    const second = await mine.ask('PUT', `/update/${_id}`, { active_status: true, version });
    expect([second.status, second.body['code']]).toEqual([409, 'changed_meanwhile']);
    expect((await mine.ask('PUT', `/update/${_id}`, { expiration_date: '2027-02-30' })).status).toBe(422);
    expect(dataOf(await mine.ask('PUT', `/update/${_id}`, { expiration_date: '' })).expiration_date).toBeNull();
  });

  it('is deleted, restored, and for good only without addresses', async () => {
    const domain = await added(mine);
    await prove(domain);
    await mine.ask('POST', `/verify/${domain._id}`);
    const ana = await buildMailbox(server.app, {
      tenant: { ...mine, domain: await Domain.findByPk(domain._id, { rejectOnEmpty: true }) },
    });
    expect((await mine.ask('DELETE', `/permanent-delete/${domain._id}`)).body['code']).toBe('not_deleted');
    expect((await mine.ask('DELETE', `/delete/${domain._id}`)).status).toBe(200);
    expect(await resolve(ana.user.email)).toBe('reject');
    expect((await mine.ask('DELETE', `/permanent-delete/${domain._id}`)).body['code']).toBe('domain_in_use');
    // It is still the company's
    expect((await other.add(domain.domain_name)).body['code']).toBe('domain_taken');
    expect((await mine.ask('PATCH', `/restore/${domain._id}`)).status).toBe(200);
    expect(await resolve(ana.user.email)).toBe('deliver');

    const empty = await added(mine);
    await mine.ask('DELETE', `/delete/${empty._id}`);
    expect((await mine.ask('DELETE', `/permanent-delete/${empty._id}`)).status).toBe(200);
    expect((await mine.ask('GET', `/get/${empty._id}`)).status).toBe(404);
  });

  it('counts toward the plan, deleted ones once they are restored', async () => {
    const actor = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
    await actor.company.update({ maxDomains: 2 });
    const second = await added(actor);
    expect((await actor.add(newName())).body['code']).toBe('domains_limit_reached');
    await actor.ask('DELETE', `/delete/${second._id}`);
    await added(actor);
    expect((await actor.ask('PATCH', `/restore/${second._id}`)).body['code']).toBe('domains_limit_reached');
  });
});

describe('the records of a domain', () => {
  // A company adds thirty domains an hour
  beforeAll(async () => {
    mine = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
  });

  const mx = { record_name: 'Mail', type: 'MX', name: '@', priority: 10, content: 'mx.host.test', ttl: 3600 };

  it('are added, changed and deleted one by one', async () => {
    const { _id } = await added(mine);
    const save = (record: object, dnsId?: string) =>
      mine.ask('PUT', `/update/${_id}`, { dns_records: record, ...(dnsId ? { dns_id: dnsId } : {}) });
    const [first] = dataOf(await save(mx)).dns_records;
    expect(first).toMatchObject(mx);
    const long = { type: 'TXT', name: 'Key._DomainKey', content: `v=DKIM1; p=${'A'.repeat(600)}` };
    const both = dataOf(await save(long)).dns_records;
    expect(both.map(({ type, name, priority, ttl }) => [type, name, priority, ttl])).toEqual([
      ['MX', '@', 10, 3600],
      ['TXT', 'key._domainkey', 0, 3600],
    ]);
    const changed = dataOf(
      await save({ ...mx, priority: '' as unknown as number, content: 'mx2.host.test' }, first?._id),
    );
    expect(changed.dns_records[0]).toMatchObject({ priority: 0, content: 'mx2.host.test' });
    const left = dataOf(await mine.ask('DELETE', `/delete/${_id}?dns_id=${first?._id}`));
    expect([left.deletedAt, left.dns_records.length]).toEqual([null, 1]);
    expect((await mine.ask('DELETE', `/delete/${_id}?dns_id=${first?._id}`)).status).toBe(404);
    const inBody = await mine.ask('DELETE', `/delete/${_id}`, { dns_id: left.dns_records[0]?._id });
    expect(dataOf(inBody)).toMatchObject({ deletedAt: null, dns_records: [] });
    const strange = await added(other);
    const foreign = await other.ask('PUT', `/update/${strange._id}`, {
      dns_records: mx,
      dns_id: left.dns_records[0]?._id,
    });
    expect(foreign.status).toBe(404);
  });

  it('are kept by their names below the domain, also when a full name was typed', async () => {
    const { _id, domain_name: domain } = await added(mine);
    for (const name of [domain, `WWW.${domain}`, `_dmarc.${domain}.`, '*']) {
      await mine.ask('PUT', `/update/${_id}`, { dns_records: { ...mx, name } });
    }
    const { dns_records: records } = dataOf(await mine.ask('GET', `/get/${_id}`));
    expect(records.map(({ name }) => name)).toEqual(['*', '@', '_dmarc', 'www']);
  });

  it('are the text that a zone file writes in pieces', async () => {
    const { _id, domain_name: domain } = await added(mine);
    const content = String.raw`"v=DKIM1; k=rsa; " "p=QUJD\;x"`;
    await mine.ask('PUT', `/update/${_id}`, { dns_records: { type: 'TXT', name: 'key._domainkey', content } });
    const { dns_records: records } = dataOf(await mine.ask('GET', `/get/${_id}`));
    expect(records.map((record) => record.content)).toEqual(['v=DKIM1; k=rsa; p=QUJD;x']);
    dns.addRecords(`key._domainkey.${domain}`, { TXT: [['v=DKIM1; k=rsa; ', 'p=QUJD;x']] });
    const compared = await mine.ask('GET', `/records/${_id}`);
    expect(compared.body.data).toMatchObject([{ state: 'same' }]);
  });

  it('are changed by one of two forms that started from the same version', async () => {
    const { _id } = await added(mine);
    const {
      dns_records: [record],
      version,
    } = dataOf(await mine.ask('PUT', `/update/${_id}`, { dns_records: mx }));
    const change = (content: string) =>
      mine.ask('PUT', `/update/${_id}`, { dns_records: { ...mx, content }, dns_id: record?._id, version });
    const [first, second] = [await change('one.test.example'), await change('two.test.example')];
    expect([first.status, second.status, second.body.code]).toEqual([200, 409, 'changed_meanwhile']);
    const { dns_records: kept } = dataOf(await mine.ask('GET', `/get/${_id}`));
    expect(kept.map(({ content }) => content)).toEqual(['one.test.example']);
  });

  it.each([
    [{ type: 'A', content: '300.1.1.1' }, 'content'],
    [{ type: 'A', content: '2001:db8::1' }, 'content'],
    [{ type: 'AAAA', content: '192.0.2.1' }, 'content'],
    [{ type: 'CNAME', content: 'not a host' }, 'content'],
    [{ type: 'MX', content: '' }, 'content'],
    [{ type: 'TXT', content: 'li\u0000ne' }, 'content'],
    [{ type: 'TXT', content: 'x'.repeat(4097) }, 'content'],
    [{ type: 'MX', priority: 65_536 }, 'priority'],
    [{ type: 'SRV' }, 'type'],
    [{ name: 'a b' }, 'name'],
    [{ type: 'MX', priority: '0x10' }, 'priority'],
    [{ ttl: 5 }, 'ttl'],
    [{ ttl: '36e2' }, 'ttl'],
  ])('are refused with %j', async (wrong, field) => {
    const { _id } = await added(mine);
    const answer = await mine.ask('PUT', `/update/${_id}`, { dns_records: { ...mx, ...wrong } });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [`dns_records.${field}`]]);
  });
});

describe('the DKIM record', () => {
  // A company adds thirty domains an hour
  beforeAll(async () => {
    mine = await actorOf(await buildMailbox(server.app, { roleNumber: builtInRole.admin }));
  });

  it('is that of the key, and asked for again the same', async () => {
    const domain = await added(mine);
    const key = { companyId: String(mine.company.id), domainId: domain._id, publicKey: 'QUJD', privateKey: 'sealed' };
    await DkimKey.create({ ...key, selector: 'spring' });
    const ask = (body: object) => mine.ask('POST', '/generatopendkim', body);
    const { body } = await ask({ domain: domain.domain_name.toUpperCase(), selector: 'Spring' });
    expect(body.data).toEqual({
      domain: domain.domain_name,
      record_name: `spring._domainkey.${domain.domain_name}`,
      type: 'TXT',
      content: 'v=DKIM1; k=rsa; p=QUJD',
    });
    expect((await ask({ domain: '' })).body.errors).toEqual({ domain: 'Please enter a domain' });
    expect((await ask({ domain: domain.domain_name, selector: 'a.b' })).status).toBe(422);
    const strange = await other.ask('POST', '/generatopendkim', { domain: domain.domain_name });
    expect([strange.status, Object.keys(strange.body.errors ?? {})]).toEqual([422, ['domain']]);
  });

  it('is asked of a job when there is no key, and has no content until there is one', async () => {
    const domain = await added(mine);
    const { body } = await mine.ask('POST', '/generatopendkim', { domain: domain.domain_name, selector: 'autumn' });
    expect(body.data).toMatchObject({ record_name: `autumn._domainkey.${domain.domain_name}`, content: null });
    const where = { entity: 'domain', entityId: domain._id, action: 'dkim-key:asked' };
    await mine.ask('POST', '/generatopendkim', { domain: domain.domain_name, selector: 'autumn' });
    expect(await AuditEvent.count({ where })).toBe(1);
    const job = await OutboxRow.findOne({ where: { jobName: 'domain.generate-dkim' }, order: [['id', 'DESC']] });
    expect(job?.payload).toEqual({ domainId: domain._id, selector: 'autumn' });
  });
});

it('makes a proof that fits into one string of a TXT record, and is another for each domain', () => {
  const proof = (companyId: string, domainName: string) => proofOf(server.app, { companyId, domainName });
  expect(proof('1', 'a.test')).toEqual(proof('1', 'a.test'));
  expect(new Set(['1', '2'].flatMap((id) => ['a.test', 'b.test'].map((name) => proof(id, name).content))).size).toBe(4);
  expect(proof('1', 'a.test').content.length).toBeLessThan(255);
});
