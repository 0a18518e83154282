import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { User } from '../models/user.ts';
import { systemContext } from '../context/context.ts';
import { authenticateMailbox } from './authenticate-mailbox.ts';
import { resolveRecipient } from './resolve-recipient.ts';

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
    expect(await resolve('no address')).toMatchObject({ kind: 'reject' });
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
      expect(await resolve(mailbox.user.email)).toMatchObject({ kind: 'reject', reason: 'deleted_mailbox' });
    }
  });

  it("gives a domain's postmaster mail to the administrator of its company", async () => {
    const tenant = await buildCompany(app);
    const postmaster = `postmaster@${tenant.domain.domainName}`;
    expect(await resolve(postmaster)).toMatchObject({ kind: 'reject' });
    const admin = await buildMailbox(app, { tenant, roleNumber: 1 });
    expect(await resolve(postmaster)).toMatchObject({ kind: 'deliver', userId: String(admin.user.id) });
  });

  it("gives the host's own postmaster mail to the provider's administrator where the host's name is no mail domain", async () => {
    const config = { ...app.config, hostname: 'mx.nodomain.test' };
    const host = systemContext(Object.assign(Object.create(app) as App, { config }));
    const superAdmin = await User.findOne({ where: { email: app.config.adminEmail } });
    const answer = await resolveRecipient(host, 'Postmaster@mx.nodomain.test');
    expect(answer).toMatchObject({ kind: 'deliver', userId: String(superAdmin?.id) });
    expect(await resolveRecipient(host, 'ana@mx.nodomain.test')).toEqual({ kind: 'relay' });
  });
});

describe('authenticateMailbox', () => {
  const signIn = (email: string, password: string) => authenticateMailbox(systemContext(app), email, password);

  it('takes the right password and nothing else', async () => {
    expect(await signIn(ana.user.email, ana.password)).toMatchObject({ ok: true });
    expect(await signIn(ana.user.email, 'wrong')).toEqual({ ok: false, reason: 'wrong_credentials' });
    expect(await signIn('nobody@nowhere.test', ana.password)).toEqual({ ok: false, reason: 'wrong_credentials' });
  });

  it('refuses people who may not log in, and the account password where two-factor is on', async () => {
    const inactive = await buildMailbox(app, { user: { activeStatus: false } });
    expect(await signIn(inactive.user.email, inactive.password)).toEqual({ ok: false, reason: 'inactive' });
    const careful = await buildMailbox(app, { user: { twoFactorStatus: true } });
    expect(await signIn(careful.user.email, careful.password)).toEqual({ ok: false, reason: 'second_factor' });
  });
});
