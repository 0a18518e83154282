import { nameKeyOf } from '../mailstore/name-key.ts';
import { readFolderFigures } from '../mailstore/own-folders.ts';
import { randomBytes } from 'node:crypto';
import { Op, UniqueConstraintError } from 'sequelize';
import type { Ctx, TxCtx } from '../context/context.ts';
import { readChoices } from '../contracts/choices.ts';
import { filterActions } from '../contracts/mail-rules.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { defaultSelector, generateDkim } from '../jobs/generate-dkim.ts';
import { domainOf } from '../mail/address-rules.ts';
import { Address } from '../models/address.ts';
import { BlockedSender } from '../models/blocked-sender.ts';
import { Client } from '../models/client.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { DomainRecord } from '../models/domain-record.ts';
import { Folder } from '../models/folder.ts';
import { Group } from '../models/group.ts';
import { GroupMember } from '../models/group-member.ts';
import { ImageSender } from '../models/image-sender.ts';
import { Label } from '../models/label.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { Role } from '../models/role.ts';
import { RolePermission } from '../models/role-permission.ts';
import { Signature } from '../models/signature.ts';
import { User } from '../models/user.ts';
import { UserPermission } from '../models/user-permission.ts';
import { Vacation } from '../models/vacation.ts';
import { OperatorError } from '../operator-error.ts';
import { hashRandomPassword } from '../secrets/password-hash.ts';
import { sayNoDomain, sayNoRole } from './agreement.ts';
import type { CompanyFile, DomainsFile, GroupsFile, PersonFile, RolesFile } from './layout.ts';
import { matrixRowsOf } from './restore-flags.ts';

const stateOf = (isDeleted: boolean) => ({ deletedAt: isDeleted ? new Date() : null });

/** The files that make a company. */
export interface CompanyFiles {
  company: CompanyFile;
  roles: RolesFile;
  domains: DomainsFile;
}

/**
 * Refuses a company that is on the host already, before anything is written. Unproved domains, in
 * the archive or on the host, are no obstacle: they take their name from no company (D34) and have
 * no addresses.
 * @throws OperatorError naming what is there
 */
export async function refuseTaken(ctx: Ctx, { company, domains }: CompanyFiles, isNameFree: boolean): Promise<void> {
  const named = await Company.count({ where: { name: company.name, erasedAt: null } });
  if (named > 0 && !isNameFree) {
    throw new OperatorError(
      `a company named "${company.name}" is on this host already; --beside-it restores another one of that name`,
    );
  }
  for (const { name, verified } of domains) {
    if (!verified) continue;
    const taken = await Domain.findOne({ where: { domainName: name, verifiedAt: { [Op.ne]: null } } });
    if (taken) throw new OperatorError(`the domain ${name} is on this host already, with another company`);
    const [address] = await readRows<{ address: string }>(
      ctx,
      'SELECT address FROM addresses WHERE address LIKE ? LIMIT 1',
      [`%@${name.replaceAll(/[%_\\]/g, '\\$&')}`],
    );
    if (address) throw new OperatorError(`the address ${address.address} is on this host already`);
  }
}

/** Makes the company, switched off, with its roles and domains, each of which gets a new key. */
export async function restoreCompanyRows(tx: TxCtx, { company, roles, domains }: CompanyFiles): Promise<string> {
  const options = { transaction: tx.tx };
  const made = await Company.create(
    {
      name: company.name,
      email: company.email,
      industry: company.industry,
      phone: company.phone,
      address: company.address,
      city: company.city,
      state: company.state,
      country: company.country,
      pinCode: company.pin_code,
      activeStatus: false,
      maxUsers: company.max_users,
      maxDomains: company.max_domains,
      storageLimit: company.storage_limit,
      mailboxLimit: company.mailbox_limit,
    },
    options,
  );
  const companyId = String(made.id);
  await restoreClient(tx, companyId, company);
  for (const role of roles) {
    const { id } = await Role.create(
      {
        companyId,
        roleId: role.number,
        roleName: role.name,
        activeStatus: role.active,
        // The time to set up a second factor begins anew, since an archive has no second factors
        twoFactorSince: role.two_factor_required ? new Date() : null,
        twoFactorGraceDays: role.two_factor_grace_days,
        ...stateOf(role.deleted),
      },
      options,
    );
    const rows = await matrixRowsOf(tx, role.permissions);
    await RolePermission.bulkCreate(
      rows.map((row) => ({ companyId, roleId: String(id), ...row })),
      options,
    );
  }
  for (const domain of domains) {
    const { id } = await Domain.create(
      {
        companyId,
        domainName: domain.name,
        // The operator of the host, who runs the restore, vouches for it
        verifiedAt: domain.verified ? new Date() : null,
        activeStatus: domain.active,
        expirationDate: domain.expires === null ? null : new Date(domain.expires),
        ...stateOf(domain.deleted),
      },
      options,
    );
    const own = { companyId, domainId: String(id) };
    await DomainRecord.bulkCreate(
      domain.records.map(({ record_name: recordName, ...record }) => ({ ...own, recordName, ...record })),
      options,
    );
    await enqueue(tx, generateDkim, { domainId: String(id), selector: defaultSelector });
  }
  return companyId;
}

