import type { FolderKey } from '../contracts/mail-folders.ts';
import { replyOnVacation } from '../jobs/reply-on-vacation.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import type { DeliveryState, Expansion } from '../models/delivery.ts';
import { MailboxEntry, type Placement } from '../models/mailbox-entry.ts';
import type { Message } from '../models/message.ts';
import { type Ctx, Outdated, type TxCtx } from '../context/context.ts';
import { AppError } from '../errors.ts';
import { type EntryFlags, flagsOf, folderChanges, folderOf, keyOf, noFlags } from './folders.ts';
import { insertRows } from '../database/insert-rows.ts';
import { type ChangedFolders, changeFolders, type FolderChange } from './change-folders.ts';
import { changeThreads } from './change-threads.ts';
import { labelArrivals } from './entry-labels.ts';

/** A mailbox of this host that a message goes to, as `resolveRecipient` finds it. */
export interface LocalRecipient {
  userId: string;
  companyId: string;
  /** The address that the message was sent to. */
  address: string;
  /** How the address led to the person, unless it is their mailbox. */
  expansion?: Expansion;
  /** The mailbox is known to have no storage limit, so its room need not be checked again. */
  isUnlimited?: boolean;
}

/** The sender's own copy of a message. */
export interface SentCopy {
  message: MessageRef;
  userId: string;
  companyId: string;
  /** The Bcc recipients, which only this copy holds (D17). */
  bccList: string[];
  deliveryState: DeliveryState | null;
  /** Until when the sender can take the message back (D29). */
  undoUntil: Date | null;
  /** The message is scheduled: it is in Scheduled now, and moves to Sent at its time (D48). */
  isScheduled?: boolean;
}

/**
 * Where a message is put in one person's mailbox, and which flags it gets. A person without a
 * destination gets it into the inbox.
 */
export interface Destination {
  flags: Partial<
    Pick<EntryFlags, 'readStatus' | 'starStatus' | 'archiveStatus' | 'junkStatus' | 'trashStatus' | 'ownFolderId'>
  >;
  placement: Placement;
  /** Labels that filters put on it (D60). */
  labelIds?: readonly string[];
}

type MessageRef = Pick<Message, 'id' | 'threadKey' | 'size'>;

const received = { ...noFlags, receivedStatus: true };
// The sender's own copy counts as read
const sent = { ...received, readStatus: true, sendStatus: true, receivedStatus: false };
const scheduled = { ...sent, sendStatus: false, scheduledStatus: true };
const written = { ...sent, sendStatus: false, draftStatus: true };

/**
 * Puts messages into their senders' Sent or Scheduled folders. Returns the ids of the entries, in
 * the order of the copies.
 */
export async function addSentEntries(ctx: TxCtx, copies: readonly SentCopy[]): Promise<string[]> {
  const flagsOfCopy = (copy: SentCopy) => (copy.isScheduled ? scheduled : sent);
  const folders = await changeFolders(
    ctx,
    copies.flatMap((copy) => folderChanges(copy, null, { after: flagsOfCopy(copy), size: copy.message.size })),
  );
  return await insertEntries(
    ctx,
    copies.map((copy) => entryRow(copy.message, copy, { flags: flagsOfCopy(copy), folders, copy })),
  );
}

/** The stored message of a draft. */
export interface DraftCopy {
  message: MessageRef;
  userId: string;
  companyId: string;
  /** The Bcc recipients so far. */
  bccList: string[];
  /** The save of the draft has already counted it in the folder. */
  isCounted: boolean;
}

/** Puts a message into its writer's folder of drafts. Returns the id of the entry. */
export async function addDraftEntry(ctx: TxCtx, copy: DraftCopy): Promise<string> {
  const { message, userId, companyId, bccList, isCounted } = copy;
  const changes = folderChanges(copy, null, { after: written, size: message.size });
  const counted: FolderChange = { userId, companyId, folder: 'draft', total: -1, unread: 0 };
  const folders = await changeFolders(ctx, isCounted ? [...changes, counted] : changes);
  const row = { ...entryRow(message, copy, { flags: written, folders }), bccList };
  const [id = ''] = await insertEntries(ctx, [row]);
  return id;
}

/** @returns the ids of the entries, in their order */
async function insertEntries(ctx: TxCtx, rows: readonly ReturnType<typeof entryRow>[]): Promise<string[]> {
  const ids = await insertRows(ctx, MailboxEntry, rows);
  await changeThreads(
    ctx,
    rows.map(({ folderId, threadKey, arrivedAt, readStatus, starStatus }, index) => ({
      folderId,
      threadKey,
      entryId: ids[index] ?? '',
      arrivedAt,
      total: 1,
      unread: readStatus ? 0 : 1,
      starred: starStatus ? 1 : 0,
    })),
  );
  return ids;
}

/** A message and the people who receive it. */
export interface Reception {
  message: MessageRef;
  recipients: readonly LocalRecipient[];
  /** By user id. A person without a destination gets the message into the inbox. */
  destinations?: ReadonlyMap<string, Destination> | undefined;
  /** User ids of the people who are away: the message may be answered for them (D47). */
  away?: ReadonlySet<string> | undefined;
}

