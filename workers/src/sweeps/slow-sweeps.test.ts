import { enqueue } from '@selvage/core/jobs/enqueue';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { resumeHolds } from '@selvage/core/outbound/unfinished-holds';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { indexPath } from '@selvage/core/search-index/index-path';
import { findSimilarCorrespondent } from '@selvage/core/directory/correspondent-looks';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { App } from '@selvage/core/context/app';
import type { Config } from '@selvage/core/process/config';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { verifyStorage } from '@selvage/core/mailstore/check-storage';
import { changeLabels } from '@selvage/core/mailstore/change-labels';
import { resumeRemovals } from '@selvage/core/mailstore/unfinished-removals';
import { moveEntries } from '@selvage/core/mailstore/move-entries';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { removeDraft } from '@selvage/core/mailstore/remove-draft';
import { type DraftSave, saveDraft } from '@selvage/core/mailstore/save-draft';
import { receive } from '@selvage/core/mailstore/test-messages';
import { log } from '@selvage/core/log';
import { sweepFailures } from '@selvage/core/metrics';
import { Delivery } from '@selvage/core/models/delivery';
import { Company } from '@selvage/core/models/company';
import { Draft } from '@selvage/core/models/draft';
import { Folder } from '@selvage/core/models/folder';
import { Label } from '@selvage/core/models/label';
import { User } from '@selvage/core/models/user';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { compareStore } from '../../../tests/support/stored-bytes.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { removalsSweep } from './record-sweeps.ts';
import type { SlowSweep } from './slow-sweep.ts';
import { attemptStep, slowSweepsOf } from './slow-sweeps.ts';
import { startSweeps } from './run-sweeps.ts';

const longAgo = new Date('2020-01-01');
let app: App;

beforeAll(async () => {
  app = await testApp();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await app.db.query("UPDATE sweep_steps SET position = '', due_at = '2020-01-01', lease_until = NULL");
});

/** Lets one sweep run, with passes of less than a second, until a condition holds. */
async function sweepUntil(
  name: string,
  { changes = {}, holds }: { changes?: Partial<Config>; holds: () => Promise<boolean> },
): Promise<void> {
  const config = { ...app.config, sweepSeconds: 0.1, blobSweepHours: 0.0001, ...changes };
  const sweeps = startSweeps(slowSweepsOf({ ...app, config }).filter((one) => one.name === name));
  try {
    await until(`the sweep over ${name} has done its work`, holds);
  } finally {
    await sweeps.close();
  }
}

/** A new draft without files. */
function draftOf(owner: { companyId: string; userId: string }): DraftSave {
  const text = { subject: 'a draft', body: '<p>x</p>', preview: 'x', fromAddress: null };
  const content = { toList: [], ccList: [], bccList: [], ...text };
  const origin = { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: null };
  return { ...owner, known: null, content, origin, added: [], without: new Set() };
}

/** True when a whole pass of the retention is over. */
async function isRetentionOver(): Promise<boolean> {
  const statement = "SELECT 1 FROM sweep_steps WHERE name = 'retention' AND due_at > UTC_TIMESTAMP() + INTERVAL 1 HOUR";
  return (await readRows({ app }, statement, [])).length > 0;
}

/** From now on the database refuses a change of some rows of a table, until the test is over. */
async function refuse(event: 'INSERT' | 'UPDATE', table: string, which: string): Promise<void> {
  await app.db.query(
    `CREATE TRIGGER refused_rows BEFORE ${event} ON ${table} FOR EACH ROW
      IF NEW.${which} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a bad row'; END IF`,
  );
  onTestFinished(async () => void (await app.db.query('DROP TRIGGER refused_rows')));
}

