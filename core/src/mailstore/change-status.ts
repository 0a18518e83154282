import { IndexHints } from 'sequelize';
import { conflict, notFound } from '../errors.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { type EntryFolder, MailboxEntry } from '../models/mailbox-entry.ts';
import { requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeEntries } from './change-entries.ts';
import { entryFlags, type EntryFlags, flagsOf, folderOf, settableFlags } from './folders.ts';

/** New values of flags; the flags that are left out stay as they are. */
export type StatusChange = Partial<Pick<EntryFlags, (typeof settableFlags)[number]>>;

/** A change of flags of entries that a person has chosen. */
export interface StatusOfEntries {
  userId: string;
  entryIds: readonly string[];
  flags: StatusChange;
  /**
   * The folder in which the person saw the entries: those that are elsewhere by now are not
   * changed.
   */
  from?: EntryFolder | undefined;
}

/**
 * Sets flags on entries of one person. It changes all of them or none. A deleted entry is hidden
 * for good, and a job removes its message once no person has it.
 * @returns how many of the named entries the change applies to
 * @throws AppError notFound when one of the ids is not an entry of this person, or is deleted; 403
 *   when the actor may not change, or delete, what is in the folder of one of them; 409 when a
 *   draft or a scheduled message would be hidden
 */
export async function changeStatus(
  ctx: Ctx,
  { userId, entryIds, flags, from }: StatusOfEntries,
): Promise<{ changed: number }> {
  if (entryIds.length === 0) return { changed: 0 };
  return await inTransaction(ctx, async (tx) => {
    const entries = await lockNamed(tx, { userId, entryIds });
    const meant = entries.filter((entry) => from === undefined || folderOf(flagsOf(entry)) === from);
    return { changed: (await setFlagsIfAllowed(tx, meant, flags)).length };
  });
}

/**
 * As `changeStatus`, on entries that the caller holds locked.
 * @returns the entries that the change applies to
 * @throws AppError as `changeStatus` does
 */
export async function setFlagsIfAllowed(
  ctx: TxCtx,
  entries: readonly MailboxEntry[],
  flags: StatusChange,
): Promise<readonly MailboxEntry[]> {
  const places = entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus }));
  requireOnEntries(ctx, places, flags.deleteStatus ? 'delete' : 'edit');
  refuseUnsent(places, flags);
  return await writeFlags(ctx, entries, flags);
}

/**
 * Locks the entries of a person that are not deleted. The rows are locked in the order of their
 * ids, so that two changes wait for each other instead of deadlocking.
 */
export async function lockEntries(ctx: TxCtx, userId: string, ids: readonly string[]): Promise<MailboxEntry[]> {
  return await MailboxEntry.findAll({
    attributes: [
      'id',
      'companyId',
      'userId',
      'messageId',
      'folderId',
      'uid',
      'modseq',
      'threadKey',
      'arrivedAt',
      'updatedAt',
      'ownFolderId',
      ...entryFlags,
    ],
    where: { id: [...ids], userId, deleteStatus: false },
    indexHints: [{ type: IndexHints.FORCE, values: ['PRIMARY'] }],
    order: [['id', 'ASC']],
    lock: ctx.tx.LOCK.UPDATE,
    transaction: ctx.tx,
  });
}

/** Entries of a person that a change names. */
export interface NamedEntries {
  userId: string;
  entryIds: readonly string[];
  /**
   * Whether an entry is still to be changed, once it is locked: another window may have moved it.
   * Entries that are deleted by then are left out as well.
   */
  isMeant?: ((entry: MailboxEntry) => boolean) | undefined;
}

/**
 * Locks the entries that a change names.
 * @throws AppError notFound without `isMeant`, when one of the ids is not an entry of this person,
 *   or is deleted
 */
export async function lockNamed(ctx: TxCtx, { userId, entryIds, isMeant }: NamedEntries): Promise<MailboxEntry[]> {
  const ids = [...new Set(entryIds)];
  const entries = await lockEntries(ctx, userId, ids);
  if (isMeant) return entries.filter(isMeant);
  if (entries.length < ids.length) throw notFound('message');
  return entries;
}

/**
 * Sets flags on those of a batch of a person's entries that are still meant.
 * @returns the ids of those that the change applies to
 * @throws AppError as `changeStatus` does, except for entries that are deleted already
 */
export async function changeMeant(
  ctx: Ctx,
  { flags, ...named }: Required<NamedEntries> & { flags: StatusChange },
): Promise<string[]> {
  return await inTransaction(ctx, async (tx) => {
    const entries = await lockNamed(tx, named);
    return (await setFlagsIfAllowed(tx, entries, flags)).map(({ id }) => String(id));
  });
}

/**
 * Refuses to hide drafts and scheduled messages: a scheduled message would be sent although its
 * sender no longer sees it, and a draft must be deleted together with its files. It also refuses a
 * star on a draft, since Starred does not show drafts (D18), and the mark unread, since the folder
 * of drafts counts none as unread.
 */
function refuseUnsent(places: readonly { folder: EntryFolder }[], flags: StatusChange): void {
  if (flags.starStatus && places.some(({ folder }) => folder === 'draft')) {
    throw conflict('This message is a draft. Drafts have no star.', 'message_is_draft');
  }
  if (flags.readStatus === false && places.some(({ folder }) => folder === 'draft')) {
    throw conflict('This message is a draft. Drafts are never unread.', 'message_is_draft');
  }
  if (!flags.archiveStatus && !flags.trashStatus && !flags.deleteStatus && !flags.junkStatus) return;
  if (places.some(({ folder }) => folder === 'draft')) {
    throw conflict('This message is a draft. Delete it in the folder of drafts.', 'message_is_draft');
  }
  if (!places.some(({ folder }) => folder === 'scheduled')) return;
  throw conflict('This message is scheduled. Cancel it first: it becomes a draft.', 'message_scheduled');
}

/**
 * Sets flags on entries that the caller holds locked. Skips entries to which the change does not
 * apply.
 * @returns the entries that it was applied to
 */
export async function writeFlags(
  ctx: TxCtx,
  named: readonly MailboxEntry[],
  flags: StatusChange,
): Promise<readonly MailboxEntry[]> {
  const set = settable(flags);
  const entries = skipsSent(flags) ? named.filter(({ sendStatus }) => !sendStatus) : named;
  const [first] = entries;
  if (first === undefined) return [];
  await changeEntries(ctx, { companyId: first.companyId, userId: first.userId, entries }, set);
  if (!set.deleteStatus) return entries;
  const causeId = causeOf(ctx);
  const messageIds = [...new Set(entries.map(({ messageId }) => String(messageId)))];
  const removals = messageIds.map((messageId) => ({ payload: { messageId }, causeId }));
  await enqueueAll(ctx, removeMessage, removals);
  return entries;
}

/**
 * Whether a change skips the messages that the person has sent: those are never junk (D46), and
 * Junk is emptied automatically.
 */
export function skipsSent(flags: StatusChange): boolean {
  return flags.junkStatus === true;
}

/** Only the flags that a person may set, whatever else the caller's object holds. */
function settable(flags: StatusChange): StatusChange {
  return Object.fromEntries(settableFlags.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
}
