import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import type { FilterActions, FilterConditions } from '../contracts/mail-rules.ts';
import { readRows } from '../database/run-sql.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { BlockedSender } from '../models/blocked-sender.ts';
import { Delivery } from '../models/delivery.ts';
import { Folder } from '../models/folder.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { noteRules } from './note-rules.ts';
import { verifyOwnFolders } from './own-folders.ts';
import { verifyTotals } from './verify-totals.ts';
import { sortMail } from './sort-mail.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage, receive, recipientOf } from './test-messages.ts';
import { readTotals } from './totals.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const ownerOf = ({ user, company }: Mailbox) => ({ userId: String(user.id), companyId: String(company.id) });

async function withBlock(address: string): Promise<Mailbox> {
  const mailbox = await buildMailbox(app);
  const owner = ownerOf(mailbox);
  await BlockedSender.create({ ...owner, address });
  await inTransaction(ctx, (tx) => noteRules(tx, owner.userId));
  return mailbox;
}

async function addFilter(mailbox: Mailbox, conditions: FilterConditions, actions: FilterActions, name = 'Mine') {
  const owner = ownerOf(mailbox);
  const place = await MailFilter.count({ where: { userId: owner.userId } });
  await MailFilter.create({ ...owner, place, name, conditions, actions });
  await inTransaction(ctx, (tx) => noteRules(tx, owner.userId));
}

async function makeFolder(mailbox: Mailbox, name = 'Projects'): Promise<string> {
  const { id } = await Folder.create({ ...ownerOf(mailbox), role: null, name, nameKey: name, uidValidity: 1 });
  return String(id);
}

/** Statements that change a folder of one’s own and have not come to an end. */
const waitingForFolder = `SELECT COUNT(*) AS waiting FROM information_schema.processlist
  WHERE db = DATABASE() AND info LIKE 'UPDATE folders SET total%removed_at%'`;

const entryOf = async ({ user }: Mailbox) =>
  MailboxEntry.findOne({ where: { userId: String(user.id) }, order: [['id', 'DESC']], rejectOnEmpty: true });

