import { beforeAll, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { Folder } from '../models/folder.ts';
import { Label } from '../models/label.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeStatus } from './change-status.ts';
import { changeThreadLabels } from './change-labels.ts';
import { changeThreadStatus } from './change-thread-status.ts';
import { mendThreads } from './check-threads.ts';
import { emptyOldJunk } from './empty-junk.ts';
import { emptyTrashOrJunk } from './empty-trash.ts';
import { moveThreads } from './move-entries.ts';
import { verifyTotals } from './verify-totals.ts';
import { snoozeThreads } from './snooze.ts';
import { receive } from './test-messages.ts';

let ctx: Ctx;

beforeAll(async () => {
  ctx = systemContext(await testApp());
});

/** Older than what other tests have in Junk. */
const longAgo = new Date('2001-01-01');

interface Race {
  folder: 'trash' | 'junk';
  /** The other window also puts the message back into the folder. */
  isPutBack?: boolean;
  deletion: (person: { userId: string; entryIds: string[] }) => Promise<unknown>;
}

/** A message is restored while a deletion that has found it in its folder waits for it. */
async function race({ folder, isPutBack, deletion }: Race): Promise<{ entry: MailboxEntry; userId: string }> {
  const mailbox = await buildMailbox(ctx.app);
  const userId = String(mailbox.user.id);
  const { entryIds } = await receive(ctx, [mailbox]);
  const set = (by: Ctx, is: boolean) =>
    changeStatus(by, { userId, entryIds, flags: folder === 'trash' ? { trashStatus: is } : { junkStatus: is } });
  await set(ctx, true);
  const aged = 'UPDATE mailbox_entries SET arrived_at = ?, updated_at = ? WHERE id IN (?)';
  await changeRows(ctx, aged, [longAgo, longAgo, entryIds]);
  await mendThreads(ctx, await beforeFolder(userId, folder));
  let deleting: Promise<unknown> = Promise.resolve();
  await inTransaction(ctx, async (tx) => {
    await set(tx, false);
    if (isPutBack) await set(tx, true);
    deleting = deletion({ userId, entryIds });
    await until('the deletion to wait for the entry', () => isWaitedFor(entryIds[0] ?? ''));
  });
  await deleting;
  return { entry: await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true }), userId };
}

/** The place of a sweep over folders at which this one is the next. */
async function beforeFolder(userId: string, role: Race['folder']): Promise<string> {
  const folder = await Folder.findOne({ where: { userId, role }, rejectOnEmpty: true });
  return String(BigInt(folder.id) - 1n);
}

async function isWaitedFor(entryId: string): Promise<boolean> {
  const statement = `SELECT 1 FROM information_schema.processlist
    WHERE db = DATABASE() AND id <> CONNECTION_ID()
      AND info LIKE 'SELECT%mailbox_entries%FOR UPDATE' AND info LIKE ?`;
  return (await readRows(ctx, statement, [`%'${entryId}'%`])).length > 0;
}

const emptyTrash: Race['deletion'] = ({ userId }) => emptyTrashOrJunk(ctx, { userId, folder: 'trash' });
const emptyJunk: Race['deletion'] = ({ userId }) => emptyTrashOrJunk(ctx, { userId, folder: 'junk' });
const sweepJunk: Race['deletion'] = async ({ userId }) => {
  const cutoff = new Date(longAgo.getTime() + 1000);
  await emptyOldJunk(ctx, { after: await beforeFolder(userId, 'junk'), cutoff });
};
const deleteThread: Race['deletion'] = (person) =>
  changeThreadStatus(ctx, { ...person, flags: { deleteStatus: true } });

it.each([
  ['the trash is emptied', 'trash', emptyTrash],
  ['Junk is emptied', 'junk', emptyJunk],
  ['the sweep deletes old mail in Junk', 'junk', sweepJunk],
  ['its conversation is deleted', 'trash', deleteThread],
] as const)('a message that is restored while %s stays', async (_name, folder, deletion) => {
  const { entry, userId } = await race({ folder, deletion });
  expect(entry).toMatchObject({ folder: 'inbox', deleteStatus: false });
  expect(await verifyTotals(ctx, userId)).toBe(true);
});

it('a message that comes into the trash again while that is emptied stays', async () => {
  const { entry } = await race({ folder: 'trash', isPutBack: true, deletion: emptyTrash });
  expect(entry).toMatchObject({ folder: 'trash', deleteStatus: false });
});

it('messages are deleted though another window has deleted one of them', async () => {
  const mailbox = await buildMailbox(ctx.app);
  const userId = String(mailbox.user.id);
  const entryIds = [...(await receive(ctx, [mailbox])).entryIds, ...(await receive(ctx, [mailbox])).entryIds];
  await changeStatus(ctx, { userId, entryIds, flags: { trashStatus: true } });
  let emptying: Promise<{ removed: number }> | undefined;
  await inTransaction(ctx, async (tx) => {
    await changeStatus(tx, { userId, entryIds: entryIds.slice(0, 1), flags: { deleteStatus: true } });
    emptying = emptyTrashOrJunk(ctx, { userId, folder: 'trash' });
    await until('the deletion to wait for the entry', () => isWaitedFor(entryIds[0] ?? ''));
  });
  expect(await emptying).toMatchObject({ removed: 1, isLeft: false });
  expect(await MailboxEntry.count({ where: { userId, deleteStatus: false } })).toBe(0);
});

interface Conversation {
  userId: string;
  entryIds: string[];
}
const archive = { ownFolderId: null, archiveStatus: true, junkStatus: false, trashStatus: false };
const tomorrow = new Date(Date.now() + 86_400_000);

/** Changes of whole conversations. Each answers the entries that it has changed. */
const changes: [string, (of: Conversation) => Promise<string[]>][] = [
  ['marked', async (of) => (await changeThreadStatus(ctx, { ...of, flags: { readStatus: true } })).touched],
  ['moved', async (of) => (await moveThreads(ctx, { ...of, to: archive })).moved.flatMap(({ entryIds }) => entryIds)],
  ['snoozed', async (of) => (await snoozeThreads(ctx, { ...of, until: tomorrow })).touched.map(({ id }) => id)],
  [
    'labelled',
    async ({ userId, entryIds }) => {
      const { companyId } = await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true });
      const { id } = await Label.create({ companyId, userId, name: 'Mill', nameKey: 'mill', colour: 'blue' });
      const add = [String(id)];
      return (await changeThreadLabels(ctx, { userId, entryIds, add, remove: [] })).touched.get(String(id)) ?? [];
    },
  ],
];

it.each(changes)('a conversation is %s though another window deletes a message of it', async (_name, change) => {
  const mailbox = await buildMailbox(ctx.app);
  const userId = String(mailbox.user.id);
  const references = '<mill@x.test>';
  const [first = ''] = (await receive(ctx, [mailbox], { references })).entryIds;
  const [second = ''] = (await receive(ctx, [mailbox], { references })).entryIds;
  let changing: Promise<string[]> = Promise.resolve([]);
  await inTransaction(ctx, async (tx) => {
    await changeStatus(tx, { userId, entryIds: [first], flags: { deleteStatus: true } });
    changing = change({ userId, entryIds: [second] });
    await until('the change to wait for the entry', () => isWaitedFor(first));
  });
  expect(await changing).toEqual([second]);
  expect(await verifyTotals(ctx, userId)).toBe(true);
});
