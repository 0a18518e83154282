import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildAlias, buildCompany, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { queriesOf } from '../../../tests/support/queries-of.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { Address } from '../models/address.ts';
import { Domain } from '../models/domain.ts';
import { User } from '../models/user.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { UniqueConstraintError } from 'sequelize';
import { authenticateMailbox } from './authenticate-mailbox.ts';
import { insertRows } from '../database/insert-rows.ts';
import { insertPeople } from './insert-people.ts';
import { eraseCompanyRows, eraseUserRows } from './erase-rows.ts';
import { isProofAwaited } from './find-addresses.ts';
import { findAddressId, resolveRecipient } from './resolve-recipient.ts';

let app: App;
let ana: Mailbox;

beforeAll(async () => {
  app = await testApp();
  ana = await buildMailbox(app, { local: 'ana' });
});

const resolve = (address: string) => resolveRecipient(systemContext(app), address);

describe('resolveRecipient', () => {
  it('delivers to a mailbox, in any case of letters and with a tag', async () => {
    const delivered = { kind: 'deliver', userId: String(ana.user.id), companyId: String(ana.company.id) };
    expect(await resolve(ana.user.email)).toMatchObject(delivered);
    expect(await resolve(ana.user.email.toUpperCase())).toMatchObject(delivered);
    expect(await resolve(`ana+news@${ana.domain.domainName}`)).toMatchObject(delivered);
  });

  it('rejects an unknown name in a domain of the host and leaves other domains alone', async () => {
    expect(await resolve(`nobody@${ana.domain.domainName}`)).toMatchObject({ kind: 'reject', enhancedCode: '5.1.1' });
    expect(await resolve('somebody@elsewhere.test')).toEqual({ kind: 'relay' });
    expect(await resolve('no address')).toMatchObject({ kind: 'reject', companyId: null });
  });

  it('says of a refusal whose address or domain it is, without a further statement for a good one', async () => {
    const companyId = String(ana.company.id);
    const inactive = await buildMailbox(app, { tenant: ana, user: { activeStatus: false } });
    for (const address of [`nobody@${ana.domain.domainName}`, inactive.user.email]) {
      expect([address, await resolve(address)]).toMatchObject([address, { companyId }]);
    }
    const statements = await queriesOf(app, async () => await resolve(ana.user.email));
    expect(statements).toHaveLength(1);
  });

  it('defers for what is inactive and rejects for what is deleted, be it person, domain or company', async () => {
    for (const part of ['user', 'domain', 'company'] as const) {
      const mailbox = await buildMailbox(app);
      const change = (values: { activeStatus?: boolean; deletedAt?: Date }) => {
        if (part === 'user') return mailbox.user.update(values);
        return part === 'domain' ? mailbox.domain.update(values) : mailbox.company.update(values);
      };
      await change({ activeStatus: false });
      expect(await resolve(mailbox.user.email)).toMatchObject({ kind: 'defer', code: 450, enhancedCode: '4.2.1' });
      await change({ deletedAt: new Date() });
      const gone = await resolve(mailbox.user.email);
      expect(gone).toMatchObject({ kind: 'reject', code: 550, reason: 'deleted_mailbox' });
      expect('hasLeft' in gone).toBe(part !== 'user');
    }
  });

  it("gives a domain's postmaster mail to the administrators of its company", async () => {
    const tenant = await buildCompany(app);
    const postmaster = `postmaster@${tenant.domain.domainName}`;
    const admin = await buildMailbox(app, { tenant, roleNumber: 1 });
    expect(await resolve(postmaster)).toMatchObject({
      kind: 'deliver',
      userId: String(admin.user.id),
      expansion: { by: 'group', to: admin.user.email },
    });
    const second = await buildMailbox(app, { tenant, roleNumber: 1 });
    const resolution = await resolve(postmaster);
    expect(resolution).toMatchObject({
      kind: 'group',
      members: [admin, second].map(({ user }) => ({ userId: String(user.id), expansion: { to: user.email } })),
    });
  });

  it("gives postmaster mail of a company without an administrator in use to the provider's", async () => {
    const tenant = await buildCompany(app);
    const admin = await buildMailbox(app, { tenant, roleNumber: 1, user: { activeStatus: false } });
    const superAdmin = await User.findOne({ where: { email: app.config.adminEmail }, rejectOnEmpty: true });
    const provided = { kind: 'deliver', userId: String(superAdmin.id), companyId: String(superAdmin.companyId) };
    expect(await resolve(`mailer-daemon@${tenant.domain.domainName}`)).toMatchObject({ kind: 'reject' });
    for (const name of ['postmaster', 'Abuse']) {
      expect(await resolve(`${name}@${tenant.domain.domainName}`)).toMatchObject(provided);
    }
    await admin.user.update({ activeStatus: true });
    const elsewhere = await Domain.create({
      companyId: String(tenant.company.id),
      domainName: 'off.test',
      activeStatus: false,
    });
    await admin.user.update({ domainId: String(elsewhere.id) });
    expect(await resolve(`postmaster@${tenant.domain.domainName}`)).toMatchObject(provided);
    await admin.user.update({ domainId: String(tenant.domain.id) });
    const own = { kind: 'deliver', userId: String(admin.user.id) };
    expect(await resolve(`postmaster@${tenant.domain.domainName}`)).toMatchObject(own);
  });

  it("gives the host's own postmaster mail to the provider's administrator where the host's name is no mail domain", async () => {
    const config = { ...app.config, hostname: 'mx.nodomain.test' };
    const host = systemContext(Object.assign(Object.create(app) as App, { config }));
    const superAdmin = await User.findOne({ where: { email: app.config.adminEmail } });
    const answer = await resolveRecipient(host, 'Postmaster@mx.nodomain.test');
    expect(answer).toMatchObject({ kind: 'deliver', userId: String(superAdmin?.id) });
    const ofReports = 'mailer-daemon@mx.nodomain.test';
    expect(await resolveRecipient(host, ofReports.toUpperCase())).toEqual({ ...answer, address: ofReports });
    expect(await resolveRecipient(host, 'ana@mx.nodomain.test')).toEqual({ kind: 'relay' });
  });
});