describe('the delivery to a person with rules', () => {
  it.each(['bea@sender.test', 'sender.test'])('puts mail of the blocked %s into Junk', async (address) => {
    const mailbox = await withBlock(address);
    const other = await buildMailbox(app);
    await receive(ctx, [mailbox, other]);
    const placement = { by: 'blocked', name: address, folder: 'junk' };
    expect(await entryOf(mailbox)).toMatchObject({ folder: 'junk', placement });
    expect(await entryOf(other)).toMatchObject({ folder: 'inbox', placement: null });
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
  });

  it.each(['bea@sender.test.evil', 'ender.test', 'abea@sender.test'])(
    'does not take %s for the sender',
    async (address) => {
      const mailbox = await withBlock(address);
      await receive(ctx, [mailbox]);
      expect((await entryOf(mailbox)).folder).toBe('inbox');
    },
  );

  it('leaves the host’s own mail alone', async () => {
    const mailbox = await withBlock('sender.test');
    await addFilter(mailbox, { subject: 'hello' }, { move_to: 'trash' });
    await storeInbound(ctx, { ...inboundOf(rawMessage(), [mailbox]), isOwn: true });
    expect((await entryOf(mailbox)).folder).toBe('inbox');
  });

  it('does what a filter says and keeps its name', async () => {
    const mailbox = await buildMailbox(app);
    await addFilter(mailbox, { from: 'BEA' }, { move_to: 'archive', star: true, mark_read: true }, 'Post of Bea');
    const { messageId } = await receive(ctx, [mailbox]);
    expect(await entryOf(mailbox)).toMatchObject({
      folder: 'archive',
      starStatus: true,
      readStatus: true,
      placement: { by: 'filter', name: 'Post of Bea', folder: 'archive' },
    });
    expect(await readTotals(ctx, String(mailbox.user.id))).toMatchObject({
      inbox: { total: 0 },
      archive: { total: 1, unread: 0 },
      starred: { total: 1 },
    });
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
    expect(await Delivery.findOne({ where: { messageId } })).toMatchObject({ state: 'stored' });
  });

  it('puts mail into a folder of one’s own, and into the inbox once that is deleted', async () => {
    const [mailbox, other] = [await buildMailbox(app), await buildMailbox(app)];
    const folder = await makeFolder(mailbox);
    for (const one of [mailbox, other]) await addFilter(one, { from: 'bea' }, { folder, star: true });
    await receive(ctx, [mailbox, other]);
    const placement = { by: 'filter', name: 'Mine', folder: 'own' };
    expect(await entryOf(mailbox)).toMatchObject({ folder: 'own', ownFolderId: folder, folderId: folder, placement });
    // Another person's folder is none, whatever a row says
    const inInbox = { folder: 'inbox', starStatus: true, placement: { ...placement, folder: null } };
    expect(await entryOf(other)).toMatchObject(inInbox);
    await Folder.update({ removedAt: new Date(), name: null, nameKey: null }, { where: { id: folder } });
    await receive(ctx, [mailbox], { subject: 'Later' });
    expect(await entryOf(mailbox)).toMatchObject(inInbox);
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
    expect(await verifyOwnFolders(ctx, String(mailbox.user.id))).toBe(true);
  });

  it('stores mail whose folder is deleted while it comes', async () => {
    const mailbox = await buildMailbox(app);
    const folder = await makeFolder(mailbox);
    await addFilter(mailbox, { from: 'bea' }, { folder });
    const stored = await inTransaction(ctx, async (removal) => {
      const where = { where: { id: folder }, transaction: removal.tx };
      await Folder.update({ removedAt: new Date(), name: null, nameKey: null }, where);
      // It has read the filters by the time that it waits for the folder
      const delivery = receive(ctx, [mailbox]);
      await until('the delivery waits', async () => {
        const [row] = await readRows<{ waiting: number }>(ctx, waitingForFolder, []);
        return Number(row?.waiting) > 0;
      });
      return { delivery };
    });
    expect((await stored.delivery).duplicate).toBe(false);
    expect(await entryOf(mailbox)).toMatchObject({ folder: 'inbox', ownFolderId: null });
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
  });

  it('counts what a filter moves to the trash as stored, and announces none of it', async () => {
    const mailbox = await buildMailbox(app);
    await addFilter(mailbox, { to: '@host.test' }, { move_to: 'trash' });
    const { messageId, entryIds } = await receive(ctx, [mailbox]);
    expect(await entryOf(mailbox)).toMatchObject({ folder: 'trash', trashStatus: true });
    expect(await Delivery.findOne({ where: { messageId } })).toMatchObject({ state: 'stored', entryId: entryIds[0] });
    expect(await verifyTotals(ctx, String(mailbox.user.id))).toBe(true);
  });

  it('passes over filters that are off', async () => {
    const mailbox = await buildMailbox(app);
    await addFilter(mailbox, { subject: 'hello' }, { move_to: 'trash' });
    await MailFilter.update({ isOn: false }, { where: { userId: String(mailbox.user.id) } });
    await receive(ctx, [mailbox]);
    expect((await entryOf(mailbox)).folder).toBe('inbox');
  });

  it('works for each person by their own filters, in one batch of many messages', async () => {
    const people = [await buildMailbox(app), await buildMailbox(app), await buildMailbox(app)];
    await addFilter(people[0] as Mailbox, { subject: 'one' }, { move_to: 'trash' });
    await addFilter(people[1] as Mailbox, { subject: 'two' }, { move_to: 'archive' });
    await Promise.all(['One', 'Two', 'Three'].map((subject) => receive(ctx, people, { subject })));
    const folders = await Promise.all(
      people.map(async ({ user }) => {
        const totals = await readTotals(ctx, String(user.id));
        return [totals.inbox.total, totals.archive.total, totals.trash.total];
      }),
    );
    expect(folders).toEqual([
      [2, 0, 1],
      [2, 1, 0],
      [3, 0, 0],
    ]);
  });

  it('forwards what a filter names, and nothing else where the person wants that', async () => {
    const mailbox = await buildMailbox(app);
    const forwarding = { forwardTo: 'elsewhere@remote.test', forwardConfirmedAt: new Date(), forwardsFiltered: true };
    await mailbox.user.update(forwarding);
    await addFilter(mailbox, { subject: 'invoice' }, { forward: true, move_to: 'archive' });
    const plain = await receive(ctx, [mailbox]);
    const named = await receive(ctx, [mailbox], { subject: 'Invoice' });
    const copiesOf = (messageId: string) => Delivery.count({ where: { messageId, direction: 'out' } });
    expect([await copiesOf(plain.messageId), await copiesOf(named.messageId)]).toEqual([0, 1]);
    await mailbox.user.update({ forwardsFiltered: false });
    const both = await receive(ctx, [mailbox], { subject: 'Invoice again' });
    expect(await copiesOf(both.messageId)).toBe(1);
    await mailbox.user.update({ forwardConfirmedAt: null });
    const none = await receive(ctx, [mailbox], { subject: 'Invoice once more' });
    expect(await copiesOf(none.messageId)).toBe(0);
  });

  it('is made once for a person whom a message reaches by two addresses, in whatever order', async () => {
    const mailbox = await buildMailbox(app, {
      user: { forwardTo: 'elsewhere@remote.test', forwardConfirmedAt: new Date(), hasVacation: true },
    });
    const { address } = await buildAlias(mailbox);
    await addFilter(mailbox, { to: address }, { move_to: 'junk' }, 'First');
    await addFilter(mailbox, { to: mailbox.user.email }, { move_to: 'archive', star: true }, 'Second');
    const plain = recipientOf(mailbox);
    const { companyId, userId } = plain;
    const letter = { fromName: '', fromAddress: 'bea@sender.test', to: [], subject: 'X', listId: null };
    for (const addresses of [
      [address, plain.address],
      [plain.address, address],
    ]) {
      const recipients = addresses.map((one) => ({ userId, companyId, address: one }));
      const [sorted] = await sortMail(ctx, [{ letter, recipients, quarantinedBy: null }]);
      expect(sorted?.destinations.get(userId)).toMatchObject({
        flags: { junkStatus: true, archiveStatus: false, starStatus: true },
        placement: { name: 'First', folder: 'junk' },
      });
      expect([sorted?.forwarders.size, sorted?.away.size]).toEqual([0, 0]);
    }
  });

  it('asks for rules only where a person has some, and once for all people', async () => {
    const [plain, ruled, other] = [await buildMailbox(app), await buildMailbox(app), await withBlock('a.test')];
    await addFilter(ruled, { subject: 'x' }, { star: true });
    await addFilter(other, { subject: 'x' }, { star: true });
    const letter = { fromName: '', fromAddress: 'bea@sender.test', to: [], subject: 'X', listId: null };
    const statementsFor = async (mailboxes: Mailbox[]): Promise<number> => {
      const { ctx: counted, plans } = explaining(app);
      await sortMail(counted, [{ letter, recipients: mailboxes.map(recipientOf), quarantinedBy: null }]);
      return plans.length;
    };
    expect(await statementsFor([plain])).toBe(1);
    expect(await statementsFor([ruled])).toBe(2);
    expect(await statementsFor([plain, ruled, other])).toBe(3);
  });

  it('goes with the person', async () => {
    const mailbox = await withBlock('sender.test');
    await addFilter(mailbox, { subject: 'x' }, { star: true });
    await mailbox.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(ctx, String(mailbox.user.id));
    const where = { where: { userId: String(mailbox.user.id) } };
    expect([await BlockedSender.count(where), await MailFilter.count(where)]).toEqual([0, 0]);
  });
});
