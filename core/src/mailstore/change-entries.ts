import { parseJsonColumn } from '../database/parse-json-column.ts';
import { escape } from 'mysql2';
import { literal } from 'sequelize';
import type { TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import type { FolderKey } from '../contracts/mail-folders.ts';
import { type EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { type ChangedFolders, changeFolders, type FolderChange } from './change-folders.ts';
import { changeThreads, type ThreadStep } from './change-threads.ts';
import { followLabels } from './entry-labels.ts';
import { entryFlags, type EntryFlags, flagsOf, folderChanges, folderOf, keyOf } from './folders.ts';

/** New values of an entry; what is left out stays as it is. */
export type EntryChange = Partial<EntryFlags> &
  Partial<Pick<MailboxEntry, 'answeredStatus' | 'forwardedStatus' | 'deliveryState' | 'undoUntil'>> & {
    /** Only for entries that all move to another folder: the time at which they arrive there. */
    arrivedAt?: Date;
  };

/** Entries of one person, with the values that decide where they are. */
export interface ChangeableEntries {
  companyId: string;
  userId: string;
  entries: readonly (EntryFlags & { id: string })[];
  /** Further changes to the counts of folders, such as by the files of a draft. */
  beside?: readonly FolderChange[];
}

type EntryPlace = FolderKey | 'gone';

/** Entries with the same old and new folder. Most changes leave entries in their folder. */
interface Move {
  userId: string;
  ids: string[];
  from: EntryPlace;
  to: EntryPlace;
  ownFolderId: string | null;
}

/**
 * Changes entries that the caller holds locked, the counts of their folders and labels, and the
 * numbers by which a mail program follows a folder. An entry that thereby moves gets a UID in its
 * new folder, and its old UID is recorded as expunged. This function locks the folders, so call it
 * late in a transaction, like `changeFolders`.
 */
export async function changeEntries(
  ctx: TxCtx,
  { companyId, userId, entries, beside = [] }: ChangeableEntries,
  change: EntryChange,
): Promise<void> {
  const owner = { companyId: String(companyId), userId: String(userId) };
  const wanted = entries.map((entry) => ({
    id: String(entry.id),
    before: flagsOf(entry),
    after: { ...flagsOf(entry), ...flagsIn(change) },
  }));
  const steps = await withoutLostFolders(ctx, owner.userId, wanted);
  const counted = steps.filter(
    ({ before, after }) =>
      keyOf(before) !== keyOf(after) ||
      before.readStatus !== after.readStatus ||
      before.starStatus !== after.starStatus,
  );
  const known = await knownOf(
    ctx,
    counted.map(({ id }) => id),
  );
  const folders = await changeFolders(ctx, [
    ...steps.flatMap(({ id, before, after }) =>
      folderChanges(owner, before, { after, size: known.get(id)?.size ?? 0 }),
    ),
    ...beside,
  ]);
  const byWay = Map.groupBy(
    steps,
    ({ before, after }) => `${keyOf(before)} ${keyOf(after)} ${after.ownFolderId ?? ''}`,
  );
  for (const [way, members] of byWay) {
    const [from, to, ownFolderId] = way.split(' ') as [EntryPlace, EntryPlace, string];
    const ids = members.map(({ id }) => id);
    await writeMove(
      ctx,
      { userId: owner.userId, ids, from, to, ownFolderId: ownFolderId || null },
      { folders, change },
    );
  }
  const comesAt = change.arrivedAt === undefined ? {} : { comesAt: change.arrivedAt };
  await changeThreads(
    ctx,
    counted.flatMap((step) => {
      const facts = known.get(step.id);
      const idOf = (folder: FolderKey) => folders.of(owner.userId, folder).folderId;
      return facts === undefined ? [] : threadSteps(step, { comesAt: facts.arrivedAt, ...facts, ...comesAt }, idOf);
    }),
  );
  const labelled = counted.map((step) => ({ ...step, labelIds: known.get(step.id)?.labelIds ?? [] }));
  await followLabels(ctx, labelled, change.arrivedAt);
}

/**
 * An entry may return to a custom folder, for example from the trash. If the folder was deleted
 * meanwhile, the entry loses its reference to it.
 */
async function withoutLostFolders(ctx: TxCtx, userId: string, steps: Step[]): Promise<Step[]> {
  const returning = steps.filter(({ before, after }) => keyOf(before) !== keyOf(after) && folderOf(after) === 'own');
  if (returning.length === 0) return steps;
  const rows = await readRows<{ id: string }>(
    ctx,
    'SELECT id FROM folders WHERE id IN (?) AND user_id = ? AND role IS NULL AND removed_at IS NULL',
    [[...new Set(returning.map(({ after }) => after.ownFolderId ?? '0'))], userId],
  );
  const present = new Set(rows.map(({ id }) => String(id)));
  const isLost = (step: Step) => returning.includes(step) && !present.has(step.after.ownFolderId ?? '');
  return steps.map((step) => (isLost(step) ? { ...step, after: { ...step.after, ownFolderId: null } } : step));
}

interface Step {
  id: string;
  before: EntryFlags;
  after: EntryFlags;
}

/**
 * How an entry changes the counts of its conversation, in its folder or in both folders of a move.
 */
function threadSteps(
  { id, before, after }: Step,
  { threadKey, arrivedAt, comesAt }: Pick<EntryFacts, 'threadKey' | 'arrivedAt'> & { comesAt: Date },
  idOf: (folder: FolderKey) => string,
): ThreadStep[] {
  const one = { threadKey, entryId: id, arrivedAt };
  const [from, to] = [keyOf(before), keyOf(after)];
  const unread = (flags: EntryFlags) => (flags.readStatus ? 0 : 1);
  const starred = (flags: EntryFlags) => (flags.starStatus ? 1 : 0);
  if (from === to) {
    if (to === 'gone') return [];
    const differences = { unread: unread(after) - unread(before), starred: starred(after) - starred(before) };
    return [{ ...one, folderId: idOf(to), total: 0, ...differences }];
  }
  const left: ThreadStep[] =
    from === 'gone'
      ? []
      : [{ ...one, folderId: idOf(from), total: -1, unread: -unread(before), starred: -starred(before) }];
  const come: ThreadStep[] =
    to === 'gone'
      ? []
      : [{ ...one, arrivedAt: comesAt, folderId: idOf(to), total: 1, unread: unread(after), starred: starred(after) }];
  return [...left, ...come];
}

/** Facts about an entry and its message that do not depend on its flags. */
interface EntryFacts {
  /** Bytes of the message. */
  size: number;
  threadKey: string;
  arrivedAt: Date;
  labelIds: string[];
}

async function knownOf(ctx: TxCtx, ids: readonly string[]): Promise<Map<string, EntryFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<Omit<EntryFacts, 'labelIds'> & { id: string; labels: string | string[] | null }>(
    ctx,
    `SELECT e.id, e.thread_key AS threadKey, e.arrived_at AS arrivedAt, m.size,
            (SELECT JSON_ARRAYAGG(CAST(el.label_id AS CHAR)) FROM entry_labels el WHERE el.entry_id = e.id) AS labels
       FROM mailbox_entries e JOIN messages m ON m.id = e.message_id WHERE e.id IN (?)`,
    [ids],
  );
  return new Map(
    rows.map(({ id, size, labels, ...row }) => {
      const labelIds = parseJsonColumn<string[] | null>(labels) ?? [];
      return [String(id), { ...row, size: Number(size), labelIds }];
    }),
  );
}

async function writeMove(
  ctx: TxCtx,
  { userId, ids, from, to, ownFolderId }: Move,
  { folders, change }: { folders: ChangedFolders; change: EntryChange },
): Promise<void> {
  if (from !== to && from !== 'gone') await noteExpunged(ctx, ids, folders.of(userId, from).modseq);
  const options = { where: { id: ids }, transaction: ctx.tx };
  const folder = to.startsWith('own:') ? 'own' : (to as Exclude<EntryFolder, 'own'>);
  const values = { ...change, ownFolderId };
  if (to === 'gone') {
    await MailboxEntry.update({ ...values, folder, folderId: null, uid: null }, options);
    return;
  }
  const { folderId, modseq } = folders.of(userId, to);
  if (from === to) {
    await MailboxEntry.update({ ...values, modseq }, options);
    return;
  }
  const [first = 0] = ids.map(() => folders.place(userId, to).uid);
  // The UIDs follow each other in the order of the ids
  const uid = literal(`${first} - 1 + FIELD(id, ${ids.map((id) => escape(id)).join(', ')})`);
  await MailboxEntry.update({ ...values, folder, folderId, modseq, uid }, options);
}

async function noteExpunged(ctx: TxCtx, ids: readonly string[], modseq: string): Promise<void> {
  await changeRows(
    ctx,
    `INSERT INTO expunged_entries (folder_id, modseq, uid)
     SELECT folder_id, ?, uid FROM mailbox_entries WHERE id IN (?) AND uid IS NOT NULL`,
    [modseq, ids],
  );
}

/** The part of a change that decides about folders and counts. */
function flagsIn(change: EntryChange): Partial<EntryFlags> {
  const names = [...entryFlags, 'ownFolderId'] as const;
  return Object.fromEntries(names.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])));
}
