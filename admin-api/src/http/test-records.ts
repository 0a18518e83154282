import { systemContext } from '@selvage/core/context/context';
import type { Endpoint, NeededFlag } from '@selvage/core/contracts/endpoint';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { builtInRole, modelNames } from '@selvage/core/contracts/permissions';
import { receive } from '@selvage/core/mailstore/test-messages';
import { AppPassword } from '@selvage/core/models/app-password';
import { BlockedSender } from '@selvage/core/models/blocked-sender';
import { Client } from '@selvage/core/models/client';
import { Delivery } from '@selvage/core/models/delivery';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Draft } from '@selvage/core/models/draft';
import { CopiedEntry } from '@selvage/core/models/copied-entry';
import { ImageSender } from '@selvage/core/models/image-sender';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { MailFilter } from '@selvage/core/models/mail-filter';
import { Module } from '@selvage/core/models/module';
import { Role } from '@selvage/core/models/role';
import { Signature } from '@selvage/core/models/signature';
import { UserPermission } from '@selvage/core/models/user-permission';
import { randomBytes } from 'node:crypto';
import {
  buildAlias,
  buildCompany,
  buildGroup,
  buildMailbox,
  type Mailbox,
  type Tenant,
} from '../../../tests/support/factories.ts';
import { buildDomain } from '../test-people.ts';
import type { TestServer } from '../test-server.ts';

/** What a person makes in their account settings. */
export const settingKinds = ['appPassword', 'signature', 'imageSender', 'blocked', 'filter'] as const;
export type SettingKind = (typeof settingKinds)[number];

/** The kind of the record that a call names; `none` for a call about no record. */
export type Kind =
  | 'none'
  | 'company'
  | 'client'
  | 'role'
  | 'user'
  | 'module'
  | 'alias'
  | 'group'
  | 'domain'
  | 'entry'
  | 'sent'
  | 'backup'
  | 'ownBackup'
  | 'copied'
  | 'draft'
  | 'delivery'
  | SettingKind;
type Person = 'user' | 'flagged' | 'admin' | 'staff' | 'superAdmin';
type Place = 'own' | 'same' | 'other' | 'above' | 'deleted' | 'missing';

/** Two tenants and the provider, with people of every kind. */
export interface World {
  server: TestServer;
  people: Record<Person, Mailbox>;
  tokens: Record<Person | 'anonymous', string | undefined>;
  other: Tenant;
  provider: Tenant;
  /** Gives a person this flag only. */
  grant(person: 'flagged' | 'staff', flag: NeededFlag): Promise<void>;
  /**
   * Makes `recordAt` create new records for the next call, since the last call may have changed
   * those it used.
   */
  forget(): void;
  kept: Map<string, string>;
}

export async function worldOf(server: TestServer): Promise<World> {
  const { app } = server;
  const [tenant, other, provider] = [
    await buildCompany(app),
    await buildCompany(app),
    await buildCompany(app, { isProvider: true }),
  ];
  const at = (where: Tenant, roleNumber: number) => buildMailbox(app, { tenant: where, roleNumber });
  const people: Record<Person, Mailbox> = {
    user: await at(tenant, builtInRole.user),
    flagged: await at(tenant, builtInRole.user),
    admin: await at(tenant, builtInRole.admin),
    staff: await at(provider, builtInRole.user),
    superAdmin: await at(provider, builtInRole.superAdmin),
  };
  const tokens: World['tokens'] = { anonymous: undefined, user: '', flagged: '', admin: '', staff: '', superAdmin: '' };
  for (const [name, { user, password }] of Object.entries(people)) {
    tokens[name as Person] = (await server.signIn(user.email, password)).token;
  }
  const kept = new Map<string, string>();
  const grant: World['grant'] = async (person, flag) => {
    const { user, company } = people[person];
    await UserPermission.destroy({ where: { userId: user.id } });
    await UserPermission.bulkCreate(
      modelNames.map((model) => {
        const may = (action: NeededFlag['action']) => model === flag.model && action === flag.action;
        const flags = {
          canView: may('view'),
          canCreate: may('create'),
          canEdit: may('edit'),
          canDelete: may('delete'),
        };
        return { companyId: String(company.id), userId: String(user.id), model, ...flags };
      }),
    );
  };
  return { server, people, tokens, other, provider, kept, grant, forget: () => kept.clear() };
}