/** Restores the client, switched off as its company is (D6). */
async function restoreClient(tx: TxCtx, companyId: string, { client }: CompanyFile): Promise<void> {
  if (client === null) return;
  await Client.create(
    {
      companyId,
      fname: client.first_name,
      lname: client.last_name,
      phoneNumber: client.phone,
      country: client.country,
      personalEmail: client.personal_email,
      businessEmail: client.business_email,
      activeStatus: false,
    },
    { transaction: tx.tx },
  );
}

/**
 * Adds a person with their settings. No person knows the password, so they log in once they have
 * been given another one. Their mail is not forwarded until they set that up again, as after the
 * restore of a host.
 */
export async function restorePerson(tx: TxCtx, companyId: string, person: PersonFile): Promise<string> {
  const options = { transaction: tx.tx };
  const role = await Role.findOne({ where: { companyId, roleId: person.role }, ...options });
  if (role === null) throw new OperatorError(sayNoRole(person.email));
  const domainId = await takeAddress(tx, companyId, person.email);
  const user = await createPerson(tx, { companyId, role, domainId, person });
  const owner = { companyId, userId: String(user.id) };
  for (const address of person.aliases) {
    const values = { ...owner, domainId: await takeAddress(tx, companyId, address), address, kind: 'alias' as const };
    await naming(address, () => Address.create(values, options));
  }
  const rows = await matrixRowsOf(tx, person.permissions);
  await UserPermission.bulkCreate(
    rows.map((row) => ({ ...owner, ...row })),
    options,
  );
  await restoreSignatures(tx, user, person);
  await restoreFolders(tx, owner, person);
  await restoreLabels(tx, owner, person);
  await BlockedSender.bulkCreate(
    person.blocked.map((address) => ({ ...owner, address })),
    options,
  );
  await ImageSender.bulkCreate(
    person.image_senders.map((address) => ({ ...owner, address })),
    options,
  );
  if (person.vacation) {
    const { on, subject, body, first_day, last_day, time_zone, only_known } = person.vacation;
    const days = { firstDay: first_day, lastDay: last_day, timeZone: time_zone };
    const text = { subject: subject.slice(0, 200), body };
    await Vacation.create({ ...owner, isOn: on, ...text, ...days, onlyKnown: only_known }, options);
  }
  return owner.userId;
}

/**
 * Makes an address free that is about to be given. Where an alias went to another person, or became
 * a group, while the archive was made, the archive has its address twice and the later one gets it.
 * @returns the id of its domain: one that is deleted keeps its addresses, one that is not proved
 * has none (D34)
 */
async function takeAddress(tx: TxCtx, companyId: string, address: string): Promise<string> {
  const where = { companyId, domainName: domainOf(address), verifiedAt: { [Op.ne]: null } };
  const domain = await Domain.findOne({ where, transaction: tx.tx });
  if (domain === null) throw new OperatorError(sayNoDomain(address));
  await Address.destroy({ where: { companyId, address, kind: 'alias' }, transaction: tx.tx });
  return String(domain.id);
}

async function createPerson(
  tx: TxCtx,
  { companyId, role, domainId, person }: { companyId: string; role: Role; domainId: string; person: PersonFile },
): Promise<User> {
  const unknown = await hashRandomPassword(randomBytes(32).toString('base64url'));
  const values = {
    companyId,
    roleId: String(role.id),
    domainId,
    email: person.email,
    passwordHash: unknown,
    passwordChangeRequired: true,
    fname: person.fname,
    lname: person.lname,
    phoneNumber: person.phone,
    country: person.country,
    designation: person.designation,
    bio: person.bio,
    recoveryEmail: person.recovery_email,
    confirmedRecoveryEmail: person.recovery_email,
    activeStatus: person.active,
    loginAllowed: person.login_allowed,
    storageLimit: person.storage_limit,
    undoMs: person.undo_ms,
    choices: readChoices(person.choices),
    hasBlocked: person.blocked.length > 0,
    hasVacation: person.vacation?.on ?? false,
    ...stateOf(person.deleted),
  };
  return await naming(person.email, () => User.create(values, { transaction: tx.tx }));
}

async function naming<T>(address: string, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw new OperatorError(`the address ${address} is on this host already`, { cause: error });
  }
}

