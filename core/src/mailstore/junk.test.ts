import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import { changeRows } from '../database/run-sql.ts';
import { Delivery } from '../models/delivery.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeFolderStatus } from './change-folder-status.ts';
import { changeStatus } from './change-status.ts';
import { changeThreadStatus } from './change-thread-status.ts';
import { emptyOldJunk } from './empty-junk.ts';
import { listFolder } from './list-folder.ts';
import { listThreads } from './list-threads.ts';
import { verifyTotals } from './verify-totals.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage, receive } from './test-messages.ts';
import { readTotals } from './totals.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

interface Named {
  userId: string;
  entryIds: string[];
}
const reported = { junkStatus: true };

const failed: AuthenticationResults = {
  spf: { result: 'fail', domain: 'sender.test' },
  dkim: [],
  dmarc: { result: 'fail', policy: 'quarantine', domain: 'sender.test' },
  arc: null,
  header: '',
  temporaryFailure: false,
};

describe('Junk', () => {
  it('takes a message out of the folder it was in, and gives it back', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    const { entryIds } = await receive(ctx, [mailbox]);
    await changeStatus(ctx, { userId, entryIds, flags: { archiveStatus: true, starStatus: true } });
    await changeStatus(ctx, { userId, entryIds, flags: { junkStatus: true } });
    expect(await readTotals(ctx, userId)).toMatchObject({
      inbox: { total: 0 },
      archive: { total: 0 },
      starred: { total: 0 },
      junk: { total: 1, unread: 1 },
    });
    const page = { userId, page: 1, limit: 10 };
    expect((await listFolder(ctx, { ...page, filter: 'junk_status' })).rows).toHaveLength(1);
    expect((await listThreads(ctx, { ...page, filter: 'junk_status' })).total).toBe(1);
    expect((await listFolder(ctx, { ...page, filter: 'star_status' })).rows).toEqual([]);
    expect(await verifyTotals(ctx, userId)).toBe(true);
    await changeStatus(ctx, { userId, entryIds, flags: { junkStatus: false } });
    expect(await readTotals(ctx, userId)).toMatchObject({ archive: { total: 1 }, starred: { total: 1 } });
    expect(await MailboxEntry.findByPk(entryIds[0])).toMatchObject({ folder: 'archive', uid: 2 });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('gets what failed DMARC, with the reason, and it still counts as stored', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    const input = { ...inboundOf(rawMessage(), [mailbox]), authentication: failed, isJunk: true };
    const { entryIds, messageId } = await storeInbound(ctx, input);
    expect(await MailboxEntry.findByPk(entryIds[0])).toMatchObject({
      folder: 'junk',
      junkStatus: true,
      uid: 1,
      placement: { by: 'dmarc', name: 'sender.test', folder: 'junk' },
    });
    expect(await Delivery.findOne({ where: { messageId } })).toMatchObject({
      state: 'stored',
      entryId: entryIds[0],
    });
    expect((await readTotals(ctx, userId)).inbox.total).toBe(0);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('loses its oldest week at a time, so that a clock that is ahead costs little', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    const ids: string[] = [];
    for (const day of ['2001-01-01', '2001-01-05', '2001-01-10', '2001-02-01']) {
      const { entryIds } = await receive(ctx, [mailbox]);
      await changeStatus(ctx, { userId, entryIds, flags: { junkStatus: true } });
      const aged = "UPDATE mailbox_entries SET arrived_at = '2000-01-01', updated_at = ? WHERE id IN (?)";
      await changeRows(ctx, aged, [day, entryIds]);
      ids.push(...entryIds);
    }
    const { id } = await Folder.findOne({ where: { userId, role: 'junk' }, rejectOnEmpty: true });
    const pass = async () => {
      await emptyOldJunk(ctx, { after: String(BigInt(id) - 1n), cutoff: new Date('2001-01-20') });
      const left = await MailboxEntry.findAll({ where: { userId, deleteStatus: false }, order: ['id'] });
      return left.map((entry) => String(entry.id));
    };
    expect(await pass()).toEqual(ids.slice(2));
    expect(await pass()).toEqual(ids.slice(3));
    expect(await pass()).toEqual(ids.slice(3));
  });

  it.each([
    [
      'they are named',
      (ctx: Ctx, { userId, entryIds }: Named) => changeStatus(ctx, { userId, entryIds, flags: reported }),
    ],
    [
      'their conversation is named',
      (ctx: Ctx, { userId, entryIds }: Named) =>
        changeThreadStatus(ctx, { userId, entryIds: entryIds.slice(-1), flags: reported }),
    ],
    [
      'their folder is named',
      (ctx: Ctx, { userId }: Named) =>
        changeFolderStatus(ctx, { userId, folder: 'archive', until: '100', flags: reported }),
    ],
  ])('takes nothing that the person has sent where %s', async (_name, report) => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    const userId = String(mailbox.user.id);
    const messageId = `<${randomUUID()}@sender.test>`;
    const { entryIds } = await receive(ctx, [mailbox], { messageId });
    const [sent = ''] = (await receive(ctx, [mailbox], { inReplyTo: messageId })).entryIds;
    const [last = ''] = (await receive(ctx, [mailbox], { inReplyTo: messageId })).entryIds;
    entryIds.push(sent, last);
    await changeStatus(ctx, { userId, entryIds, flags: { archiveStatus: true } });
    await MailboxEntry.update({ sendStatus: true, receivedStatus: false }, { where: { id: sent } });
    const answer = await report(ctx, { userId, entryIds });
    if ('touched' in answer) expect(answer.touched.toSorted()).toEqual([entryIds[0], last]);
    else expect(answer).toEqual({ changed: 2 });
    const folders = await MailboxEntry.findAll({ where: { userId }, order: ['id'] });
    expect(folders.map(({ folder }) => folder)).toEqual(['junk', 'archive', 'junk']);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('is not forwarded', async () => {
    const ctx = systemContext(app);
    const mailbox = await buildMailbox(app);
    await mailbox.user.update({ forwardTo: 'elsewhere@remote.test', forwardConfirmedAt: new Date() });
    const input = inboundOf(rawMessage(), [mailbox]);
    const { messageId } = await storeInbound(ctx, { ...input, authentication: failed, isJunk: true });
    expect(await Delivery.count({ where: { messageId, direction: 'out' } })).toBe(0);
    const other = await receive(ctx, [mailbox]);
    expect(await Delivery.count({ where: { messageId: other.messageId, direction: 'out' } })).toBe(1);
  });
});