/** @throws for a call that names a record of a kind that this function does not know */
export function kindOf(name: string, { path }: Pick<Endpoint, 'path'>): Kind {
  if (name === 'changeStatus' || name === 'snooze' || name === 'replyOrForward') return 'entry';
  if (name === 'removeDrafts') return 'draft';
  if (name === 'removeBackup') return 'ownBackup';
  if (name === 'getBackupEmail') return 'copied';
  if (name === 'giveBackup') return 'user';
  if (name === 'changePermissions' || name === 'getPermissions') return 'user';
  if (name === 'tryRecord') return 'domain';
  if (name === 'addImageSender') return 'entry';
  if (name === 'orderFilters') return 'filter';
  if (!path.includes(':id')) return 'none';
  if (name === 'undoSend' || name === 'reschedule' || name === 'sendScheduledNow' || name === 'remindMe') return 'sent';
  if (name === 'getDraft') return 'draft';
  const kinds: [string, Kind][] = [
    ['/company/', 'company'],
    ['/planbaseclient/', 'client'],
    ['/role/', 'role'],
    ['/users/', 'user'],
    ['/user/app_passwords/', 'appPassword'],
    ['/user/', 'user'],
    ['/mailsetting/signature/', 'signature'],
    ['/mailsetting/image_senders/', 'imageSender'],
    ['/mailsetting/blocked/', 'blocked'],
    ['/mailsetting/filters/', 'filter'],
    ['/module/', 'module'],
    ['/alias/', 'alias'],
    ['/group/', 'group'],
    ['/domain/', 'domain'],
    ['/mail/backup/', 'backup'],
    ['/mail/', 'entry'],
    ['/trace/', 'delivery'],
    ['/queue/', 'delivery'],
  ];
  const known = kinds.find(([prefix]) => path.startsWith(prefix));
  if (!known) throw new Error(`kindOf does not say which kind of record ${path} is about`);
  return known[1];
}

/** The address of the person whose mail the backups made here contain. */
export const copiedOwner = 'gone@weavers.test';

/** Makes a backup with one message, which a person may read. */
export async function makeBackup(
  { company, user }: Mailbox,
  entry: { id: string; messageId: string },
): Promise<{ backup: string; copied: string }> {
  const [names, reads] = [{ ownerName: 'G', viewerName: 'V', giverName: 'A' }, { viewerEmail: user.email }];
  const people = { ownerId: null, ownerEmail: copiedOwner, viewerId: String(user.id), ...names, ...reads };
  const { id } = await MailCopy.create({ companyId: String(company.id), ...people, state: 'ready', cursors: {} });
  const copied = await CopiedEntry.create({
    copyId: String(id),
    entryId: entry.id,
    messageId: entry.messageId,
    isSent: false,
    readStatus: false,
    junkStatus: false,
    bccList: null,
    arrivedAt: new Date(),
  });
  return { backup: String(id), copied: String(copied.id) };
}

/** Makes one of the settings of a person. */
export async function makeSetting({ company, user }: Mailbox, kind: SettingKind): Promise<string> {
  const owner = { companyId: String(company.id), userId: String(user.id) };
  const unique = randomBytes(5).toString('hex');
  const rule = { place: 1, name: 'Mine', conditions: { from: 'b@' }, actions: { star: true } };
  const makers = {
    appPassword: () => AppPassword.create({ ...owner, appName: 'phone', passwordHash: unique }),
    signature: () => Signature.create({ ...owner, signatureName: unique, nameKey: unique, signatureBody: 'text' }),
    imageSender: () => ImageSender.create({ ...owner, address: `${unique}@remote.test` }),
    blocked: () => BlockedSender.create({ ...owner, address: `${unique}@remote.test` }),
    filter: () => MailFilter.create({ ...owner, ...rule }),
  };
  return String((await makers[kind]()).id);
}