/**
 * Puts messages into the mailboxes of their recipients, each person once, with one statement for
 * each table and one announcement.
 * @returns the entries' ids by person, in the order of the messages
 */
export async function addReceivedEntries(
  ctx: TxCtx,
  receptions: readonly Reception[],
  causeId: string | null,
): Promise<Map<string, string>[]> {
  const owned = receptions.map(({ message, recipients, destinations }) => ({
    message,
    people: eachOnce(recipients).map((person) => destinationOf(person, destinations?.get(person.userId))),
  }));
  const folders = await changeFoldersOfArrivals(
    ctx,
    owned.flatMap(({ message: { size }, people }) =>
      people.flatMap(({ owner, flags }) => folderChanges(owner, null, { after: flags, size })),
    ),
  );
  const rows = owned.flatMap(({ message, people }) =>
    people.map(({ owner, flags, placement }) => entryRow(message, owner, { flags, folders, placement })),
  );
  const ids = await insertEntries(ctx, rows);
  const labelIds = owned.flatMap(({ people }) => people.map((person) => person.labelIds));
  await labelArrivals(
    ctx,
    rows.map((row, index) => ({
      userId: row.userId,
      entryId: ids[index] ?? '',
      flags: flagsOf(row),
      arrivedAt: row.arrivedAt,
      labelIds: labelIds[index] ?? [],
    })),
  );
  for (const [index, { userId, folder, readStatus }] of rows.entries()) {
    if (folder === 'inbox' && !readStatus) folders.noteArrived(userId, ids[index] ?? '');
  }
  let next = 0;
  const idsByPerson = owned.map(
    ({ people }) => new Map(people.map(({ owner: { userId } }) => [userId, ids[next++] ?? ''])),
  );
  const answered = receptions.flatMap(({ away = new Set<string>() }, index) =>
    [...away].flatMap((userId) => idsByPerson[index]?.get(userId) ?? []),
  );
  await enqueueAll(
    ctx,
    replyOnVacation,
    answered.map((entryId) => ({ payload: { entryId }, causeId })),
  );
  return idsByPerson;
}

/** The folder that a filter names may have been deleted since the filters were read. */
async function changeFoldersOfArrivals(ctx: TxCtx, changes: readonly FolderChange[]): Promise<ChangedFolders> {
  try {
    return await changeFolders(ctx, changes);
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error;
    throw new Outdated('the folder of a filter was deleted', { cause: error });
  }
}

function eachOnce(recipients: readonly LocalRecipient[]): LocalRecipient[] {
  return [...new Map(recipients.map((recipient) => [recipient.userId, recipient])).values()];
}

interface Owner {
  userId: string;
  companyId: string;
}

function destinationOf({ userId, companyId }: Owner, destination: Destination | undefined) {
  return {
    owner: { userId, companyId },
    flags: { ...received, ...destination?.flags },
    placement: destination?.placement ?? null,
    labelIds: destination?.labelIds ?? [],
  };
}

/** A new entry with the UID that its folder has taken for it. */
function entryRow(
  message: MessageRef,
  { userId, companyId }: Owner,
  {
    flags,
    folders,
    copy,
    placement = null,
  }: { flags: typeof received; folders: ChangedFolders; copy?: SentCopy; placement?: Placement | null },
) {
  const folder = folderOf(flags);
  return {
    companyId,
    userId,
    messageId: message.id,
    folder,
    ...folders.place(userId, keyOf(flags) as FolderKey),
    ...flagsOf(flags),
    receivedStatus: flags.receivedStatus,
    placement,
    bccList: copy?.bccList ?? null,
    threadKey: message.threadKey,
    deliveryState: copy?.deliveryState ?? null,
    undoUntil: copy?.undoUntil ?? null,
    arrivedAt: new Date(),
  };
}

/**
 * Puts a message into the mailboxes of people, each person once, unless it is there already.
 * @returns the user ids of the people who had not received it before
 */
export async function addReceivedEntriesOnce(
  ctx: TxCtx,
  message: MessageRef,
  { recipients, destinations, away }: Omit<Reception, 'message'>,
): Promise<string[]> {
  if (recipients.length === 0) return [];
  const had = await receivedEntryIds(ctx, message);
  const missing = recipients.filter(({ userId }) => !had.has(userId));
  if (missing.length === 0) return [];
  const [added] = await addReceivedEntries(ctx, [{ message, recipients: missing, destinations, away }], causeOf(ctx));
  return [...(added?.keys() ?? [])];
}

/** Ids of a message's received entries by person. */
export async function receivedEntryIds(
  ctx: Pick<Ctx, 'tx'>,
  message: Pick<Message, 'id'>,
): Promise<Map<string, string>> {
  const entries = await MailboxEntry.findAll({
    attributes: ['id', 'userId'],
    where: { messageId: message.id, receivedStatus: true },
    order: [['id', 'ASC']],
    transaction: ctx.tx,
  });
  return new Map(entries.map(({ id, userId }) => [String(userId), String(id)]));
}
