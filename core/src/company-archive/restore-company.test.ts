import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOf } from '../../../tests/support/backups.ts';
import {
  buildAlias,
  buildCompany,
  buildGroup,
  buildMailbox,
  buildRole,
  type Mailbox,
} from '../../../tests/support/factories.ts';
import { runCommand } from '../../../tests/support/start-command.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { attachmentLimits } from '../contracts/mail.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { builtInRole } from '../contracts/permissions.ts';
import { readRows } from '../database/run-sql.ts';
import { findDomain } from '../directory/find-addresses.ts';
import { locateAtDoor } from '../directory/resolve-recipient.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { changeLabels } from '../mailstore/change-labels.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { putBlob } from '../mailstore/put-blob.ts';
import { saveDraft } from '../mailstore/save-draft.ts';
import { moveEntries } from '../mailstore/move-entries.ts';
import { snooze } from '../mailstore/snooze.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Client } from '../models/client.ts';
import { Delivery } from '../models/delivery.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { DomainRecord } from '../models/domain-record.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Folder } from '../models/folder.ts';
import { Label } from '../models/label.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { Role } from '../models/role.ts';
import { RolePermission } from '../models/role-permission.ts';
import { Signature } from '../models/signature.ts';
import { UserPermission } from '../models/user-permission.ts';
import { User } from '../models/user.ts';
import { Vacation } from '../models/vacation.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { undoSend } from '../outbound/undo-send.ts';
import { personFile } from './layout.ts';
import { restoreCompany } from './restore-company.ts';
import { archiveCompany, eraseCompany } from './test-archives.ts';

let app: App;
let ctx: Ctx;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  environment = await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' });
  app = await startTestApp(environment);
  ctx = systemContext(app);
});

interface Files {
  company: Mailbox;
  path: string;
}

const archive = (owner: Pick<Mailbox, 'company'>) => archiveCompany(ctx, owner);
const erase = (owner: Pick<Mailbox, 'company'>) => eraseCompany(ctx, owner);

/** Two people with mail in every state, and all that belongs to a company. */
async function filled(): Promise<Files> {
  const tenant = await buildCompany(app);
  const admin = await buildMailbox(app, { tenant, roleNumber: builtInRole.admin });
  const ana = await buildMailbox(app, { tenant });
  const { email } = admin.user;
  const contact = { fname: 'Bea', lname: 'Mill', personalEmail: 'bea@home.test', businessEmail: email };
  await Client.create({ companyId: String(tenant.company.id), ...contact });
  await buildAlias(ana, 'sales');
  await buildGroup(tenant, { local: 'all', members: [admin, ana] });
  const owner = { companyId: String(tenant.company.id), userId: String(ana.user.id) };
  const userId = owner.userId;
  const label = await Label.create({ ...owner, name: 'Mill', nameKey: 'mill', colour: 'red' });
  const own = { signatureName: 'Short', nameKey: 'short', signatureBody: '<p>Ana</p>' };
  const signature = await Signature.create({ ...owner, ...own });
  const recoveryEmail = email.replace('@', '+ana@');
  await ana.user.update({
    signatureNewId: String(signature.id),
    hasFilters: true,
    recoveryEmail,
    confirmedRecoveryEmail: recoveryEmail,
    confirmedRecoveryUserId: String(admin.user.id),
  });
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) ids.push((await receive(ctx, [ana, admin])).entryIds[0] ?? '');
  const mark = (at: number, flags: object) => changeStatus(ctx, { userId, entryIds: [ids[at] ?? ''], flags });
  await mark(0, { starStatus: true, readStatus: true });
  await mark(1, { trashStatus: true });
  await mark(2, { archiveStatus: true });
  await mark(3, { junkStatus: true });
  await changeLabels(ctx, { userId, entryIds: [ids[0] ?? '', ids[2] ?? ''], add: [String(label.id)], remove: [] });
  await snooze(ctx, { userId, entryIds: [ids[4] ?? ''], until: new Date(Date.now() + 3_600_000) });
  const folder = (name: string) => ({ ...owner, role: null, name, nameKey: folderNameKey(name), uidValidity: 1 });
  await Folder.create(folder('Empty'));
  const yarn = await Folder.create(folder('Yarn / Garn'));
  await MailFilter.create({
    ...owner,
    place: 1,
    name: 'Looms',
    conditions: { from: 'loom@' },
    actions: { label: String(label.id), folder: String(yarn.id), star: true },
  });
  const to = { ownFolderId: String(yarn.id), archiveStatus: false, junkStatus: false, trashStatus: false };
  await moveEntries(ctx, { userId, entryIds: [ids[6] ?? '', ids[7] ?? ''], to });
  // It goes back to its folder when it leaves the archive
  await mark(7, { archiveStatus: true });
  const content = Buffer.from('a,b\n');
  await inTransaction(ctx, async (tx) => {
    const { key: blobKey, size } = await putBlob(tx, content);
    const file = { blobKey, filename: 'rows.csv', contentType: 'text/csv', size, content };
    const text = { toList: ['b@remote.test'], ccList: [], bccList: [], subject: 'Begun', body: '<p>So far</p>' };
    await saveDraft(tx, {
      ...owner,
      known: null,
      content: { ...text, preview: 'So far', fromAddress: ana.user.email },
      origin: { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: [] },
      added: [file],
      without: new Set(),
    });
  });
  return { company: admin, path: await archive(admin) };
}