describe('isProofAwaited', () => {
  it('holds for a domain without a proof, and for one that was proved since it was looked up', async () => {
    const { company, domain } = await buildCompany(app);
    const isAwaited = () => isProofAwaited(systemContext(app), domain.domainName);
    expect(await isAwaited()).toBe(true);
    await domain.update({ verifiedAt: null });
    expect(await isAwaited()).toBe(true);
    await domain.update({ deletedAt: new Date() });
    expect(await isAwaited()).toBe(false);
    await domain.update({ verifiedAt: new Date(), deletedAt: null });
    // Its mail goes where its DNS says
    await company.update({ deletedAt: new Date() });
    expect(await isAwaited()).toBe(false);
    expect(await isProofAwaited(systemContext(app), 'elsewhere.test')).toBe(false);
  });
});

/** A company with two people of it. */
async function scene() {
  const first = await buildMailbox(app);
  const second = await buildMailbox(app, { tenant: first });
  const at = (local: string) => `${local}@${first.domain.domainName}`;
  const setCatchAll = async (address: string | null) => {
    const target = address && (await Address.findOne({ where: { address }, rejectOnEmpty: true }));
    await first.domain.update({ catchAllId: target && String(target.id) });
  };
  return { first, second, at, setCatchAll };
}

const idOf = ({ user }: Mailbox) => String(user.id);

