import { createHmac } from 'node:crypto';
import { createBuiltInRoles } from '@selvage/core/access/built-in-roles';
import { recordAccountAudit } from '@selvage/core/access/audit';
import type { App } from '@selvage/core/context/app';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { hashAppPassword } from '@selvage/core/directory/verify-app-password';
import { ensureAvatar } from '@selvage/core/directory/avatars';
import { generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { AppPassword } from '@selvage/core/models/app-password';
import { avatarPath } from '@selvage/core/models/avatar-path';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { OneTimeLink } from '@selvage/core/models/one-time-link';
import { Passkey } from '@selvage/core/models/passkey';
import { RecoveryCode } from '@selvage/core/models/recovery-code';
import type { Role } from '@selvage/core/models/role';
import { Session } from '@selvage/core/models/session';
import { Signature } from '@selvage/core/models/signature';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { defaultSelector } from '@selvage/core/jobs/generate-dkim';
import { dkimKeyPurpose } from '@selvage/core/outbound/signing-keys';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { keptAppPassword, keptPassword, twoFactorPurpose } from './kept-settings.ts';

/** The people whose mailboxes are filled. */
export interface People {
  /** An administrator with two factors. */
  ana: User;
  /** Has an app password. */
  bob: User;
  /** Is deleted when the host is filled. */
  carl: User;
  /** Of another company. */
  dora: User;
}

interface Tenant {
  company: Company;
  domain: Domain;
  roles: Map<number, Role>;
}

/** Two companies with their people, and every kind of record that belongs to a person. */
export async function fillPeople(app: App): Promise<People> {
  const ctx = systemContext(app);
  const acme = await addCompany(ctx, 'Acme', 'acme.test');
  const birch = await addCompany(ctx, 'Birch & Söhne', 'birch.test');
  const ana = await addPerson(acme, 'Ana', 'ana@acme.test', builtInRole.admin);
  const bob = await addPerson(acme, 'Bob', 'bob@acme.test', builtInRole.user);
  const carl = await addPerson(acme, 'Carl', 'carl@acme.test', builtInRole.user);
  const dora = await addPerson(birch, 'Dóra', 'dora@birch.test', builtInRole.admin);
  await addTwoFactors(app, ana);
  await addSignature(ana);
  for (const user of [ana, bob, dora]) await addSessions(ctx, user);
  await addAppPassword(app, bob);
  await addPermissions(bob);
  await addPicture(ctx, dora);
  return { ana, bob, carl, dora };
}

async function addCompany(ctx: Ctx, name: string, domainName: string): Promise<Tenant> {
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKeyPair();
  return await inTransaction(ctx, async (tx) => {
    const options = { transaction: tx.tx };
    const company = await Company.create({ name, email: `office@${domainName}` }, options);
    const companyId = String(company.id);
    await Client.create(
      { companyId, fname: name, personalEmail: `office@${domainName}`, businessEmail: `office@${domainName}` },
      options,
    );
    const domain = await Domain.create({ companyId, domainName, verifiedAt: new Date() }, options);
    const privateKey = tx.app.secrets.seal(privateKeyPem, dkimKeyPurpose);
    const key = { companyId, domainId: String(domain.id), selector: defaultSelector };
    await DkimKey.create({ ...key, publicKey: publicKeyBase64, privateKey }, options);
    return { company, domain, roles: await createBuiltInRoles(tx, company) };
  });
}

async function addPerson({ company, domain, roles }: Tenant, fname: string, email: string, roleNumber: number) {
  return await User.create({
    companyId: String(company.id),
    roleId: String(roles.get(roleNumber)?.id),
    domainId: String(domain.id),
    email,
    passwordHash: await hashPassword(keptPassword),
    fname,
    lname: 'Kept',
    designation: 'Clerk',
    bio: 'Ships things.\nAnswers mail.',
  });
}

const ownerOf = ({ id, companyId }: User) => ({ userId: String(id), companyId: String(companyId) });

async function addTwoFactors(app: App, user: User): Promise<void> {
  const owner = ownerOf(user);
  const secret = app.secrets.seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', twoFactorPurpose);
  await user.update({ twoFactorSecret: secret, twoFactorStatus: true, twoFactorLastStep: 58_000_000 });
  await Passkey.create({
    ...owner,
    passkeyName: 'Key ring',
    credentialId: 'a2VwdC1jcmVkZW50aWFs',
    publicKey: 'pQECAyYgASFYIGtlcHQ',
    transports: ['usb', 'nfc'],
  });
  const codeHash = (code: string) => createHmac('sha256', app.secrets.key('recovery-code')).update(code).digest('hex');
  for (const code of ['kept000001', 'kept000002', 'kept000003']) {
    const usedAt = code.endsWith('1') ? new Date() : null;
    await RecoveryCode.create({ ...owner, codeHash: codeHash(code), usedAt });
  }
}

async function addSignature(user: User): Promise<void> {
  const signatureBody = '<p>Kind regards,<br><b>Ana</b></p>';
  const name = { signatureName: 'Formal', nameKey: 'formal' };
  const { id } = await Signature.create({ ...ownerOf(user), ...name, signatureBody });
  await user.update({ signatureNewId: String(id) });
}

/** One that is open and one that ended, each with its events, and a link that was mailed. */
async function addSessions(ctx: Ctx, user: User): Promise<void> {
  const owner = ownerOf(user);
  const hourMs = 3_600_000;
  const now = Date.now();
  for (const [name, endedAt] of [
    ['open', null],
    ['ended', new Date(now)],
  ] as const) {
    await Session.create({
      ...owner,
      sessionKey: `${name}-${user.id}`,
      refreshHash: hashOf(`${name} refresh ${user.id}`),
      deviceIp: '192.0.2.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      tokenVersion: 0,
      lastActive: new Date(now),
      expiresAt: new Date(now + 720 * hourMs),
      endedAt,
    });
    await recordAccountAudit(ctx, user, endedAt ? 'session:end' : 'session:start', { details: { name } });
  }
  await OneTimeLink.create({
    ...owner,
    purpose: 'set_password',
    tokenHash: hashOf(`link ${user.id}`),
    address: `${user.fname.toLowerCase()}@elsewhere.test`,
    expiresAt: new Date(now + hourMs),
  });
}

function hashOf(text: string): string {
  return createHmac('sha256', 'kept').update(text).digest('hex');
}

async function addAppPassword(app: App, user: User): Promise<void> {
  const passwordHash = hashAppPassword(app, keptAppPassword);
  await AppPassword.create({ ...ownerOf(user), appName: 'Phone', passwordHash });
}

async function addPermissions(user: User): Promise<void> {
  for (const model of ['sent', 'archive']) {
    await UserPermission.create({ ...ownerOf(user), model, canView: true, canCreate: true, canEdit: true });
  }
}

async function addPicture(ctx: Ctx, user: User): Promise<void> {
  const bytes = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0', 'latin1');
  const { key } = await ctx.app.blobs.put(bytes);
  await inTransaction(ctx, async (tx: TxCtx) => {
    await user.update({ avatar: avatarPath(key) }, { transaction: tx.tx });
    await ensureAvatar(tx, avatarPath(key), bytes);
  });
}