/** A body about a record that the contract of the call accepts. */
export function bodyOf(name: string, id: string): object | undefined {
  const bodies: Record<string, object> = {
    changeStatus: { email_id: [id], read_status: true },
    changeQueue: { action: 'hold', domain: 'nothing.example' },
    changeDelivery: { action: 'hold' },
    replyOrForward: { originalEmailId: id, is_reply: true, recipient_emails_to: ['a@remote.test'] },
    reschedule: { send_at: new Date(Date.now() + 3_600_000).toISOString() },
    remindMe: { at: new Date(Date.now() + 3_600_000).toISOString() },
    snooze: { email_id: [id], until: new Date(Date.now() + 3_600_000).toISOString() },
    saveDraft: { subject: 'Begun' },
    answerInvitation: { answer: 'accepted' },
    emptyTrash: {},
    emptyJunk: {},
    giveBackup: { user_id: id, backup_user_email: 'a@remote.test' },
    removeBackup: { backup_email: copiedOwner, backup_id: id },
    changeFolder: { folder: 'inbox', until: '1', read_status: true },
    moveFolder: { folder: 'inbox', until: '1', folder_id: null },
    labelFolder: { folder: 'inbox', until: '1', label_id: '999999999', is_on: true },
    removeDrafts: { draft_ids: [id] },
    addImageSender: { email_id: id },
    orderFilters: { filter_ids: [id] },
    updateUser: { fname: 'Eve' },
    updateClient: { fname: 'Eve' },
    sendCredentials: { email: 'c@x.test' },
    updateCompany: { city: 'Agra' },
    linkArchive: { archive_id: '999999999', password: encodePassword('a long pass phrase') },
    removeArchive: { archive_id: '999999999' },
    requireTwoFactor: { required: false },
    updateRole: { role_name: `role ${randomBytes(4).toString('hex')}` },
    createAlias: { address: 'sales@weavers.test' },
    createGroup: { name: 'Sales', address: 'sales@weavers.test' },
    updateGroup: { name: 'Sales' },
    setCatchAll: { address: '' },
    createDomain: { domain_name: `${randomBytes(5).toString('hex')}.test` },
    updateDomain: { active_status: true },
    tryRecord: { domain_id: id, type: 'A', name: '@', content: '192.0.2.1' },
    checkDns: { domain: `${randomBytes(5).toString('hex')}.test` },
    generateOpenDkim: { domain: `${randomBytes(5).toString('hex')}.test` },
    changePermissions: { user_id: id, permissions: [{ model: 'inbox', view: false }] },
    createModule: { name: `m${randomBytes(4).toString('hex')}` },
    updateModule: { name: `m${randomBytes(4).toString('hex')}` },
    createCompany: {
      name: 'Weavers',
      email: 'office@weavers.test',
      phone: '9876543210',
      address: '1 Mill Lane',
      city: 'Surat',
      state: 'Gujarat',
      country: 'India',
      pin_code: '395003',
    },
    createClient: {
      company_name: 'Weavers',
      fname: 'Meera',
      personal_email: 'meera@home.example',
      business_email: `meera@${randomBytes(5).toString('hex')}.test`,
      password: encodePassword('nine&wool'),
    },
  };
  return bodies[name];
}

/** The id of a record of a kind in a place, relative to the actor. */
export async function recordAt(
  world: World,
  { kind, place, actor }: { kind: Kind; place: Place; actor: Person | 'anonymous' },
): Promise<string> {
  if (place === 'missing') return '999999999';
  const me = world.people[actor === 'anonymous' ? 'user' : actor];
  const name = `${kind} ${place} ${me.user.id}`;
  const known = world.kept.get(name);
  if (known !== undefined) return known;
  const made = await make(world, { kind, place, me });
  world.kept.set(name, made);
  return made;
}

interface Wanted {
  kind: Kind;
  place: Place;
  me: Mailbox;
}