describe('addresses beyond mailboxes', () => {
  it('leads an alias to its person, in any case of letters and with a tag', async () => {
    const { first, at } = await scene();
    await buildAlias(first, 'sales');
    const expansion = { by: 'alias', to: first.user.email };
    for (const address of [at('sales'), at('SALES'), at('sales+fair')]) {
      const found = { kind: 'deliver', userId: idOf(first), address: address.toLowerCase(), expansion };
      expect(await resolve(address)).toMatchObject(found);
    }
    expect(await resolve(first.user.email)).not.toHaveProperty('expansion');
  });

  it('treats an alias like its person: deferred while inactive, rejected while deleted', async () => {
    const { first, at } = await scene();
    await buildAlias(first, 'sales');
    await first.user.update({ activeStatus: false });
    expect(await resolve(at('sales'))).toMatchObject({ kind: 'defer', code: 450 });
    await first.user.update({ deletedAt: new Date() });
    expect(await resolve(at('sales'))).toMatchObject({ kind: 'reject', reason: 'deleted_mailbox' });
    await first.user.update({ deletedAt: null, activeStatus: true });
    expect(await resolve(at('sales'))).toMatchObject({ kind: 'deliver' });
  });

  it('leads a group to its members who take mail now', async () => {
    const { first, second, at } = await scene();
    const group = await buildGroup(first, { local: 'team', members: [first, second] });
    const member = (mailbox: Mailbox) => ({
      userId: idOf(mailbox),
      companyId: String(mailbox.company.id),
      address: at('team+x'),
      expansion: { by: 'group', to: mailbox.user.email },
    });
    expect(await resolve(at('team+x'))).toEqual({ kind: 'group', members: [member(first), member(second)] });
    await first.user.update({ activeStatus: false });
    expect(await resolve(at('team+x'))).toEqual({ kind: 'group', members: [member(second)] });
    await second.user.update({ deletedAt: new Date() });
    expect(await resolve(at('team'))).toMatchObject({ kind: 'defer', code: 450 });
    await first.user.update({ deletedAt: new Date() });
    expect(await resolve(at('team'))).toMatchObject({ kind: 'reject', reason: 'unknown_recipient' });
    await first.user.update({ deletedAt: null, activeStatus: true });
    await group.update({ activeStatus: false });
    expect(await resolve(at('team'))).toMatchObject({ kind: 'defer', code: 450 });
  });

  it('leads names that a domain does not have to its catch-all, a person or a group', async () => {
    const { first, second, at, setCatchAll } = await scene();
    const group = await buildGroup(first, { members: [first, second] });
    await setCatchAll(second.user.email);
    const expansion = { by: 'catch_all', to: second.user.email };
    expect(await resolve(at('anything'))).toMatchObject({ kind: 'deliver', userId: idOf(second), expansion });
    expect(await resolve(first.user.email)).toMatchObject({ userId: idOf(first) });
    await setCatchAll(group.address);
    const answer = await resolve(at('anything'));
    expect(answer).toMatchObject({ kind: 'group', members: [{ address: at('anything') }, { expansion }] });
    await setCatchAll(null);
    expect(await resolve(at('anything'))).toMatchObject({ kind: 'reject', reason: 'unknown_recipient' });
  });

  it('says of no domain that it has left because the address of its catch-all is in one that has', async () => {
    const { first, at, setCatchAll } = await scene();
    const domain = await Domain.create({ companyId: String(first.company.id), domainName: `left-${at('x').slice(2)}` });
    const { user } = await buildMailbox(app, { tenant: { ...first, domain } });
    await setCatchAll(user.email);
    expect(await resolve(at('anything'))).toMatchObject({ kind: 'deliver', userId: String(user.id) });
    await domain.update({ deletedAt: new Date() });
    const companyId = String(first.company.id);
    const answer = { kind: 'reject', reason: 'unknown_recipient', text: 'No such mailbox here', companyId };
    expect(await resolve(at('anything'))).toMatchObject(answer);
    expect(await resolve(at('anything'))).not.toHaveProperty('hasLeft');
  });

  it('gives no mail of a deleted mailbox, and none for postmaster, to the catch-all', async () => {
    const { first, second, at, setCatchAll } = await scene();
    await setCatchAll(second.user.email);
    await first.user.update({ deletedAt: new Date() });
    expect(await resolve(first.user.email)).toMatchObject({ kind: 'reject', reason: 'deleted_mailbox' });
    const superAdmin = await User.findOne({ where: { email: app.config.adminEmail }, rejectOnEmpty: true });
    expect(await resolve(at('postmaster'))).toMatchObject({ kind: 'deliver', userId: String(superAdmin.id) });
    const admin = await buildMailbox(app, { tenant: first, roleNumber: 1 });
    expect(await resolve(at('postmaster'))).toMatchObject({ userId: idOf(admin) });
  });

  it('gives mail by which authorities prove a domain to its administrators where a catch-all would read it', async () => {
    const { first, second, at, setCatchAll } = await scene();
    const admin = await buildMailbox(app, { tenant: first, roleNumber: 1 });
    const names = ['Admin', 'administrator', 'webmaster', 'hostmaster'];
    for (const name of names) expect(await resolve(at(name))).toMatchObject({ kind: 'reject', code: 550 });
    await setCatchAll(second.user.email);
    for (const name of names) {
      expect(await resolve(at(name))).toMatchObject({ userId: idOf(admin), expansion: { by: 'group' } });
      expect(await findAddressId(systemContext(app), at(name.toLowerCase()))).toBeNull();
    }
    const { address } = await buildAlias(second, 'webmaster');
    expect(await resolve(address)).toMatchObject({ userId: idOf(second), expansion: { by: 'alias' } });
  });

  it('finds a mailbox with one statement, by keys alone', async () => {
    const { first } = await scene();
    const { ctx, plans } = explaining(app);
    expect(await resolveRecipient(ctx, first.user.email)).toMatchObject({ kind: 'deliver' });
    expect(plans).toHaveLength(1);
    expect(plans[0]?.map(({ type }) => type)).not.toContain('ALL');
    expect(plans[0]?.find(({ table }) => table === 'a')).toMatchObject({ key: 'addresses_address' });
  });
});

