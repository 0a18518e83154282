import type { Ctx } from '../context/context.ts';
import { readChoices } from '../contracts/choices.ts';
import { filterActions } from '../contracts/mail-rules.ts';
import { readRows } from '../database/run-sql.ts';
import { findRecoveryAddress } from '../directory/recovery-address.ts';
import { readOwnFolders } from '../mailstore/own-folders.ts';
import { BlockedSender } from '../models/blocked-sender.ts';
import { Client } from '../models/client.ts';
import type { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { DomainRecord } from '../models/domain-record.ts';
import { ImageSender } from '../models/image-sender.ts';
import { Label } from '../models/label.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { Role } from '../models/role.ts';
import { RolePermission } from '../models/role-permission.ts';
import { Signature } from '../models/signature.ts';
import type { User } from '../models/user.ts';
import { UserPermission } from '../models/user-permission.ts';
import { Vacation } from '../models/vacation.ts';
import type { CompanyFile, DomainsFile, GroupsFile, PersonFile, RolesFile } from './layout.ts';

/*
 * The content of the JSON files. They name no column that holds a password, a key or a second
 * factor, and a column that is added later does not get into them by itself.
 */

const bytesOf = (value: string | number | null | undefined) =>
  value === null || value === undefined ? null : String(value);

/** What `company.json` says. */
export async function describeCompany(company: Company): Promise<CompanyFile> {
  const client = await Client.findOne({ where: { companyId: String(company.id) } });
  return {
    name: company.name,
    email: company.email,
    industry: company.industry,
    phone: company.phone,
    address: company.address,
    city: company.city,
    state: company.state,
    country: company.country,
    pin_code: company.pinCode,
    active: company.activeStatus,
    max_users: company.maxUsers,
    max_domains: company.maxDomains,
    storage_limit: bytesOf(company.storageLimit),
    mailbox_limit: bytesOf(company.mailboxLimit),
    client: client && {
      first_name: client.fname,
      last_name: client.lname,
      phone: client.phoneNumber,
      country: client.country,
      personal_email: client.personalEmail,
      business_email: client.businessEmail,
    },
  };
}

interface Flags {
  model: string;
  canView: boolean;
  canCreate: boolean;
  canEdit: boolean;
  canDelete: boolean;
}

function flagsOf({ model, canView, canCreate, canEdit, canDelete }: Flags) {
  return { model, view: canView, create: canCreate, edit: canEdit, delete: canDelete };
}

/** What `roles.json` says. */
export async function describeRoles(companyId: string): Promise<RolesFile> {
  const roles = await Role.findAll({ where: { companyId }, order: [['roleId', 'ASC']] });
  const permissions = await RolePermission.findAll({ where: { companyId }, order: [['id', 'ASC']] });
  const byRole = Map.groupBy(permissions, ({ roleId }) => String(roleId));
  return roles.map((role) => ({
    number: role.roleId,
    name: role.roleName,
    active: role.activeStatus,
    two_factor_required: role.twoFactorSince !== null,
    two_factor_grace_days: role.twoFactorGraceDays,
    deleted: role.deletedAt !== null,
    permissions: (byRole.get(String(role.id)) ?? []).map(flagsOf),
  }));
}

/** What `domains.json` says. */
export async function describeDomains(companyId: string): Promise<DomainsFile> {
  const domains = await Domain.findAll({ where: { companyId }, order: [['id', 'ASC']] });
  const records = await DomainRecord.findAll({ where: { companyId }, order: [['id', 'ASC']] });
  const byDomain = Map.groupBy(records, ({ domainId }) => String(domainId));
  return domains.map((domain) => ({
    name: domain.domainName,
    verified: domain.verifiedAt !== null,
    active: domain.activeStatus,
    expires: domain.expirationDate?.toISOString() ?? null,
    deleted: domain.deletedAt !== null,
    records: (byDomain.get(String(domain.id)) ?? []).map(({ recordName, type, name, priority, content, ttl }) => ({
      record_name: recordName,
      type,
      name,
      priority,
      content,
      ttl,
    })),
  }));
}

/** What `groups.json` says. */
export async function describeGroups(ctx: Ctx, companyId: string): Promise<GroupsFile> {
  const groups = await readRows<{ id: string; name: string; address: string; active: number }>(
    ctx,
    'SELECT id, name, address, active_status AS active FROM address_groups WHERE company_id = ? ORDER BY id',
    [companyId],
  );
  const members = await readRows<{ groupId: string; email: string }>(
    ctx,
    `SELECT m.group_id AS groupId, u.email FROM group_members m JOIN users u ON u.id = m.user_id
      WHERE m.company_id = ? AND u.erased_at IS NULL ORDER BY u.id`,
    [companyId],
  );
  const byGroup = Map.groupBy(members, ({ groupId }) => String(groupId));
  const catchAlls = await readRows<{ domain: string; address: string }>(
    ctx,
    `SELECT d.domain_name AS domain, a.address FROM domains d JOIN addresses a ON a.id = d.catch_all_id
      WHERE d.company_id = ? ORDER BY d.id`,
    [companyId],
  );
  return {
    groups: groups.map(({ id, name, address, active }) => ({
      name,
      address,
      active: Number(active) === 1,
      members: (byGroup.get(String(id)) ?? []).map(({ email }) => email),
    })),
    catch_alls: catchAlls.map(({ domain, address }) => ({ domain, address })),
  };
}

/** What `person.json` says. */
export async function describePerson(ctx: Ctx, user: User): Promise<PersonFile> {
  const where = { userId: String(user.id) };
  const byId: [string, string][] = [['id', 'ASC']];
  const [facts] = await readRows<{ role: number }>(ctx, 'SELECT role_id AS role FROM roles WHERE id = ?', [
    String(user.roleId),
  ]);
  const aliases = await readRows<{ address: string }>(
    ctx,
    `SELECT address FROM addresses WHERE user_id = ? AND kind = 'alias' ORDER BY id`,
    [where.userId],
  );
  const labels = await Label.findAll({ where: { ...where, removedAt: null }, order: byId });
  const vacation = await Vacation.findOne({ where });
  const nameOfLabel = new Map(labels.map(({ id, name }) => [String(id), name]));
  const folders = await readOwnFolders(ctx, where.userId);
  const nameOfFolder = new Map(folders.map(({ id, name }) => [id, name]));
  // Restores by older versions left some that do nothing, which no archive may have
  const filters = (await MailFilter.findAll({ where, order: [['place', 'ASC']] })).filter(
    ({ actions }) => filterActions.safeParse(actions).success,
  );
  return {
    email: user.email,
    fname: user.fname,
    lname: user.lname,
    phone: user.phoneNumber,
    country: user.country,
    designation: user.designation,
    bio: user.bio,
    role: Number(facts?.role ?? 0),
    recovery_email: await findRecoveryAddress(ctx, user),
    forward_to: user.forwardTo,
    active: user.activeStatus,
    login_allowed: user.loginAllowed,
    deleted: user.deletedAt !== null,
    storage_limit: bytesOf(user.storageLimit),
    undo_ms: user.undoMs,
    choices: readChoices(user.choices ?? {}),
    aliases: aliases.map(({ address }) => address),
    permissions: (await UserPermission.findAll({ where, order: byId })).map(flagsOf),
    signatures: (await Signature.findAll({ where, order: byId })).map(({ id, signatureName, signatureBody }) => ({
      name: signatureName,
      body: signatureBody,
      for_new: String(id) === String(user.signatureNewId),
      for_reply: String(id) === String(user.signatureReplyId),
    })),
    labels: labels.map(({ name, colour }) => ({ name, colour })),
    folders: folders.map(({ name }) => name),
    filters: filters.map((filter) => ({
      name: filter.name,
      on: filter.isOn,
      conditions: filter.conditions,
      actions: filter.actions,
      label: nameOfLabel.get(filter.actions.label ?? '') ?? null,
      folder: nameOfFolder.get(filter.actions.folder ?? '') ?? null,
    })),
    blocked: (await BlockedSender.findAll({ where, order: byId })).map(({ address }) => address),
    image_senders: (await ImageSender.findAll({ where, order: byId })).map(({ address }) => address),
    vacation: vacation && {
      on: vacation.isOn,
      subject: vacation.subject,
      body: vacation.body,
      first_day: vacation.firstDay,
      last_day: vacation.lastDay,
      time_zone: vacation.timeZone,
      only_known: vacation.onlyKnown,
    },
  };
}