/** Makes a domain with an inactive DKIM key, whose selector is the domain's id. */
async function makeDomain(home: Tenant, deletedAt: Date | null): Promise<string> {
  const domain = await buildDomain(home, deletedAt ? { deletedAt } : {});
  const [domainId, companyId] = [String(domain.id), String(domain.companyId)];
  const key = { domainId, companyId, selector: domainId, publicKey: 'none', privateKey: 'sealed' };
  await DkimKey.create({ ...key, isActive: false });
  return domainId;
}

async function make(world: World, { kind, place, me }: Wanted): Promise<string> {
  const { app } = world.server;
  const home = place === 'other' ? world.other : me;
  const deletedAt = place === 'deleted' ? new Date() : null;
  if (kind === 'company') return await makeCompany(world, { kind, place, me });
  if (kind === 'module') return String((await Module.create({ name: `m${randomBytes(5).toString('hex')}` })).id);
  if (kind === 'role') return await makeRole(home, place, me);
  if (kind === 'group') return String((await buildGroup(home)).id);
  if (kind === 'domain') return await makeDomain(home, deletedAt);
  if (kind === 'client') return await makeClient(home, deletedAt);
  if (place === 'own' && kind === 'user') return String(me.user.id);
  const roleNumber = place === 'above' ? builtInRole.superAdmin : builtInRole.user;
  const person = place === 'own' ? me : await buildMailbox(app, { tenant: home, roleNumber, user: { deletedAt } });
  if (kind === 'user') return String(person.user.id);
  if (kind === 'delivery') return await makeDelivery(person);
  if (kind === 'alias') return String((await buildAlias(person)).id);
  if (kind === 'backup' || kind === 'ownBackup' || kind === 'copied') {
    const { entryIds, messageId } = await receive(systemContext(app), [person]);
    const { backup, copied } = await makeBackup(person, { id: entryIds[0] ?? '', messageId });
    return kind === 'copied' ? copied : backup;
  }
  if (kind === 'entry' || kind === 'sent') return (await receive(systemContext(app), [person])).entryIds[0] ?? '';
  const setting = settingKinds.find((one) => one === kind);
  if (setting) return await makeSetting(person, setting);
  if (kind !== 'draft') throw new Error(`make does not say how a record of the kind ${kind} is made`);
  const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
  return String((await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] })).id);
}

/** Makes a queued delivery in the ledger, for mail that a person has sent. */
async function makeDelivery({ user, company }: Mailbox): Promise<string> {
  const mailId = randomBytes(10).toString('hex');
  const row = { mailId, direction: 'out', recipient: 'a@remote.test', recipientDomain: 'remote.test' } as const;
  const queue = {
    state: 'queued',
    reason: 'remote_deferred',
    nextAttemptAt: new Date(Date.now() + 3_600_000),
  } as const;
  const companyId = String(company.id);
  return String((await Delivery.create({ ...row, ...queue, companyId, envelopeFrom: user.email })).id);
}

async function makeCompany(world: World, { place, me }: Wanted): Promise<string> {
  if (place === 'own') return String(me.company.id);
  if (place === 'above') return String(world.provider.company.id);
  const { company } = await buildCompany(world.server.app);
  if (place === 'deleted') await company.update({ deletedAt: new Date() });
  return String(company.id);
}

async function makeRole({ company, roles }: Tenant, place: Place, me: Mailbox): Promise<string> {
  if (place === 'own') return String(me.role.id);
  if (place === 'above') return String(roles.get(builtInRole.superAdmin)?.id);
  const roleId = 3 + Math.floor(Math.random() * 1_000_000_000);
  const deletedAt = place === 'deleted' ? new Date() : null;
  return String((await Role.create({ companyId: String(company.id), roleId, roleName: `r ${roleId}`, deletedAt })).id);
}

async function makeClient({ company }: Tenant, deletedAt: Date | null): Promise<string> {
  const addresses = { personalEmail: 'c@x.test', businessEmail: 'c@x.test' };
  return String((await Client.create({ companyId: String(company.id), fname: 'C', ...addresses, deletedAt })).id);
}
