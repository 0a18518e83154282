import { type HeldPermission, holdsPermission, permissionsByPerson } from '@selvage/core/access/effective-permissions';
import { isOutranked } from '@selvage/core/access/grant';
import type { UserDetailDto, UserDto } from '@selvage/core/contracts/users';
import { findRecoveryAddresses } from '@selvage/core/directory/recovery-address';
import { bytesOfPeople } from '@selvage/core/mailstore/storage-use';
import { notFound } from '@selvage/core/errors';
import { Company } from '@selvage/core/models/company';
import type { MailCopy } from '@selvage/core/models/mail-copy';
import { Role } from '@selvage/core/models/role';
import type { User } from '@selvage/core/models/user';
import { presentForwarding } from '../account/forwarding.ts';
import { recoveryFieldsOf, type RecoveryState } from '../account/recovery-email.ts';
import { backupsOfUser } from '../mail-backups/find-backups.ts';
import { abilitiesOf, noAbilities } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Records of other tables that belong to people, by their ids. */
interface Surroundings {
  companies: Map<string, Company>;
  roles: Map<string, Role>;
  held: Map<string, HeldPermission[]>;
  bytes: Map<string, number>;
  /** Recovery addresses that are used now. */
  recovery: Map<string, string>;
}

/** People as the console shows them, with a few queries for any number of people. */
export async function presentUsers(ctx: SignedIn, users: readonly User[]): Promise<UserDto[]> {
  const around = await surroundingsOf(ctx, users);
  return users.flatMap((user) => presentOne(ctx, user, around) ?? []);
}

/**
 * One person with their effective permissions.
 * @throws 404 when a job has removed them since they were read
 */
export async function presentUser(ctx: SignedIn, user: User): Promise<UserDetailDto> {
  const around = await surroundingsOf(ctx, [user]);
  const held = around.held.get(String(user.id)) ?? [];
  const permissions = held.map(({ entry, isOwn }) => ({
    ...entry,
    source: isOwn ? ('own' as const) : ('role' as const),
  }));
  const shown = presentOne(ctx, user, around);
  if (!shown) throw notFound('user');
  const backups = await backupsOfUser(ctx, String(user.id));
  return {
    ...shown,
    backup_emails: backups.read.map((copy) => backupOf(copy, copy.ownerEmail)),
    backup_readers: backups.given.map((copy) => backupOf(copy, copy.viewerEmail)),
    permissions: permissions.toSorted((a, b) => a.model.localeCompare(b.model)),
  };
}

function backupOf({ id, createdAt }: MailCopy, email: string): UserDetailDto['backup_emails'][number] {
  return { _id: String(id), backup_email: email, backup_createdAt: createdAt.toISOString() };
}

async function surroundingsOf(ctx: SignedIn, users: readonly User[]): Promise<Surroundings> {
  const idsOf = (pick: (user: User) => string) => [...new Set(users.map((user) => String(pick(user))))];
  const options = { transaction: ctx.tx };
  const [companies, roles, held, bytes, recovery] = await Promise.all([
    Company.findAll({ where: { id: idsOf(({ companyId }) => companyId) }, ...options }),
    Role.findAll({ where: { id: idsOf(({ roleId }) => roleId) }, ...options }),
    permissionsByPerson(ctx, users),
    bytesOfPeople(
      ctx,
      users.map(({ id }) => String(id)),
    ),
    findRecoveryAddresses(ctx, users),
  ]);
  return {
    companies: new Map(companies.map((company) => [String(company.id), company])),
    roles: new Map(roles.map((role) => [String(role.id), role])),
    held,
    bytes,
    recovery,
  };
}

/** Null when a job has removed the company, and with it the person, after the person was read. */
function presentOne(ctx: SignedIn, user: User, around: Surroundings): UserDto | null {
  const { companies, roles, held, bytes, recovery } = around;
  const company = companies.get(String(user.companyId));
  const role = roles.get(String(user.roleId));
  if (!company || !role) return null;
  const entries = (held.get(String(user.id)) ?? []).map(({ entry }) => entry);
  return {
    ...ownFields(user),
    ...recoveryFieldsOf(user, recovery.get(String(user.id)) ?? null),
    role_id: { _id: String(role.id), role_id: role.roleId, role_name: role.roleName },
    company_id: { _id: String(company.id), name: company.name, email: company.email },
    storage: { used: bytes.get(String(user.id)) ?? 0, limit: limitOf(ctx, user, company) },
    abilities: abilitiesTo(ctx, user, isOutranked(ctx.actor, entries, role.roleId)),
  };
}

/**
 * What the caller may do with the person. Callers change their own account in the profile, and
 * can't delete it. A protected person may do more than the caller.
 */
function abilitiesTo(ctx: SignedIn, user: User, isProtected: boolean): UserDto['abilities'] {
  const isSelf = String(user.id) === ctx.actor.userId;
  return {
    ...(isSelf || isProtected ? noAbilities : abilitiesOf(ctx, 'user', user)),
    give_backup: !isProtected && holdsPermission(ctx.actor.permissions, 'user', 'create'),
  };
}

/** The storage limit in bytes: the person's own, else the company's, else the host's. */
function limitOf({ app }: SignedIn, user: User, company: Company): number | null {
  const set = user.storageLimit ?? company.mailboxLimit;
  return set ? Number(set) : app.config.mailboxBytes;
}

function ownFields(
  user: User,
): Omit<UserDto, 'role_id' | 'company_id' | 'storage' | 'abilities' | keyof RecoveryState> {
  return {
    _id: String(user.id),
    fname: user.fname,
    lname: user.lname,
    email: user.email,
    avatar: user.avatar,
    domain_id: user.domainId === null ? null : String(user.domainId),
    phone_number: user.phoneNumber,
    designation: user.designation,
    country: user.country,
    bio: user.bio,
    recovery: { recovery_email: user.recoveryEmail },
    ...presentForwarding(user),
    loginAllowed: user.loginAllowed,
    twoFactorStatus: user.twoFactorStatus,
    storage_limit: user.storageLimit ? Number(user.storageLimit) : null,
    active_status: user.activeStatus,
    deletedAt: user.deletedAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
    version: user.version,
  };
}
