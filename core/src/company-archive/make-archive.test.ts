import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { eraseCompanyRows } from '../directory/erase-rows.ts';
import { log } from '../log.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { addReceivedEntriesOnce } from '../mailstore/entry-rows.ts';
import { readSource } from '../mailstore/message-source.ts';
import { moveEntries } from '../mailstore/move-entries.ts';
import { receive, recipientOf } from '../mailstore/test-messages.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { Company } from '../models/company.ts';
import { CompanyArchive } from '../models/company-archive.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { Message } from '../models/message.ts';
import { Passkey } from '../models/passkey.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { pathsOf } from './archive-file.ts';
import type { Cursor } from './cursor.ts';
import { keepArchives } from './keep-archives.ts';
import { workOnArchive } from './make-archive.ts';
import { askForArchive } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  app.config.archives.spareBytes = 0;
  ctx = systemContext(app);
});

const hourMs = 3_600_000;

/** Makes an archive one that was asked for more than a day ago. */
async function age(id: string): Promise<void> {
  await CompanyArchive.update({ createdAt: new Date(Date.now() - 25 * hourMs) }, { where: { id } });
}

/** Makes the last failure of an archive one of an hour ago. */
async function passHour(id: string): Promise<void> {
  const cursor = (await rowOf(id)).cursorAt as Cursor;
  const { hours = 0, since = 0 } = cursor.failing ?? {};
  const failing = { hours, since: since - hourMs };
  await CompanyArchive.update({ cursorAt: { ...cursor, failing } }, { where: { id } });
}

const rowOf = (id: string) => CompanyArchive.findByPk(id, { rejectOnEmpty: true });
const pathOf = (id: string) => pathsOf(app.config.archives.directory, id).finished;
const filesOf = async (id: string) =>
  (await readdir(app.config.archives.directory)).filter((name) => name.startsWith(`${id}.`));

