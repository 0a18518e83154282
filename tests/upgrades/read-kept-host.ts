import { buffer } from 'node:stream/consumers';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { authenticateMailbox } from '@selvage/core/directory/authenticate-mailbox';
import { accountForMail, type MailAccounts } from '@selvage/core/ledger/account-for-mail';
import { avatarKey } from '@selvage/core/models/avatar-path';
import { Company } from '@selvage/core/models/company';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { User } from '@selvage/core/models/user';
import { dkimKeyPurpose } from '@selvage/core/outbound/signing-keys';
import { hashOf, type KeptMailbox, readMailbox } from './read-mailbox.ts';
import { keptAppPassword, keptPassword, twoFactorPurpose } from './kept-settings.ts';

/** A person of a host. */
interface KeptPerson {
  email: string;
  name: string;
  company: string;
  isActive: boolean;
  isDeleted: boolean;
  /** Hash of the picture's bytes. */
  picture: string | null;
  twoFactorSecret: string | null;
  /** What a mail program is told: with the person's own password, and with an app password. */
  logins: string[];
  mailbox: KeptMailbox;
}

/** All that a host shows of itself, so that it can be compared before and after an upgrade. */
export interface KeptHost {
  people: KeptPerson[];
  ledger: Record<string, MailAccounts>;
  /** Selectors with hashes of the two keys. */
  signing: string[];
}

/**
 * Reads everything that a host shows of itself, by the functions that its processes read with. What
 * later versions add is left out, so that the answer for a kept version stays the same.
 */
export async function readKeptHost(app: App): Promise<KeptHost> {
  const ctx = systemContext(app);
  const companies = await Company.findAll({ attributes: ['id', 'name'], order: [['id', 'ASC']] });
  const names = new Map(companies.map(({ id, name }) => [String(id), name]));
  const ledger: KeptHost['ledger'] = { host: await accountForMail(ctx, { kind: 'host' }) };
  for (const [companyId, name] of names) ledger[name] = await accountForMail(ctx, { kind: 'company', companyId });
  const people: KeptPerson[] = [];
  for (const user of await User.findAll({ order: [['id', 'ASC']] })) {
    people.push(await readPerson(ctx, user, names.get(String(user.companyId)) ?? ''));
  }
  const keys = await DkimKey.findAll({ order: [['id', 'ASC']] });
  const signing = keys.map(({ selector, publicKey, privateKey }) => {
    const opened = app.secrets.open(privateKey, dkimKeyPurpose);
    return [selector, hashOf(publicKey), hashOf(opened)].join(' ');
  });
  return { people, ledger, signing };
}

async function readPerson(ctx: Ctx, user: User, company: string): Promise<KeptPerson> {
  const { email, fname, lname, activeStatus, deletedAt, avatar, twoFactorSecret } = user;
  const picture = avatarKey(avatar);
  const passwords = [keptPassword, keptAppPassword];
  const logins: string[] = [];
  for (const password of passwords) {
    const login = await authenticateMailbox(ctx, email, password);
    logins.push(login.ok ? 'ok' : login.reason);
  }
  return {
    email,
    name: `${fname} ${lname}`,
    company,
    isActive: activeStatus,
    isDeleted: deletedAt !== null,
    picture: picture === null ? null : hashOf(await buffer(ctx.app.blobs.get(picture))),
    twoFactorSecret: twoFactorSecret === null ? null : ctx.app.secrets.open(twoFactorSecret, twoFactorPurpose),
    logins,
    mailbox: await readMailbox(ctx, String(user.id)),
  };
}