describe('the slow sweeps', () => {
  it('remove a deleted message after Redis lost its job', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const { messageId, entryIds } = await receive(ctx, [mailbox]);
    await changeStatus(ctx, { userId: String(mailbox.user.id), entryIds, flags: { deleteStatus: true } });
    await app.relay.idle();
    await app.redis.flushdb();
    await sweepUntil('messages', { holds: async () => (await Message.count({ where: { id: messageId } })) === 0 });
    expect(await compareStore(app)).toEqual({ extra: [], missing: [] });
  });

  it('go through every folder of the store', async () => {
    const { key } = await app.blobs.put(Buffer.from('nothing refers to this'));
    await sweepUntil('blobs', { changes: { blobOrphanHours: 0 }, holds: async () => !(await app.blobs.has(key)) });
  });

  it('pass over a folder that can’t be read, and count it as a failure', async () => {
    const failures = async () =>
      (await sweepFailures.get()).values.find(({ labels }) => labels.sweep === 'blobs')?.value ?? 0;
    const before = await failures();
    const said = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const broken = join(app.config.blobStore.directory, '01');
    await rm(broken, { recursive: true, force: true });
    await writeFile(broken, 'no folder');
    const { key } = await app.blobs.put(Buffer.from('nothing refers to this either'));
    expect(key > '01').toBe(true);
    await sweepUntil('blobs', { changes: { blobOrphanHours: 0 }, holds: async () => !(await app.blobs.has(key)) });
    expect(said.mock.calls.map(([, facts]) => facts?.['position'])).toContain('01');
    expect(await failures()).toBeGreaterThan(before);
    await rm(broken);
  });

  it('try a step over rows again in which a statement took too long, and do not begin anew', async () => {
    vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const tooLong = Object.assign(new Error('the statement took too long'), { errno: 1969, sqlState: '70100' });
    const positionAfter = async (problem: Error, changes: Partial<SlowSweep> = {}) => {
      const sweep = { name: 'messages' as const, passMs: 1000, step: () => Promise.reject(problem), ...changes };
      const at = { position: '7', signal: new AbortController().signal };
      return (await attemptStep(systemContext(app), sweep, at)).position;
    };
    expect(await positionAfter(tooLong)).toBe('7');
    expect(await positionAfter(tooLong, { next: () => '8' })).toBe('8');
    expect(await positionAfter(new Error('a broken disk'))).toBe('');
  });

  it('delete old rows of the ledger, and keep them for ever with 0', async () => {
    const old = new Date(Date.now() - 500 * 86_400_000);
    const facts = { mailId: 'old', direction: 'in', recipient: 'a', recipientDomain: '', envelopeFrom: '' } as const;
    const { id } = await Delivery.create({ ...facts, state: 'refused', createdAt: old });
    await app.db.query('UPDATE deliveries SET updated_at = created_at WHERE id = :id', { replacements: { id } });
    await receive(systemContext(app), [await buildMailbox(app)]);
    const keptDays = { ledger: 0, audit: 0, session: 0, junk: 0 };
    await sweepUntil('retention', { changes: { keptDays }, holds: isRetentionOver });
    expect(await Delivery.findByPk(id)).not.toBeNull();
    await app.db.query("UPDATE sweep_steps SET due_at = '2020-01-01'");
    await sweepUntil('retention', { holds: isRetentionOver });
    expect(await Delivery.findByPk(id)).toBeNull();
  });

  it('delete what has been in Junk for long, and keep it for ever with 0', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    const entryIds: string[] = [];
    for (let count = 0; count < 3; count += 1) entryIds.push(...(await receive(ctx, [mailbox])).entryIds);
    const [old = '', moved = '', other = ''] = entryIds;
    await changeStatus(ctx, { userId, entryIds: [old, moved], flags: { junkStatus: true } });
    const long = "UPDATE mailbox_entries SET arrived_at = '2020-01-01', updated_at = :at WHERE id IN (:ids)";
    await app.db.query(long, { replacements: { at: '2020-01-01', ids: [old, other] } });
    // It came long ago, and was moved to Junk just now
    await app.db.query(long, { replacements: { at: new Date(), ids: [moved] } });
    const isOver = async () =>
      (await readRows(ctx, "SELECT 1 FROM sweep_steps WHERE name = 'junk' AND due_at > UTC_TIMESTAMP()", [])).length >
      0;
    const keptDays = { ...app.config.keptDays, junk: 0 };
    await sweepUntil('junk', { changes: { keptDays }, holds: isOver });
    expect(await MailboxEntry.count({ where: { userId, deleteStatus: true } })).toBe(0);
    await app.db.query("UPDATE sweep_steps SET due_at = '2020-01-01'");
    await sweepUntil('junk', { holds: isOver });
    const left = await MailboxEntry.findAll({ where: { userId, deleteStatus: false }, order: ['id'] });
    expect(left.map(({ id }) => String(id))).toEqual([moved, other]);
    expect(await verifyStorage(ctx, userId)).toBe(true);
  });

  it('mend the kept bytes of a folder that are wrong, and say so', async () => {
    const error = vi.spyOn(log, 'error').mockReturnValue(undefined);
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    await receive(ctx, [mailbox]);
    await Folder.update({ bytes: '7' }, { where: { userId, role: 'inbox' } });
    await sweepUntil('storage', { holds: () => verifyStorage(ctx, userId) });
    expect(error).toHaveBeenCalledWith(
      'the stored bytes of a folder were wrong and are corrected',
      expect.objectContaining({ userId, kept: 7 }),
    );
  });

  it('mend the kept totals of folders and labels that are wrong, and say so', async () => {
    const error = vi.spyOn(log, 'error').mockReturnValue(undefined);
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const { userId } = owner;
    const own = await Folder.create({ ...owner, role: null, name: 'Looms', nameKey: 'looms', uidValidity: 1 });
    const label = await Label.create({ ...owner, name: 'Due', nameKey: 'due', colour: 'red' });
    const labelId = String(label.id);
    const [first, second] = [await receive(ctx, [mailbox]), await receive(ctx, [mailbox])];
    const entryIds = [...first.entryIds, ...second.entryIds];
    await changeLabels(ctx, { userId, entryIds, add: [labelId], remove: [] });
    await changeStatus(ctx, { userId, entryIds: first.entryIds, flags: { starStatus: true, readStatus: true } });
    await inTransaction(ctx, (tx) => saveDraft(tx, draftOf(owner)));
    expect(await verifyTotals(ctx, userId)).toBe(true);
    const isMended = () => verifyTotals(ctx, userId);

    for (const [role, wrong] of Object.entries({ inbox: { total: 9 }, starred: { unread: 5 }, draft: { total: 0 } })) {
      await Folder.update(wrong, { where: { userId, role } });
    }
    await own.update({ total: 3 });
    await Label.update({ total: 0, unread: 7 }, { where: { id: labelId } });
    const wrongRow = `UPDATE entry_labels SET is_shown = 0, arrived_at = '2020-01-01' WHERE entry_id IN (:entryIds)`;
    await app.db.query(wrongRow, { replacements: { entryIds } });
    expect(await isMended()).toBe(false);
    await sweepUntil('storage', { holds: isMended });
    const said = error.mock.calls.filter(([text]) => text.startsWith('the stored')).map(([, facts]) => facts);
    expect(said).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ folder: 'inbox', kept: { total: 9, unread: 1 }, counted: { total: 2, unread: 1 } }),
        expect.objectContaining({ folder: 'starred', counted: { total: 1, unread: 0 } }),
        expect.objectContaining({ folder: 'draft', counted: { total: 1, unread: 0 } }),
        expect.objectContaining({ folder: `own:${own.id}`, counted: { total: 0, unread: 0 } }),
        expect.objectContaining({ labelId, total: 2, unread: -6, wrongRows: 2 }),
      ]),
    );
  });

  it('build the search indexes of mailboxes, and remove those of people who are gone', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    await receive(ctx, [mailbox]);
    const indexed = async (): Promise<number> => (await app.search.run('state', { userId })).entries;
    await sweepUntil('search', { holds: async () => (await indexed()) === 1 });
    await mailbox.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(ctx, userId);
    await app.db.query("UPDATE sweep_steps SET due_at = '2020-01-01'");
    const path = indexPath(app.config.searchDirectory, userId);
    await sweepUntil('search', { holds: () => Promise.resolve(!existsSync(path)) });
  });

  it('move the mail of a deleted folder to the trash, though its job was lost', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const { id } = await Folder.create({ ...owner, role: null, name: 'Looms', nameKey: 'looms', uidValidity: 1 });
    const { entryIds } = await receive(ctx, [mailbox]);
    const to = { ownFolderId: String(id), archiveStatus: false, junkStatus: false, trashStatus: false };
    await moveEntries(ctx, { userId: owner.userId, entryIds, to });
    await Folder.update({ name: null, nameKey: null, removedAt: longAgo }, { where: { id } });
    await sweepUntil('removals', { holds: async () => (await Folder.count({ where: { id } })) === 0 });
    expect(await MailboxEntry.findAll({ where: { id: entryIds } })).toMatchObject([{ folder: 'trash' }]);
    expect(await verifyTotals(ctx, owner.userId)).toBe(true);
  });

  it('go on with a deletion that a clock which was ahead has marked', async () => {
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const removedAt = new Date(Date.now() + 500 * 86_400_000);
    const { id } = await Folder.create({ ...owner, role: null, uidValidity: 1, removedAt });
    await resumeRemovals(systemContext(app));
    expect(await Folder.count({ where: { id } })).toBe(0);
  });

  it('remove a file of a discarded draft after Redis lost its job, once it is old enough', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const content = Buffer.from(`a file of ${owner.userId}`);
    const { key: blobKey, size } = await app.blobs.put(content);
    const added = [{ blobKey, size, content, filename: 'a', contentType: 'text/plain' }];
    const { id } = await inTransaction(ctx, (tx) => saveDraft(tx, { ...draftOf(owner), added }));
    const draft = await Draft.findByPk(id, { rejectOnEmpty: true });
    await inTransaction(ctx, (tx) => removeDraft(tx, draft));
    await app.relay.idle();
    await app.redis.flushdb();
    expect(await app.relay.announceDue({ olderThanMs: 0 })).toBe(0);
    expect(await app.blobs.has(blobKey)).toBe(true);
    await app.db.query(`UPDATE sweep_steps SET position = '${blobKey.slice(0, 2)}' WHERE name = 'blobs'`);
    await sweepUntil('blobs', { changes: { blobOrphanHours: 0 }, holds: async () => !(await app.blobs.has(blobKey)) });
    expect(await compareStore(app)).toEqual({ extra: [], missing: [] });
  });

  it('leave a deletion of this minute to its job', async () => {
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const { id } = await Folder.create({ ...owner, role: null, uidValidity: 1, removedAt: new Date() });
    expect(await resumeRemovals(systemContext(app))).toBe(0);
    expect(await Folder.count({ where: { id } })).toBe(1);
  });

  it('take a deleted label from its messages, though its job was lost', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const label = await Label.create({ ...owner, name: 'Due', nameKey: 'due', colour: 'red' });
    const labelId = String(label.id);
    const { entryIds } = await receive(ctx, [mailbox]);
    await changeLabels(ctx, { userId: owner.userId, entryIds, add: [labelId], remove: [] });
    await label.update({ nameKey: null, removedAt: longAgo });
    await sweepUntil('removals', { holds: async () => (await Label.count({ where: { id: labelId } })) === 0 });
    expect(await readRows(ctx, 'SELECT 1 FROM entry_labels WHERE label_id = ?', [labelId])).toEqual([]);
  });

  it.each(['lost', 'never got'])('hold the mail of a barred person, though Redis %s the job', async (fate) => {
    const ctx = systemContext(app);
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\nspam\r\n`);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    await user.update({ activeStatus: false });
    const userId = String(user.id);
    const asked = new Date(Date.now() - 120_000);
    await OutboxRow.create({
      jobName: holdSentMail.name,
      payload: { userId },
      dedupeId: holdSentMail.dedupe({ userId }),
      availableAt: asked,
      createdAt: asked,
      relayedAt: fate === 'lost' ? asked : null,
    });
    const lookedUpTo = new Date(Date.now() - 300_000).toISOString();
    await changeRows({ app }, "UPDATE sweep_steps SET position = ? WHERE name = 'removals'", [lookedUpTo]);
    const stateOf = async () => (await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true })).state;
    await sweepUntil('removals', { holds: async () => (await stateOf()) === 'held' });
  });

  it('hold the mail of a barred person while an erasure can’t go on', async () => {
    const ctx = systemContext(app);
    const [erased, { user }] = [await buildMailbox(app), await buildMailbox(app)];
    const { entryIds } = await receive(ctx, [erased]);
    await erased.user.update({ deletedAt: longAgo, erasedAt: longAgo });
    const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\nspam\r\n`);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    await user.update({ activeStatus: false });
    const userId = String(user.id);
    await inTransaction(ctx, (tx) => enqueue(tx, holdSentMail, { userId }));
    await app.relay.idle();
    const asked = new Date(Date.now() - 120_000);
    await OutboxRow.update({ relayedAt: asked }, { where: { dedupeId: holdSentMail.dedupe({ userId }) } });
    const stateOf = async () => (await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true })).state;
    const locked = await app.db.transaction();
    await MailboxEntry.findByPk(entryIds[0], { transaction: locked, lock: locked.LOCK.UPDATE });
    const since = new Date(Date.now() - 300_000).toISOString();
    const step = removalsSweep().step(ctx, since, new AbortController().signal);
    try {
      await until('the mail is held', async () => (await stateOf()) === 'held');
    } finally {
      await locked.rollback();
    }
    await step;
    expect(await User.count({ where: { id: erased.user.id } })).toBe(0);
  });

  it('look at each request to hold mail once, as soon as all of it is held', async () => {
    const ctx = systemContext(app);
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\nspam\r\n`);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    await user.update({ activeStatus: false });
    const [userId, now] = [String(user.id), Date.now()];
    await Delivery.update({ leaseUntil: new Date(now + 600_000) }, { where: { mailId } });
    await inTransaction(ctx, (tx) => enqueue(tx, holdSentMail, { userId }));
    await app.relay.idle();
    await OutboxRow.update({ relayedAt: new Date(now) }, { where: { dedupeId: holdSentMail.dedupe({ userId }) } });
    const since = new Date(now - 1000).toISOString();
    const busy = await resumeHolds(ctx, since, undefined, now + 61_000);
    expect(busy.upTo).toBe(since);
    await Delivery.update({ leaseUntil: null }, { where: { mailId } });
    const free = await resumeHolds(ctx, busy.upTo, undefined, now + 91_000);
    expect(free.upTo).toBe(new Date(now + 31_000).toISOString());
    expect(await Delivery.findOne({ where: { mailId } })).toMatchObject({ state: 'held' });
    // What an administrator releases after that stays released
    await Delivery.update({ state: 'queued', nextAttemptAt: new Date(now) }, { where: { mailId } });
    await resumeHolds(ctx, free.upTo, undefined, now + 121_000);
    expect(await Delivery.findOne({ where: { mailId } })).toMatchObject({ state: 'queued' });
    // The clock was ahead
    expect((await resumeHolds(ctx, '2099-01-01T00:00:00.000Z', undefined, now)).upTo).toBe(
      new Date(now - 60_000).toISOString(),
    );
  });

  it('erase people and companies whose jobs were lost', async () => {
    const ctx = systemContext(app);
    const [person, stays, other] = [await buildMailbox(app), await buildMailbox(app), await buildMailbox(app)];
    const { messageId } = await receive(ctx, [person, other]);
    await person.user.update({ deletedAt: longAgo, erasedAt: longAgo });
    await other.company.update({ deletedAt: longAgo, erasedAt: longAgo });
    const left = () => User.count({ where: { id: [person.user.id, other.user.id] } });
    await sweepUntil('removals', { holds: async () => (await left()) === 0 });
    expect(await Company.count({ where: { id: [other.company.id] } })).toBe(0);
    expect(await User.count({ where: { id: stays.user.id } })).toBe(1);
    expect(await MailboxEntry.count({ where: { messageId } })).toBe(0);
  });

  it('note whom people had written to before', async () => {
    const ctx = systemContext(app);
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nTo: Priya <priya@remote.test>\r\n\r\nx\r\n`);
    const { entryId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    await app.db.query('DELETE FROM correspondents');
    await app.db.query("UPDATE sweep_steps SET position = :position WHERE name = 'correspondents'", {
      replacements: { position: `0/${entryId}` },
    });
    const noted = () => readRows(ctx, 'SELECT 1 FROM correspondents WHERE user_id = ?', [String(user.id)]);
    await sweepUntil('correspondents', { holds: async () => (await noted()).length > 0 });
  });

  it('note the domains of those who were noted before', async () => {
    const ctx = systemContext(app);
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nTo: Priya <priya@woolworks.test>\r\n\r\nx\r\n`);
    await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
    const userId = String(user.id);
    await changeRows(ctx, 'DELETE FROM correspondent_looks WHERE user_id = ?', [userId]);
    const mark =
      'UPDATE sweep_steps SET position = (SELECT CONCAT(MIN(id) - 1, ?, MAX(id)) FROM correspondents WHERE user_id = ?)';
    await changeRows(ctx, `${mark} WHERE name = 'correspondent_looks'`, ['/', userId]);
    const holds = async () => (await findSimilarCorrespondent(ctx, userId, 'woo1works.test')) === 'woolworks.test';
    expect(await holds()).toBe(false);
    await sweepUntil('correspondent_looks', { holds });
  });

  it('count what the companies behind one have stored whose count fails', async () => {
    const [bad, behind] = [await buildMailbox(app), await buildMailbox(app)];
    await receive(systemContext(app), [behind]);
    await refuse('INSERT', 'company_use', `company_id = ${bad.company.id}`);
    const counted = () => readRows({ app }, 'SELECT 1 FROM company_use WHERE company_id = ?', [behind.company.id]);
    await sweepUntil('companies', { holds: async () => (await counted()).length > 0 });
  });

  it('mend the bytes of the folders behind one that can’t be mended', async () => {
    const [bad, behind] = [await buildMailbox(app), await buildMailbox(app)];
    await receive(systemContext(app), [bad]);
    await receive(systemContext(app), [behind]);
    await Folder.update({ bytes: '1' }, { where: { userId: [bad.user.id, behind.user.id], role: 'inbox' } });
    await refuse('UPDATE', 'folders', `user_id = ${bad.user.id}`);
    await sweepUntil('storage', { holds: () => verifyStorage(systemContext(app), String(behind.user.id)) });
  });

  it('delete what has been in Junk for long behind a folder that can’t be emptied', async () => {
    const ctx = systemContext(app);
    const [bad, behind] = [await buildMailbox(app), await buildMailbox(app)];
    for (const { user } of [bad, behind]) {
      const { entryIds } = await receive(ctx, [user === bad.user ? bad : behind]);
      await changeStatus(ctx, { userId: String(user.id), entryIds, flags: { junkStatus: true } });
      const old = 'UPDATE mailbox_entries SET arrived_at = ?, updated_at = ? WHERE id IN (?)';
      await changeRows(ctx, old, [longAgo, longAgo, entryIds]);
    }
    await refuse('UPDATE', 'mailbox_entries', `user_id = ${bad.user.id}`);
    const left = () => MailboxEntry.count({ where: { userId: behind.user.id, folder: 'junk' } });
    await sweepUntil('junk', { holds: async () => (await left()) === 0 });
    expect(await MailboxEntry.count({ where: { userId: bad.user.id, folder: 'junk' } })).toBe(1);
  });

  it('read no bytes when that is switched off', () => {
    const names = (blobCheckDays: number) =>
      slowSweepsOf({ ...app, config: { ...app.config, blobCheckDays } }).map(({ name }) => name);
    expect(names(0)).not.toContain('contents');
    expect(names(30)).toContain('contents');
  });
});