/** What an archive says, without the numbers that are others on each host. */
function contentOf(path: string): Map<string, unknown> {
  const folder = mkdtempSync(join(app.config.dataDir, 'unpacked-'));
  execFileSync('tar', ['-xf', path, '-C', folder]);
  const names = execFileSync('tar', ['-tf', path], { encoding: 'utf8' }).trim().split('\n');
  const read = (name: string) => execFileSync('cat', [join(folder, name)], { encoding: 'utf8' });
  const same = (text: string) =>
    text
      .replaceAll(/\d+\.M\d+\./g, 'M')
      .replaceAll(/drafts\/\d+/g, 'drafts/n')
      .replaceAll(/"(mail_id)":"[^"]*"/g, '"$1"');
  const kept = names.filter((name) => !['SHA256SUMS', 'manifest.json'].includes(name));
  // The number of a label or a folder is another one after a restore; its name stands beside it
  const parse = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) =>
      /^(label|folder)$/.test(key) && /^\d+$/.test(String(value)) ? 'n' : value,
    );
  return new Map<string, unknown>([
    ...kept.filter((name) => name.endsWith('.jsonl')).map((name) => [same(name), same(read(name))] as const),
    ...kept.filter((name) => name.endsWith('.json')).map((name) => [same(name), parse(same(read(name)))] as const),
    [
      'messages',
      kept
        .filter((name) => name.includes('/cur/'))
        .map((name) => same(name) + read(name))
        .sort(),
    ],
  ]);
}