describe('the address of a mailbox', () => {
  const ownerOf = async (address: string) => (await Address.findOne({ where: { address } }))?.userId;

  it('is owned from the start, however the person is added', async () => {
    const { first, at } = await scene();
    expect(String(await ownerOf(first.user.email))).toBe(idOf(first));
    const { companyId, roleId, passwordHash, fname } = first.user;
    const person = { companyId, roleId, passwordHash, fname };
    await User.bulkCreate([{ ...person, email: at('bulk') }]);
    expect(await resolve(at('bulk'))).toMatchObject({ kind: 'deliver' });
    const people = [at('one'), at('two')].map((email) => ({ ...person, email }));
    const ids = await inTransaction(systemContext(app), (tx) => insertPeople(tx, people));
    for (const [index, { email }] of people.entries()) {
      expect(await resolve(email)).toMatchObject({ kind: 'deliver', userId: ids[index] });
    }
    const bare = insertRows(systemContext(app), User, [{ ...person, email: at('bare') }]);
    await expect(bare).rejects.toThrow('has hooks');
  });

  it('is refused to a person when an alias has it', async () => {
    const { first, at } = await scene();
    await buildAlias(first, 'sales');
    const { companyId, roleId, passwordHash, fname } = first.user;
    const add = inTransaction(systemContext(app), async ({ tx }) => {
      await User.create({ companyId, roleId, passwordHash, fname, email: at('sales') }, { transaction: tx });
    });
    await expect(add).rejects.toBeInstanceOf(UniqueConstraintError);
    expect(await User.count({ where: { email: at('sales') } })).toBe(0);
  });

  it('is free once the person is erased, with their aliases', async () => {
    const { first, second, at, setCatchAll } = await scene();
    const alias = await buildAlias(first, 'sales');
    await buildGroup(first, { local: 'team', members: [first, second] });
    await setCatchAll(first.user.email);
    await first.user.update({ deletedAt: new Date() });
    expect(String(await ownerOf(alias.address))).toBe(idOf(first));
    await first.user.update({ erasedAt: new Date() });
    await eraseUserRows(systemContext(app), idOf(first));
    expect(await ownerOf(first.user.email)).toBeUndefined();
    expect(await resolve(alias.address)).toMatchObject({ kind: 'reject', reason: 'unknown_recipient' });
    expect(await resolve(at('team'))).toMatchObject({ members: [{ userId: idOf(second) }] });
  });
});

describe('a company that is erased', () => {
  it('frees all its addresses, also a group that is a catch-all', async () => {
    const { first, second, at, setCatchAll } = await scene();
    await buildAlias(first, 'sales');
    const group = await buildGroup(first, { members: [first, second] });
    await setCatchAll(group.address);
    await first.company.update({ deletedAt: new Date(), erasedAt: new Date() });
    expect(await eraseCompanyRows(systemContext(app), String(first.company.id))).toBe(true);
    expect(await Address.count({ where: { companyId: String(first.company.id) } })).toBe(0);
    expect(await resolve(at('sales'))).toEqual({ kind: 'relay' });
  });
});

describe('authenticateMailbox', () => {
  const signIn = (email: string, password: string) => authenticateMailbox(systemContext(app), email, password);

  it('takes the right password and nothing else', async () => {
    expect(await signIn(ana.user.email, ana.password)).toMatchObject({ ok: true });
    expect(await signIn(ana.user.email, 'wrong')).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    expect(await signIn('nobody@nowhere.test', ana.password)).toMatchObject({ ok: false, reason: 'wrong_credentials' });
  });

  it('refuses people who may not log in, and the account password where two-factor is on', async () => {
    const inactive = await buildMailbox(app, { user: { activeStatus: false } });
    expect(await signIn(inactive.user.email, inactive.password)).toMatchObject({ ok: false, reason: 'inactive' });
    const careful = await buildMailbox(app, { user: { twoFactorStatus: true } });
    expect(await signIn(careful.user.email, careful.password)).toMatchObject({ ok: false, reason: 'second_factor' });
  });
});