/** What an ordinary tar program makes of an archive. */
function unpack(id: string): { folder: string; names: string[]; read: (name: string) => Promise<string> } {
  const folder = mkdtempSync(join(app.config.dataDir, 'unpacked-'));
  execFileSync('tar', ['-xf', pathOf(id), '-C', folder]);
  const names = execFileSync('tar', ['-tf', pathOf(id)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return { folder, names, read: async (name) => await readFile(join(folder, name), 'utf8') };
}

/** A company with a person who has mail in several folders, and a draft. */
async function filledCompany(messages = 3): Promise<{ ana: Mailbox; entryIds: string[] }> {
  const ana = await buildMailbox(app);
  const entryIds: string[] = [];
  for (let n = 0; n < messages; n += 1) entryIds.push((await receive(ctx, [ana])).entryIds[0] ?? '');
  const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
  const lists = { toList: ['b@remote.test'], ccList: [], bccList: ['c@remote.test'] };
  await Draft.create({ ...owner, ...lists, subject: 'Begun', body: '<p>So far</p>' });
  return { ana, entryIds };
}

/** The facts of a file of a draft. */
function fileOf({ id }: Draft) {
  return { draftId: String(id), filename: 'a.txt', contentType: 'text/plain' };
}

describe('an archive of a company', { timeout: 60_000 }, () => {
  it('is a tar file with everything, which sha256sum finds right, and without secrets', async () => {
    const { ana, entryIds } = await filledCompany();
    const userId = String(ana.user.id);
    await changeStatus(ctx, { userId, entryIds: [entryIds[1] ?? ''], flags: { starStatus: true, readStatus: true } });
    await changeStatus(ctx, { userId, entryIds: [entryIds[2] ?? ''], flags: { trashStatus: true } });
    await MailboxEntry.update(
      { arrivedAt: new Date('2021-03-04T05:06:07.890Z') },
      { where: { id: entryIds[0] ?? '' } },
    );
    await ana.user.update({ twoFactorSecret: 'sealed-secret', twoFactorStatus: true });
    const owner = { companyId: String(ana.company.id), userId };
    await Passkey.create({
      ...owner,
      passkeyName: 'k',
      credentialId: `c${userId}`,
      publicKey: 'the-key',
      transports: [],
    });
    const id = await askForArchive(ana);
    expect(await workOnArchive(ctx, id)).toBe('done');
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'ready', done: 3, people: 1, lost: 0, problem: null, makingOf: null });
    const { folder, names, read } = unpack(id);
    const sums = execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    expect(sums).toBe('');
    const digest = execFileSync('sha256sum', [pathOf(id)], { encoding: 'utf8' }).slice(0, 64);
    expect(row.sha256).toBe(digest);
    const place = `people/${ana.user.email}`;
    expect(names.filter((name) => name.includes('/mail/')).map((name) => name.replace(/\d+\.M/, 'M'))).toEqual([
      `${place}/mail/cur/M${entryIds[0]}.selvage:2,`,
      `${place}/mail/cur/M${entryIds[1]}.selvage:2,FS`,
      `${place}/mail/.Trash/cur/M${entryIds[2]}.selvage:2,`,
    ]);
    const entry = await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true });
    const message = await Message.findByPk(entry.messageId, { rejectOnEmpty: true });
    const first = names.find((name) => name.includes(`M${entryIds[0]}.`)) ?? '';
    expect(await read(first)).toBe((await readSource(app, message)).toString());
    // Dovecot takes it for the time at which the message came
    expect(statSync(join(folder, first)).mtime).toEqual(new Date('2021-03-04T05:06:07Z'));
    const draft = JSON.parse(await read(names.find((name) => name.includes('/drafts/')) ?? '')) as object;
    expect(draft).toMatchObject({ subject: 'Begun', body: '<p>So far</p>', bcc: ['c@remote.test'] });
    expect(JSON.parse(await read('manifest.json'))).toMatchObject({ counts: { people: 1, messages: 3, drafts: 1 } });
    const all = execFileSync('cat', [pathOf(id)], { encoding: 'latin1', maxBuffer: 2 ** 26 });
    for (const secret of ['sealed-secret', 'the-key', ana.user.passwordHash, '$argon2'])
      expect(all).not.toContain(secret);
    expect(await filesOf(id)).toEqual([`${id}.tar`]);
    await rm(folder, { recursive: true });
  });

  it('has each folder that a person made as one of its Maildir, which other programs read', async () => {
    const ana = await buildMailbox(app);
    const userId = String(ana.user.id);
    const owner = { companyId: String(ana.company.id), userId, role: null, uidValidity: 1 };
    const long = '長い名前'.repeat(15);
    const names = [
      'Kunden & Müller',
      'Yarn/Garn',
      'Yarn.Garn',
      '📦 Pakete',
      '../../etc',
      'Sent?',
      'Kunden  2026',
      'A\\b',
      'a-b',
      'Gro\u0308\u00dfe',
      "-rf $(x) `y` 'z' #",
      long,
    ];
    for (const name of names) {
      const folder = await Folder.create({ ...owner, name, nameKey: folderNameKey(name) });
      const { entryIds } = await receive(ctx, [ana]);
      const to = { ownFolderId: String(folder.id), archiveStatus: false, junkStatus: false, trashStatus: false };
      await moveEntries(ctx, { userId, entryIds, to });
    }
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', problem: null });
    const { folder, names: files } = unpack(id);
    const own = files.flatMap((file) => /\/mail\/(\.Own[^/]*)\/cur\//.exec(file)?.[1] ?? []);
    expect(own.slice(0, -1)).toEqual([
      '.Own.Kunden &- M&APw-ller',
      '.Own.Yarn-Garn-2',
      '.Own.Yarn-Garn',
      '.Own.&2D3c5g- Pakete',
      '.Own.------etc',
      '.Own.Sent-',
      '.Own.Kunden  2026',
      '.Own.A-b-2',
      '.Own.a-b',
      '.Own.Gro&AwgA3w-e',
      ".Own.-rf $(x) `y` 'z' #",
    ]);
    // As much of a long name as the header of a tar has room for
    expect(own.at(-1)).toMatch(/^\.Own\.&lXcwRFQNUk[\w+,]+-$/);
    expect(execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe('');
    await rm(folder, { recursive: true });
  });

  it('leaves out what was deleted for good of a message that its person has elsewhere as well', async () => {
    const ana = await buildMailbox(app);
    const userId = String(ana.user.id);
    const raw = Buffer.from(`From: ${ana.user.email}\r\nTo: ${ana.user.email}\r\nSubject: Note\r\n\r\nText\r\n`);
    const { entryId } = await submitMessage(ctx, { user: ana.user, door: 'web', bcc: [], raw });
    const { messageId } = await MailboxEntry.findByPk(entryId, { rejectOnEmpty: true });
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    await inTransaction(ctx, (tx) => addReceivedEntriesOnce(tx, message, { recipients: [recipientOf(ana)] }));
    await changeStatus(ctx, { userId, entryIds: [entryId], flags: { deleteStatus: true } });
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 1, lost: 0 });
    const { names } = unpack(id);
    expect(names.filter((name) => name.includes('/mail/'))).toEqual([expect.stringContaining('/mail/cur/')]);
  });

  it('has no bytes of another company', async () => {
    const [{ ana }, { ana: other }] = [await filledCompany(), await filledCompany()];
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    const { names } = unpack(id);
    expect(names.some((name) => name.includes(ana.user.email))).toBe(true);
    expect(names.some((name) => name.includes(other.user.email))).toBe(false);
  });

  it('goes on after a run that was killed, with what it wrote last cut off', async () => {
    const { ana } = await filledCompany(5);
    const id = await askForArchive(ana);
    // A run whose time is over after each step
    let rounds = 0;
    while ((await workOnArchive(ctx, id, { longestMs: 1 })) === 'more') {
      rounds += 1;
      const { unfinished, sums } = pathsOf(app.config.archives.directory, id);
      const { written } = (await rowOf(id)).cursorAt as Cursor;
      // What a killed run had written and not noted
      await truncate(unfinished, written.bytes);
      await writeFile(unfinished, Buffer.concat([await readFile(unfinished), Buffer.from('half a message')]));
      await writeFile(sums, Buffer.concat([await readFile(sums), Buffer.from('half a line')]));
      await CompanyArchive.update({ claimId: 'killed', leaseUntil: null }, { where: { id } });
    }
    expect(rounds).toBeGreaterThan(3);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 5 });
    execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: unpack(id).folder });
  });

  it('is begun anew when its file is gone, and left to the run that has it', async () => {
    const { ana } = await filledCompany();
    const id = await askForArchive(ana);
    while (((await rowOf(id)).cursorAt as Cursor).counts.files < 4) await workOnArchive(ctx, id, { longestMs: 1 });
    await rm(pathsOf(app.config.archives.directory, id).unfinished);
    await CompanyArchive.update({ claimId: 'other', leaseUntil: new Date(Date.now() + 60_000) }, { where: { id } });
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect(await rowOf(id)).toMatchObject({ state: 'making' });
    await CompanyArchive.update({ leaseUntil: new Date(Date.now() - 1) }, { where: { id } });
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 3 });
  });

  it('is gone on with after the end of the process, however old it is', async () => {
    const { ana } = await filledCompany();
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id, { longestMs: 1 });
    await age(id);
    const ending = AbortSignal.abort(new Error('the process ends'));
    await expect(workOnArchive(ctx, id, { signal: ending })).rejects.toThrow('the process ends');
    expect(await rowOf(id)).toMatchObject({ state: 'making', leaseUntil: null });
    expect(await filesOf(id)).toHaveLength(2);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 3 });
  });

  it('is given up when runs failed in more hours than a day has, and not for its age', async () => {
    const { ana } = await filledCompany();
    const id = await askForArchive(ana);
    await age(id);
    await workOnArchive(ctx, id, { longestMs: 1 });
    const mark = join(app.config.archives.directory, '.directory');
    const failing = async (work: () => Promise<void>) => {
      await rename(mark, `${mark}.away`);
      // Stands for a disk that fails
      await mkdir(mark);
      await work();
      await rm(mark, { recursive: true });
      await rename(`${mark}.away`, mark);
    };
    const fail = async () => {
      await expect(workOnArchive(ctx, id)).rejects.toThrow('EISDIR');
      expect(await rowOf(id)).toMatchObject({ state: 'making' });
    };
    await failing(async () => {
      for (let hour = 0; hour < 24; hour += 1) {
        // Only the first of an hour counts
        await fail();
        await fail();
        await passHour(id);
      }
    });
    // A step begins the count anew
    await workOnArchive(ctx, id, { longestMs: 1 });
    await failing(async () => {
      for (let hour = 0; hour < 24; hour += 1) {
        await fail();
        await passHour(id);
      }
      expect(await workOnArchive(ctx, id)).toBe('done');
    });
    expect(await rowOf(id)).toMatchObject({ state: 'failed', problem: 'failed', makingOf: null });
    expect(await filesOf(id)).toEqual([]);
  });

  it('is given up with a reason when the disk would have too little room', async () => {
    const { ana } = await filledCompany();
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id, { longestMs: 1 });
    app.config.archives.spareBytes = Number.MAX_SAFE_INTEGER;
    try {
      await workOnArchive(ctx, id);
    } finally {
      app.config.archives.spareBytes = 0;
    }
    expect(await rowOf(id)).toMatchObject({ state: 'failed', problem: 'no_room', makingOf: null });
    expect(await filesOf(id)).toEqual([]);
    const events = await AuditEvent.findAll({ where: { entity: 'archive', entityId: id } });
    expect(events.map(({ action }) => action)).toEqual(['archive:failed']);
  });

  it('is not offered when a restore would refuse what stands in it', async () => {
    const { ana } = await filledCompany(1);
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    const filter = { place: 1, name: 'Odd', conditions: { match: 'all', rules: 'none' }, actions: { star: true } };
    await MailFilter.create({ ...owner, ...(filter as unknown as Pick<MailFilter, keyof typeof filter>) });
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'failed', problem: 'damaged', makingOf: null });
    expect(await filesOf(id)).toEqual([]);
  });

  it('leaves out a filter that does nothing, which restores of older versions made', async () => {
    const { ana } = await filledCompany(1);
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    const conditions = { from: 'loom@' };
    await MailFilter.create({ ...owner, place: 1, name: 'Nothing', conditions, actions: {} });
    await MailFilter.create({ ...owner, place: 2, name: 'Star', conditions, actions: { star: true } });
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', problem: null });
    const person = JSON.parse(await unpack(id).read(`people/${ana.user.email}/person.json`)) as object;
    expect(person).toMatchObject({ filters: [{ name: 'Star', actions: { star: true } }] });
  });

  it('counts messages whose bytes are lost, and has the others', async () => {
    const { ana, entryIds } = await filledCompany();
    const entry = await MailboxEntry.findByPk(entryIds[1] ?? '', { rejectOnEmpty: true });
    await app.blobs.remove((await Message.findByPk(entry.messageId, { rejectOnEmpty: true })).blobKey);
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 2, lost: 1 });
  });

  it('counts as lost what the disk cannot read, in messages and drafts, and has the others', async () => {
    const alarms = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const { ana, entryIds } = await filledCompany();
    const entry = await MailboxEntry.findByPk(entryIds[1] ?? '', { rejectOnEmpty: true });
    const { blobKey } = await Message.findByPk(entry.messageId, { rejectOnEmpty: true });
    const draft = await Draft.findOne({ where: { userId: ana.user.id }, rejectOnEmpty: true });
    await DraftAttachment.create({ ...fileOf(draft), blobKey, size: 10 });
    await app.blobs.remove(blobKey);
    // Nothing is mapped at its beginning, so to read it there is an I/O error
    await symlink('/proc/self/mem', join(app.config.blobStore.directory, blobKey.slice(0, 2), blobKey));
    const id = await askForArchive(ana);
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 2, lost: 2 });
    expect(alarms).toHaveBeenCalledTimes(2);
    alarms.mockRestore();
  });

  it('is not made while the disk reads next to nothing', async () => {
    const { ana } = await filledCompany(11);
    const id = await askForArchive(ana);
    const alarms = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
    const reading = vi.spyOn(app.blobs, 'read').mockRejectedValue(failure);
    await expect(workOnArchive(ctx, id)).rejects.toThrow('the disk can not read 11 of 11 messages');
    reading.mockRestore();
    alarms.mockRestore();
    await workOnArchive(ctx, id);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 11, lost: 0 });
  });

  it('has no more than a few large drafts in one step', async () => {
    const { ana } = await filledCompany(0);
    const { key: blobKey, size } = await app.blobs.put(Buffer.alloc(33_554_432, 'x'));
    const draft = await Draft.findOne({ where: { userId: ana.user.id }, rejectOnEmpty: true });
    const { companyId, userId, toList, ccList, bccList } = draft;
    const next = await Draft.create({ companyId, userId, toList, ccList, bccList, subject: 'Next', body: '' });
    for (const one of [draft, next]) {
      await DraftAttachment.create({ ...fileOf(one), blobKey, size });
    }
    const id = await askForArchive(ana);
    const drafts = async () => ((await rowOf(id)).cursorAt as Cursor).counts.drafts;
    while ((await drafts()) === 0) await workOnArchive(ctx, id, { longestMs: 1 });
    expect(await drafts()).toBe(1);
    await workOnArchive(ctx, id);
    expect(await drafts()).toBe(2);
    expect(await rowOf(id)).toMatchObject({ state: 'ready' });
  });

  it('stops and leaves nothing when its company is erased, or it is deleted, while it is made', async () => {
    const { ana } = await filledCompany();
    const [id, { company }] = [await askForArchive(ana), ana];
    while (((await rowOf(id)).cursorAt as Cursor).counts.files < 4) await workOnArchive(ctx, id, { longestMs: 1 });
    expect((await filesOf(id)).length).toBe(2);
    await Company.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: company.id } });
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect(await filesOf(id)).toEqual([]);
    await eraseCompanyRows(ctx, String(company.id));
    expect(await CompanyArchive.findByPk(id)).toBeNull();

    const { ana: other } = await filledCompany();
    const second = await askForArchive(other);
    await workOnArchive(ctx, second, { longestMs: 1 });
    await CompanyArchive.update({ state: 'removed', makingOf: null }, { where: { id: second } });
    await keepArchives(ctx);
    expect(await filesOf(second)).toEqual([]);
  });

  it('is kept while its directory is away, and removed where its file is gone from there', async () => {
    const [{ ana }, { ana: other }] = [await filledCompany(1), await filledCompany(1)];
    const [id, lost] = [await askForArchive(ana), await askForArchive(other)];
    await workOnArchive(ctx, id);
    await workOnArchive(ctx, lost);
    const { directory } = app.config.archives;
    const away = `${directory}-away`;
    const stands = async () => (await Promise.all([id, lost].map(rowOf))).map(({ state }) => state);
    await rename(directory, away);
    await keepArchives(ctx);
    expect(await stands()).toEqual(['ready', 'ready']);
    // As where a directory can't be read for a moment
    await writeFile(directory, 'no directory');
    await keepArchives(ctx);
    expect(await stands()).toEqual(['ready', 'ready']);
    // As below a disk that is not mounted, also one in which an archive was made meanwhile
    await rm(directory);
    await mkdir(directory);
    await keepArchives(ctx);
    expect(await stands()).toEqual(['ready', 'ready']);
    const { ana: third } = await filledCompany(1);
    const below = await askForArchive(third);
    await workOnArchive(ctx, below);
    await keepArchives(ctx);
    expect([...(await stands()), (await rowOf(below)).state]).toEqual(['ready', 'ready', 'ready']);
    await rm(directory, { recursive: true });
    await rename(away, directory);
    await rm(pathOf(lost));
    await keepArchives(ctx);
    expect([...(await stands()), (await rowOf(below)).state]).toEqual(['ready', 'removed', 'ready']);
    expect(await filesOf(id)).toEqual([`${id}.tar`]);
  });

  it('is removed when its days are over; a lost job is gone on with, and rubbish is cleared away', async () => {
    const { ana } = await filledCompany();
    const id = await askForArchive(ana);
    await mkdir(app.config.archives.directory, { recursive: true });
    await writeFile(join(app.config.archives.directory, '999999.tar'), 'rubbish');
    await writeFile(join(app.config.archives.directory, 'note.txt'), 'not ours');
    await keepArchives(ctx, undefined, Date.now() + 10_000);
    expect(await rowOf(id)).toMatchObject({ state: 'ready' });
    const { directory, days } = app.config.archives;
    expect(existsSync(join(directory, '999999.tar'))).toBe(false);
    expect(existsSync(join(directory, 'note.txt'))).toBe(true);
    await keepArchives(ctx, undefined, Date.now() + (days - 1) * 86_400_000);
    expect(await rowOf(id)).toMatchObject({ state: 'ready' });
    await keepArchives(ctx, undefined, Date.now() + (days + 1) * 86_400_000);
    expect(await rowOf(id)).toMatchObject({ state: 'removed' });
    expect(await filesOf(id)).toEqual([]);
  });
});