describe('the restore of a company', { timeout: 120_000 }, () => {
  it('brings back all that the archive has: one of the restored company says the same', async () => {
    const { company, path } = await filled();
    await erase(company);
    const always = { from: new Date(0), to: new Date(Date.now() + 60_000) };
    const before = (await checkLedger(ctx, always)).accounts;
    const { companyId, links, manifest } = await restoreCompany(ctx, { path });
    expect(manifest.counts).toMatchObject({ people: 2, messages: 16, drafts: 1, lost: 0 });
    const restored = await Company.findByPk(companyId, { rejectOnEmpty: true });
    expect(contentOf(await archive({ company: restored }))).toEqual(contentOf(path));
    expect(await Client.findOne({ where: { companyId } })).toMatchObject({
      fname: 'Bea',
      personalEmail: 'bea@home.test',
      businessEmail: company.user.email,
      activeStatus: true,
    });
    expect(links.map(({ email }) => email)).toEqual([company.user.email]);
    expect(links[0]?.link).toContain('/auth/set-password#');
    const people = await User.findAll({ where: { companyId } });
    expect(people.map((person) => [person.passwordChangeRequired, person.twoFactorStatus])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(people.some(({ passwordHash }) => passwordHash === company.user.passwordHash)).toBe(false);
    const folders = await readRows<{ role: string; total: number; threads: number; counted: number }>(
      ctx,
      `SELECT f.role, f.total, f.threads, (SELECT COUNT(*) FROM mailbox_entries e WHERE e.folder_id = f.id) AS counted
         FROM folders f JOIN users u ON u.id = f.user_id WHERE u.company_id = ? AND f.role NOT IN ('starred', 'draft')`,
      [companyId],
    );
    expect(folders.length).toBeGreaterThan(5);
    for (const { total, threads, counted } of folders) expect([total, threads]).toEqual([Number(counted), total]);
    const label = await Label.findOne({ where: { companyId } });
    const into = await Folder.findOne({ where: { companyId, nameKey: 'yarn / garn' } });
    const filter = await MailFilter.findOne({ where: { companyId } });
    expect(filter?.actions).toEqual({ label: String(label?.id), folder: String(into?.id), star: true });
    expect(label).toMatchObject({ name: 'Mill', total: 2, unread: 1 });
    const { accounts, problems } = await checkLedger(ctx, always);
    expect(problems).toEqual([]);
    // No server brings what is restored
    expect(accounts).toEqual(before);
    const rows = await Delivery.findAll({ where: { companyId } });
    expect(new Set(rows.map(({ state, reason, answers }) => `${state} ${reason} ${answers}`))).toEqual(
      new Set(['stored restored 0']),
    );
    await expect(restoreCompany(ctx, { path })).rejects.toThrow('this archive was restored into this host already');
  });

  it('goes on after an interruption, and brings nothing twice', async () => {
    const { company, path } = await filled();
    await erase(company);
    const stop = (text: string): void => {
      if (text.includes('@') && text !== company.user.email) throw new Error('the power is gone');
    };
    await expect(restoreCompany(ctx, { path, say: stop })).rejects.toThrow('the power is gone');
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await MailboxEntry.count({ where: { companyId } })).toBe(16);
    const restored = await Company.findByPk(companyId, { rejectOnEmpty: true });
    expect(contentOf(await archive({ company: restored }))).toEqual(contentOf(path));
  });

  it.each([true, false])(
    'defers mail until all of its people are there; the company is then as it was: %s',
    async (on) => {
      const admin = await buildMailbox(app, { roleNumber: builtInRole.admin });
      const ana = await buildMailbox(app, { tenant: admin });
      const contact = { fname: 'Bea', personalEmail: 'bea@home.test', businessEmail: admin.user.email };
      await Client.create({ companyId: String(admin.company.id), ...contact, activeStatus: on });
      await admin.company.update({ activeStatus: on });
      const path = await archive(admin);
      await erase(admin);
      const stop = (text: string): void => {
        if (text === admin.user.email) throw new Error('the power is gone');
      };
      await expect(restoreCompany(ctx, { path, say: stop })).rejects.toThrow('the power is gone');
      expect(await User.count({ where: { email: ana.user.email } })).toBe(0);
      const atDoor = () => Promise.all([ana, admin].map(({ user }) => locateAtDoor(ctx, user.email)));
      const deferred = { kind: 'defer', code: 450, reason: 'inactive_mailbox' };
      expect(await atDoor()).toMatchObject([deferred, deferred]);
      const { companyId } = await restoreCompany(ctx, { path });
      expect(await atDoor()).toMatchObject(on ? [{ kind: 'deliver' }, { kind: 'deliver' }] : [deferred, deferred]);
      expect(await Company.findByPk(companyId)).toMatchObject({ activeStatus: on });
      expect(await Client.findOne({ where: { companyId } })).toMatchObject({ activeStatus: on });
    },
  );

  it('leaves out permissions of modules that the host lacks, and names these', async () => {
    const admin = await buildMailbox(app, { roleNumber: builtInRole.admin });
    const role = await buildRole(admin, {
      permissions: [
        { model: 'looms', view: true },
        { model: 'inbox', view: true },
      ],
    });
    const owner = { companyId: String(admin.company.id), userId: String(admin.user.id) };
    const flags = { canView: true, canCreate: false, canEdit: false, canDelete: false };
    await UserPermission.bulkCreate(['dyes', 'sent'].map((model) => ({ ...owner, model, ...flags })));
    const path = await archive(admin);
    await erase(admin);
    const { companyId, missingModules } = await restoreCompany(ctx, { path });
    expect(missingModules).toEqual(['dyes', 'looms']);
    const restored = await Role.findOne({ where: { companyId, roleId: role.roleId }, rejectOnEmpty: true });
    const ofRole = await RolePermission.findAll({ where: { roleId: String(restored.id) } });
    const ofPeople = await UserPermission.findAll({ where: { companyId } });
    expect([ofRole, ofPeople].map((rows) => rows.map(({ model }) => model))).toEqual([['inbox'], ['sent']]);
  });

  it('makes a draft of a scheduled message, which goes on with its conversation', async () => {
    const ana = await buildMailbox(app);
    const { email } = ana.user;
    const thread = ['In-Reply-To: <two@remote.test>', 'References: <one@remote.test> <two@remote.test>'];
    const header = [`From: ${email}`, 'To: b@remote.test', 'Subject: Re: Looms', ...thread];
    const raw = Buffer.from([...header, '', 'Later.', ''].join('\r\n'));
    const sendAt = new Date(Date.now() + 86_400_000);
    await submitMessage(ctx, { user: ana.user, raw, door: 'web', bcc: [], sendAt });
    const path = await archive(ana);
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await Draft.findAll({ where: { companyId } })).toMatchObject([
      {
        subject: 'Re: Looms',
        isReply: true,
        inReplyTo: '<two@remote.test>',
        referenceIds: ['<one@remote.test>', '<two@remote.test>'],
      },
    ]);
  });

  it('brings drafts back into a mailbox that is full, and more files than a draft can be given', async () => {
    const ana = await buildMailbox(app);
    const { user } = ana;
    const file = (n: number) => ['--x', `Content-Disposition: attachment; filename=${n}.txt`, '', `${n}`];
    const files = Array.from({ length: attachmentLimits.files + 1 }, (_, n) => file(n)).flat();
    const type = 'Content-Type: multipart/mixed; boundary=x';
    const header = [`From: ${user.email}`, 'To: b@remote.test', 'Subject: Many files', 'MIME-Version: 1.0', type];
    const raw = Buffer.from([...header, '', ...files, '--x--', ''].join('\r\n'));
    const sendAt = new Date(Date.now() + 86_400_000);
    const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], sendAt });
    await undoSend(ctx, { userId: String(user.id), entryId: sent.entryId });
    await submitMessage(ctx, { user, raw, door: 'web', bcc: [], sendAt });
    await receive(ctx, [ana]);
    // An administrator has made it smaller since
    await user.update({ storageLimit: '1' });
    const path = await archive(ana);
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    const drafts = await Draft.findAll({ where: { companyId } });
    expect(drafts.map(({ subject }) => subject)).toEqual(['Many files', 'Many files']);
    const draftId = drafts.map(({ id }) => String(id));
    expect(await DraftAttachment.count({ where: { draftId } })).toBe(2 * (attachmentLimits.files + 1));
  });

  it('keeps what a draft goes on that was taken back', async () => {
    const ana = await buildMailbox(app);
    const { email, id } = ana.user;
    const thread = ['In-Reply-To: <two@remote.test>', 'References: <one@remote.test> <two@remote.test>'];
    const header = [`From: ${email}`, 'To: b@remote.test', 'Subject: Re: Looms', ...thread];
    const raw = Buffer.from([...header, '', 'Too soon.', ''].join('\r\n'));
    const sent = await submitMessage(ctx, { user: ana.user, raw, door: 'web', bcc: [], holdMs: 60_000 });
    await undoSend(ctx, { userId: String(id), entryId: sent.entryId });
    // Its message has gone, as where it was sent while it was read
    const { company, domain, roles } = ana;
    const bea = await buildMailbox(app, { tenant: { company, domain, roles } });
    const owner = { companyId: String(company.id), userId: String(bea.user.id) };
    const lists = { toList: [], ccList: [], bccList: [] };
    await Draft.create({ ...owner, ...lists, subject: 'Bare', entryId: '999999999' });
    const path = await archive(ana);
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await Draft.findAll({ where: { companyId }, order: [['id', 'ASC']] })).toMatchObject([
      {
        subject: 'Re: Looms',
        isReply: true,
        inReplyTo: '<two@remote.test>',
        referenceIds: ['<one@remote.test>', '<two@remote.test>'],
      },
      { subject: 'Bare', inReplyTo: null, referenceIds: [] },
    ]);
  });

  it('leaves out filters with nothing left to do, so that the company can be archived again', async () => {
    const ana = await buildMailbox(app);
    const bea = await buildMailbox(app, { tenant: ana });
    const ownerOf = ({ company, user }: Mailbox) => ({ companyId: String(company.id), userId: String(user.id) });
    const values = { ...ownerOf(ana), name: 'Gone', nameKey: 'gone', colour: 'red' as const };
    const label = await Label.create({ ...values, removedAt: new Date() });
    const conditions = { from: 'loom@' };
    const filters: [Mailbox, string, MailFilter['actions']][] = [
      [ana, 'Copies', { forward: true }],
      [ana, 'Gone', { label: String(label.id) }],
      [ana, 'Both', { forward: true, star: true }],
      [bea, 'Copies', { forward: true }],
    ];
    for (const [index, [person, name, actions]] of filters.entries()) {
      await MailFilter.create({ ...ownerOf(person), place: index + 1, name, conditions, actions });
      await person.user.update({ hasFilters: true });
    }
    const path = await archive(ana);
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    const restored = await MailFilter.findAll({ where: { companyId } });
    expect(restored.map(({ place, name, actions }) => [place, name, actions])).toEqual([[1, 'Both', { star: true }]]);
    const people = await User.findAll({ where: { companyId }, order: [['id', 'ASC']] });
    expect(people.map(({ email, hasFilters }) => [email, hasFilters])).toEqual([
      [ana.user.email, true],
      [bea.user.email, false],
    ]);
    const again = await archive({ company: await Company.findByPk(companyId, { rejectOnEmpty: true }) });
    expect(contentOf(again).get(`people/${ana.user.email}/person.json`)).toMatchObject({ filters: [{ name: 'Both' }] });
  });

  it('keeps whom a vacation reply answers; archives from before that choice answer all', async () => {
    const ana = await buildMailbox(app);
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    const days = { firstDay: null, lastDay: null, timeZone: 'Europe/Zurich' };
    await Vacation.create({ ...owner, ...days, isOn: true, subject: '', body: 'Away', onlyKnown: true });
    const path = await archive(ana);
    const { vacation } = contentOf(path).get(`people/${ana.user.email}/person.json`) as { vacation: object };
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await Vacation.findOne({ where: { companyId } })).toMatchObject({ isOn: true, onlyKnown: true });
    const older = personFile.shape.vacation.parse({ ...vacation, only_known: undefined });
    expect(older?.only_known).toBe(false);
  });

  it('takes a domain that other companies have only typed', async () => {
    const { company, path } = await filled();
    const { domainName } = company.domain;
    const [one, two] = [await buildCompany(app), await buildCompany(app)];
    await erase(company);
    const typed = [
      await Domain.create({ companyId: String(one.company.id), domainName }),
      await Domain.create({ companyId: String(two.company.id), domainName, deletedAt: new Date() }),
    ];
    const { companyId } = await restoreCompany(ctx, { path });
    expect(await findDomain(ctx, domainName)).toMatchObject({ companyId });
    for (const domain of typed) expect((await domain.reload()).verifiedAt).toBeNull();
    const restored = await Company.findByPk(companyId, { rejectOnEmpty: true });
    expect(contentOf(await archive({ company: restored }))).toEqual(contentOf(path));
  });

  it('brings back a domain that was only typed beside the company that owns it', async () => {
    const [ana, other] = [await buildMailbox(app), await buildMailbox(app)];
    const alias = await buildAlias(other);
    const { domainName } = other.domain;
    await Domain.create({ companyId: String(ana.company.id), domainName });
    const noted = {
      recordName: 'Our shop',
      type: 'A',
      name: 'shop',
      priority: 0,
      content: '192.0.2.7',
      ttl: 300,
    } as const;
    const place = { companyId: String(ana.company.id), domainId: String(ana.domain.id) };
    await DomainRecord.create({ ...place, ...noted });
    const path = await archive(ana);
    await erase(ana);
    const { companyId } = await restoreCompany(ctx, { path });
    const domains = await Domain.findAll({ where: { companyId }, order: [['id', 'ASC']] });
    expect(domains.map((domain) => [domain.domainName, domain.verifiedAt !== null])).toEqual([
      [ana.domain.domainName, true],
      [domainName, false],
    ]);
    expect(await DomainRecord.findAll({ where: { companyId } })).toMatchObject([
      { ...noted, domainId: String(domains[0]?.id) },
    ]);
    const owner = String(other.company.id);
    expect(String((await findDomain(ctx, domainName))?.companyId)).toBe(owner);
    expect((await alias.reload()).companyId).toEqual(alias.companyId);
    const restored = await Company.findByPk(companyId, { rejectOnEmpty: true });
    expect(contentOf(await archive({ company: restored }))).toEqual(contentOf(path));
  });

  it('refuses what is on the host already, and writes nothing', async () => {
    const { company, path } = await filled();
    const before = await Company.count();
    await expect(restoreCompany(ctx, { path })).rejects.toThrow(`a company named "${company.company.name}" is on this`);
    const domain = company.domain.domainName;
    await expect(restoreCompany(ctx, { path, isNameFree: true })).rejects.toThrow(
      `the domain ${domain} is on this host`,
    );
    expect(await Company.count()).toBe(before);
  });

  it('names the file that was changed, and what else is wrong with an archive', async () => {
    const { company, path } = await filled();
    await erase(company);
    const [before, bytes] = [await Company.count(), await readFile(path)];
    const refusal = async (change: (copy: Buffer) => Buffer | void, options = {}): Promise<string> => {
      const copy = Buffer.from(bytes);
      const changed = change(copy) ?? copy;
      await writeFile(`${path}.changed`, changed);
      return await restoreCompany(ctx, { path: `${path}.changed`, ...options }).then(
        () => 'restored',
        (error: Error) => error.message,
      );
    };
    const text = bytes.indexOf('Hello');
    expect(await refusal((copy) => void copy.write('Jello', text))).toMatch(
      /^people\/.*\/cur\/.* was changed or is damaged$/,
    );
    const sums = bytes.lastIndexOf('SHA256SUMS');
    expect(await refusal((copy) => void copy.write('0'.repeat(8), sums + 512))).toBe('SHA256SUMS was changed');
    expect(await refusal((copy) => copy.subarray(0, 5000))).toMatch(/cut off/);
    expect(await refusal((copy) => copy.subarray(0, sums))).toMatch(/cut off|before its manifest/);
    expect(await refusal(() => Buffer.from('not an archive'))).toMatch(/cut off|damaged/);
    const renamed = (name: string, size?: number) => (copy: Buffer) => {
      copy.fill(0, 0, 100).write(name, 0, 'latin1');
      if (size !== undefined) copy.write(size.toString(8).padStart(11, '0'), 124, 'latin1');
      copy.fill(32, 148, 156);
      const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
      copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    };
    for (const name of ['../../etc/passwd', '/etc/passwd', 'people/../../x/person.json', 'people/.ssh/person.json']) {
      expect(await refusal(renamed(name))).toBe(`${JSON.stringify(name)} is no name of a file of an archive`);
    }
    expect(await refusal(renamed('company.json', 2 ** 32))).toBe('"company.json" is larger than such a file can be');
    expect(await refusal(renamed('company.json', 2 ** 25))).toBe('the archive is cut off within "company.json"');
    const other = { sha256: 'a'.repeat(64) };
    expect(await refusal(() => undefined, other)).toContain('it is not the archive that was named');
    expect(await Company.count()).toBe(before);
  });

  it('is a command, which restores into another host', async () => {
    const { company, path } = await filled();
    const elsewhere = await testEnvironment();
    const migrated = await runCommand('core/src/startup/main-migrate.ts', [], elsewhere);
    expect(migrated.code).toBe(0);
    expect(await runCommand('ops/restore-company.ts', [path, '--check'], elsewhere)).toMatchObject({ code: 0 });
    const { code, output } = await runCommand('ops/restore-company.ts', [path], elsewhere);
    expect([code, output]).toEqual([0, expect.stringContaining('people 2, messages 16, drafts 1')]);
    expect(output).toContain(`  ${company.user.email} http`);
    expect(readOf(elsewhere, "SELECT COUNT(*) FROM mailbox_entries WHERE folder = 'inbox'")).toEqual(['10']);
    await truncate(path, 3000);
    const refused = await runCommand('ops/restore-company.ts', [path], elsewhere);
    expect([refused.code, refused.output]).toEqual([2, expect.stringContaining('selvage: ')]);
  });
});
