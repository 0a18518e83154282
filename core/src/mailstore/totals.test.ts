import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import type { FolderFilter } from '../contracts/mail.ts';
import { folderNames } from '../contracts/mail-folders.ts';
import { Draft } from '../models/draft.ts';
import { Folder } from '../models/folder.ts';
import { Label } from '../models/label.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { undoSend } from '../outbound/undo-send.ts';
import { changeLabels } from './change-labels.ts';
import { changeStatus } from './change-status.ts';
import { writeDraftMessages } from './draft-messages.ts';
import { emptyTrashOrJunk } from './empty-trash.ts';
import { listDrafts } from './list-drafts.ts';
import { folderOfFilter, listFolder } from './list-folder.ts';
import { listLabel } from './list-label.ts';
import { moveEntries } from './move-entries.ts';
import { verifyTotals } from './verify-totals.ts';
import { removeDraft } from './remove-draft.ts';
import { type DraftSave, saveDraft } from './save-draft.ts';
import { receive } from './test-messages.ts';
import { readTotals } from './totals.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
  const own = await Folder.create({ ...owner, role: null, name: 'Looms', nameKey: 'looms', uidValidity: 1 });
  const label = await Label.create({ ...owner, name: 'Due', nameKey: 'due', colour: 'red' });
  return { ctx, mailbox, owner, userId: owner.userId, ownFolderId: String(own.id), labelId: String(label.id) };
}

function saveOf(owner: { companyId: string; userId: string }, known: DraftSave['known']): DraftSave {
  const text = { subject: 'a draft', body: '<p>x</p>', preview: 'x', fromAddress: null };
  const content = { toList: [], ccList: [], bccList: [], ...text };
  const origin = { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: null };
  return { ...owner, known, content, origin, added: [], without: new Set() };
}

type Page = (page: number) => Promise<{ rows: unknown[]; total: number }>;

/** How many rows all pages of a list show, beside the total that they name. */
async function walk(list: Page): Promise<{ total: number; listed: number }> {
  let listed = 0;
  for (let page = 1; ; page += 1) {
    const { rows, total } = await list(page);
    listed += rows.length;
    if (rows.length === 0) return { total, listed };
  }
}

/** The lists of a person by the name of what they show. */
function listsOf(ctx: Ctx, userId: string, { ownFolderId, labelId }: { ownFolderId: string; labelId: string }) {
  const limit = 7;
  const filters = Object.entries(folderOfFilter) as [FolderFilter, string][];
  return new Map<string, Page>([
    ...filters.map(
      ([filter, role]) => [role, (page: number) => listFolder(ctx, { userId, filter, page, limit })] as const,
    ),
    ['draft', (page) => listDrafts(ctx, { userId, page, limit })],
    ['own', (page) => listFolder(ctx, { userId, ownFolderId, page, limit })],
    ['label', (page) => listLabel(ctx, { userId, labelId, page, limit })],
  ]);
}

describe('the kept totals', () => {
  it('are what the lists show after drafts, moves, labels, sends and deletions at the same time', async () => {
    const { ctx, mailbox, owner, userId, ownFolderId, labelId } = await setUp();
    const { user } = mailbox;
    const entryIds: string[] = [];
    for (let count = 0; count < 30; count += 1) entryIds.push(...(await receive(ctx, [mailbox])).entryIds);
    const every = (step: number) => entryIds.filter((_id, index) => index % step === 0);

    const write = async (turn: number): Promise<void> => {
      const { id } = await inTransaction(ctx, (tx) => saveDraft(tx, saveOf(owner, null)));
      await inTransaction(ctx, (tx) => saveDraft(tx, saveOf(owner, { id, version: 1 })));
      if (turn % 3 > 0) return;
      const draft = await Draft.findByPk(id, { rejectOnEmpty: true });
      await inTransaction(ctx, (tx) => removeDraft(tx, draft));
    };
    const send = async (turn: number): Promise<void> => {
      const raw = Buffer.from(`From: ${user.email}\r\nTo: far@remote.test\r\n\r\n${turn}\r\n`);
      const { entryId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], holdMs: 60_000 });
      if (turn % 2 > 0) await undoSend(ctx, { userId, entryId });
    };
    const place = { archiveStatus: false, junkStatus: false, trashStatus: false };
    await Promise.all([
      ...Array.from({ length: 12 }, (_, turn) => write(turn)),
      ...Array.from({ length: 6 }, (_, turn) => send(turn)),
      ...Array.from({ length: 5 }, () => receive(ctx, [mailbox])),
      changeLabels(ctx, { userId, entryIds: every(2), add: [labelId], remove: [] }),
      changeStatus(ctx, { userId, entryIds: every(3), flags: { starStatus: true } }),
      changeStatus(ctx, { userId, entryIds: every(4), flags: { readStatus: true } }),
      changeStatus(ctx, { userId, entryIds: every(5), flags: { trashStatus: true } }),
      changeStatus(ctx, { userId, entryIds: every(7), flags: { archiveStatus: true } }),
      moveEntries(ctx, { userId, entryIds: every(6), to: { ...place, ownFolderId } }),
      writeDraftMessages(ctx, undefined, new Date(Date.now() + 60_000)),
    ]);
    const left = entryIds.filter((_id, index) => index % 5 > 0);
    await Promise.all([
      emptyTrashOrJunk(ctx, { userId, folder: 'trash' }),
      changeStatus(ctx, { userId, entryIds: left.slice(0, 9), flags: { deleteStatus: true } }),
      changeLabels(ctx, { userId, entryIds: left.slice(9), add: [labelId], remove: [] }),
      changeStatus(ctx, { userId, entryIds: left.slice(9, 15), flags: { archiveStatus: false, readStatus: true } }),
      write(0),
      write(1),
      receive(ctx, [mailbox]),
      writeDraftMessages(ctx, undefined, new Date(Date.now() + 60_000)),
    ]);

    const lists = listsOf(ctx, userId, { ownFolderId, labelId });
    const shown = new Map<string, number>();
    for (const [name, list] of lists) {
      const { total, listed } = await walk(list);
      expect([name, listed]).toEqual([name, total]);
      shown.set(name, listed);
    }
    const kept = await readTotals(ctx, userId);
    for (const role of folderNames) expect([role, kept[role].total]).toEqual([role, shown.get(role) ?? 0]);
    expect(shown.get('draft')).toBe(8 + 3 + 1);
    expect(shown.get('sent')).toBe(3);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });
});