/** A signature becomes part of mail, so it is cleaned as one that is typed. */
async function restoreSignatures(tx: TxCtx, user: User, { signatures }: PersonFile): Promise<void> {
  const owner = { companyId: String(user.companyId), userId: String(user.id) };
  for (const { name, body, for_new, for_reply } of signatures) {
    const { html } = await tx.app.content.composeText(body, 'restore');
    const values = { signatureName: name.slice(0, 100), nameKey: nameKeyOf(name), signatureBody: html.trim() };
    const { id } = await Signature.create({ ...owner, ...values }, { transaction: tx.tx });
    const chosen = {
      ...(for_new ? { signatureNewId: String(id) } : {}),
      ...(for_reply ? { signatureReplyId: String(id) } : {}),
    };
    if (for_new || for_reply) await user.update(chosen, { transaction: tx.tx });
  }
}

/** Restores the folders that the person made. Names that differ only in case become one folder. */
async function restoreFolders(
  tx: TxCtx,
  owner: { companyId: string; userId: string },
  { folders }: PersonFile,
): Promise<void> {
  const nameOf = new Map(folders.map((name) => [folderNameKey(name), name]));
  const { uidValidity } = await readFolderFigures(tx, owner.userId);
  const rows = [...nameOf].map(([nameKey, name]) => ({ ...owner, role: null, name, nameKey, uidValidity }));
  await Folder.bulkCreate(rows, { transaction: tx.tx });
}

/**
 * Labels, and the filters that name them and the folders. A filter with nothing left to do is left
 * out: it would keep every later archive from being made.
 */
async function restoreLabels(
  tx: TxCtx,
  owner: { companyId: string; userId: string },
  { labels, filters }: PersonFile,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const { name, colour } of labels) {
    const { id } = await Label.create({ ...owner, name, nameKey: nameKeyOf(name), colour }, { transaction: tx.tx });
    ids.set(name, String(id));
  }
  const folders = await Folder.findAll({ where: { userId: owner.userId, role: null }, transaction: tx.tx });
  const folderIds = new Map(folders.map(({ id, nameKey }) => [nameKey, String(id)]));
  const kept = filters.flatMap(({ name, on: isOn, conditions, actions, label, folder }) => {
    // The forwarding address is not restored, so a filter can't forward
    const { label: _label, folder: _folder, forward: _forward, ...rest } = actions;
    const own = label === null ? undefined : ids.get(label);
    const into = folder === null ? undefined : folderIds.get(folderNameKey(folder));
    const left = { ...rest, ...(own && { label: own }), ...(into && { folder: into }) };
    return filterActions.safeParse(left).success ? [{ name, isOn, conditions, actions: left }] : [];
  });
  for (const [index, values] of kept.entries()) {
    await MailFilter.create({ ...owner, ...values, place: index + 1 }, { transaction: tx.tx });
  }
  const hasFilters = kept.some(({ isOn }) => isOn);
  await User.update({ hasFilters }, { where: { id: owner.userId }, transaction: tx.tx });
}

/** Groups, catch-alls and whose mailbox a recovery address is, once all people are there. */
export async function restoreGroups(tx: TxCtx, companyId: string, { groups, catch_alls }: GroupsFile): Promise<void> {
  const options = { transaction: tx.tx };
  for (const { name, address, active, members } of groups) {
    const domainId = await takeAddress(tx, companyId, address);
    const group = await Group.create({ companyId, name, address, activeStatus: active }, options);
    const groupId = String(group.id);
    const values = { companyId, domainId, address, kind: 'group' as const, groupId };
    await naming(address, () => Address.create(values, options));
    const people = await User.findAll({ where: { companyId, email: members }, attributes: ['id'], ...options });
    await GroupMember.bulkCreate(
      people.map(({ id }) => ({ companyId, groupId, userId: String(id) })),
      options,
    );
  }
  // A recovery address counts for the present owner of the mailbox. A mailbox of another company
  // may belong to another person than on the host of the archive
  await changeRows(
    tx,
    `UPDATE users u JOIN addresses a ON a.company_id = u.company_id AND a.kind = 'mailbox'
          AND a.address IN (u.confirmed_recovery_email, REGEXP_REPLACE(u.confirmed_recovery_email, '[+].*@', '@'))
        SET u.confirmed_recovery_user_id = a.user_id WHERE u.company_id = ?`,
    [companyId],
  );
  for (const { domain, address } of catch_alls) {
    await changeRows(
      tx,
      `UPDATE domains d JOIN addresses a ON a.company_id = d.company_id AND a.address = ?
          SET d.catch_all_id = a.id WHERE d.company_id = ? AND d.domain_name = ?`,
      [address, companyId, domain],
    );
  }
}
