import { parseJsonColumn } from '../database/parse-json-column.ts';
import { escape } from 'mysql2';
import { literal } from 'sequelize';
import type { Attachment } from '../models/attachment.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { mostFiles } from '../mail/parsed-message.ts';
import { readRows } from '../database/run-sql.ts';
import { mayInFolder, mayOnEntry } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { mostInRow } from '../contracts/email.ts';
import { readLabelIds } from './entry-labels.ts';
import { readReminder, readSnoozes } from './snoozes-and-reminders.ts';
import { type EntryRef, type EntryWithMessage, findEntry, type LabelledEntry } from './find-entry.ts';
import { firstPeople } from './read-listed.ts';

/** The fields of an attachment that the message's reader sees. */
export type MessageFile = Pick<
  Attachment,
  'id' | 'messageId' | 'partIndex' | 'filename' | 'contentType' | 'size' | 'contentId' | 'isInline'
>;

/** An entry with its message, its labels and the files it carries. */
export interface EntryWithFiles extends LabelledEntry {
  attachments: MessageFile[];
}

/** What a reader sees of one entry. */
export interface ReadEntry extends EntryWithFiles {
  /**
   * The rest of the conversation within the reader's own mailbox, oldest first, each message once
   * (D21), from the folders that the actor may view. Senders decide how many files and recipients a
   * message has, so both are limited: each message has its first `mostFilesBeside` files and
   * `mostInRow` recipients, and all of them together have at most `mostFilesOfAnswer` files.
   */
  conversation: EntryWithFiles[];
  /**
   * The other entries of these messages: a person who writes to themselves has a message both as
   * sent and as received.
   */
  twins: LabelledEntry[];
  /** How many older messages of the conversation were left out. */
  earlier: number;
  /** The delivery to each recipient; empty unless the reader sent the message (D30). */
  deliveries: Delivery[];
  /** The reader's alias that the message was sent to; null when the ledger names none. */
  deliveredTo: string | null;
  /** When the reader, as the sender, is reminded unless an answer has come; else null (D62). */
  remindAt: Date | null;
}

/**
 * Reads one entry of a person with the newest messages of its conversation. The cost does not grow
 * with the length of the conversation.
 * @param most messages of the conversation beside the entry
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function readEntry(ctx: Ctx, ref: EntryRef, most = 100): Promise<ReadEntry> {
  const opened = await findLabelled(ctx, ref);
  const { ids, earlier } = await findConversation(ctx, opened.entry, most);
  const rest = await readEntries(ctx, ids);
  const allowed = rest.filter(({ entry }) => mayOnEntry(ctx, entry, 'view'));
  const { first, twins } = onceEach([opened, ...allowed]);
  const others = first.slice(1);
  const attachments = await filesOf(ctx, opened);
  const files = await firstFilesOf(ctx, others);
  const conversation = others.map((item) => ({ ...item, attachments: files.get(String(item.message.id)) ?? [] }));
  const deliveries = await deliveriesOf(ctx, opened.entry);
  const [deliveredTo, remindAt] = [await aliasOf(ctx, opened.entry), await readReminder(ctx, opened.entry)];
  return { ...opened, attachments, conversation, twins, earlier, deliveries, deliveredTo, remindAt };
}

/**
 * Reads one entry of a person with its files, without its conversation.
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function readEntryAlone(ctx: Ctx, ref: EntryRef): Promise<EntryWithFiles> {
  const opened = await findLabelled(ctx, ref);
  return { ...opened, attachments: await filesOf(ctx, opened) };
}

async function findLabelled(ctx: Ctx, ref: EntryRef): Promise<LabelledEntry> {
  const found = await findEntry(ctx, ref);
  const id = String(found.entry.id);
  return { ...found, labelIds: (await readLabelIds(ctx, [id])).get(id) ?? [] };
}

/** Entries with their messages and their labels, in the order of the ids. */
async function readEntries(ctx: Ctx, ids: readonly string[]): Promise<LabelledEntry[]> {
  if (ids.length === 0) return [];
  const entries = await MailboxEntry.findAll({ where: { id: [...ids] }, transaction: ctx.tx });
  const messages = await readMessages(ctx, [...new Set(entries.map(({ messageId }) => messageId))]);
  const snoozes = await readSnoozes(ctx, entries);
  const labels = await readLabelIds(ctx, ids);
  const entryById = new Map(entries.map((entry) => [String(entry.id), entry]));
  const messageById = new Map(messages.map((message) => [String(message.id), message]));
  return ids.flatMap((id) => {
    const entry = entryById.get(id);
    const message = entry && messageById.get(String(entry.messageId));
    if (!entry || !message) return [];
    return [{ entry, message, snoozedUntil: snoozes.get(id) ?? null, labelIds: labels.get(id) ?? [] }];
  });
}

/** Messages, each with only its first recipients. */
async function readMessages(ctx: Ctx, ids: readonly string[]): Promise<Message[]> {
  const messages = await Message.findAll({
    where: { id: [...ids] },
    attributes: {
      exclude: ['toList', 'ccList'],
      include: [
        [literal(firstPeople('to_list')), 'toList'],
        [literal(firstPeople('cc_list')), 'ccList'],
      ],
    },
    transaction: ctx.tx,
  });
  for (const message of messages) {
    message.toList = parseJsonColumn<string[]>(message.toList).slice(0, mostInRow);
    message.ccList = parseJsonColumn<string[]>(message.ccList).slice(0, mostInRow);
  }
  return messages;
}

/** The folders whose messages a conversation shows, beside those that the person made. */
const shownFolders = ['inbox', 'sent', 'archive', 'snoozed'] as const;

/** The ids of the newest messages of a conversation, oldest first, and the number of older ones. */
async function findConversation(
  ctx: Ctx,
  { id, userId, threadKey, folderId }: MailboxEntry,
  most: number,
): Promise<{ ids: string[]; earlier: number }> {
  const kept = await readRows<{ folderId: string; role: string; total: number }>(
    ctx,
    `SELECT t.folder_id AS folderId, COALESCE(f.role, 'own') AS role, t.total FROM folders f
       JOIN folder_threads t ON t.folder_id = f.id AND t.thread_key = ?
      WHERE f.user_id = ? AND (f.role IS NULL OR f.role IN (?))`,
    [threadKey, userId, shownFolders],
  );
  const viewable = kept.filter(({ role }) => mayInFolder(ctx, role as (typeof shownFolders)[number] | 'own', 'view'));
  const total = viewable.reduce((sum, row) => sum + Number(row.total), 0);
  const others = Math.max(0, total - (isAmong(viewable, folderId) ? 1 : 0));
  // Most messages have no others in their conversation, and need no further query
  const isAlone = kept.reduce((sum, row) => sum + Number(row.total), 0) <= (isAmong(kept, folderId) ? 1 : 0);
  if (isAlone || most <= 0) return { ids: [], earlier: others };
  // All folders are searched: the actor may view a starred entry even if they may not view its
  // folder
  const newest = kept.map(
    (row) =>
      `(SELECT id, arrived_at FROM mailbox_entries FORCE INDEX (entries_conversation)
         WHERE folder_id = ${escape(row.folderId)} AND thread_key = ${escape(threadKey)} AND id <> ${escape(id)}
         ORDER BY arrived_at DESC, id DESC LIMIT ${most})`,
  );
  const rows = await readRows<{ id: string }>(
    ctx,
    `SELECT id FROM (${newest.join(' UNION ALL ')}) e ORDER BY arrived_at DESC, id DESC LIMIT ${most}`,
    [],
  );
  return { ids: rows.map((row) => String(row.id)).reverse(), earlier: Math.max(0, others - rows.length) };
}

function isAmong(rows: readonly { folderId: string }[], folderId: string | null): boolean {
  return rows.some((row) => String(row.folderId) === String(folderId));
}

/** The first entry of each message, and the other ones of these messages. */
function onceEach(items: readonly LabelledEntry[]): Record<'first' | 'twins', LabelledEntry[]> {
  const firstOf = new Map<string, LabelledEntry>();
  const twins: LabelledEntry[] = [];
  for (const item of items) {
    const id = String(item.message.id);
    if (firstOf.has(id)) twins.push(item);
    else firstOf.set(id, item);
  }
  return { first: [...firstOf.values()], twins };
}

/** The most files that are read for each other message of the conversation. */
const mostFilesBeside = 20;
/** The most files that are read for all other messages of the conversation together. */
const mostFilesOfAnswer = 500;

const fileColumns = `id, message_id AS messageId, part_index AS partIndex, filename, content_type AS contentType, size,
  content_id AS contentId, is_inline AS isInline`;

/** The files of a message. No more than `mostFiles` are stored when it arrives. */
async function filesOf(ctx: Ctx, { message }: EntryWithMessage): Promise<MessageFile[]> {
  const rows = await readRows<FileRow>(
    ctx,
    `SELECT ${fileColumns} FROM attachments WHERE message_id = ? ORDER BY part_index LIMIT ${mostFiles}`,
    [message.id],
  );
  return rows.map(fileOf);
}

/**
 * The first files of some messages, by message id. The common limit drops those of the oldest
 * first.
 */
async function firstFilesOf(ctx: Ctx, items: readonly EntryWithMessage[]): Promise<Map<string, MessageFile[]>> {
  if (items.length === 0) return new Map();
  const rows = await readRows<FileRow>(
    ctx,
    `SELECT ${fileColumns} FROM attachments WHERE message_id IN (?) AND part_index < ${mostFilesBeside}
      ORDER BY message_id DESC, part_index LIMIT ${mostFilesOfAnswer}`,
    [items.map(({ message }) => message.id)],
  );
  return Map.groupBy(rows.map(fileOf), ({ messageId }) => String(messageId));
}

/** A row as the driver gives it. */
type FileRow = Omit<MessageFile, 'isInline'> & { isInline: number };

function fileOf(row: FileRow): MessageFile {
  return { ...row, isInline: row.isInline === 1 };
}

async function deliveriesOf(
  ctx: Ctx,
  { id, messageId, sendStatus, scheduledStatus }: MailboxEntry,
): Promise<Delivery[]> {
  if (!sendStatus && !scheduledStatus) return [];
  return await Delivery.findAll({
    where: { messageId, direction: 'out', entryId: id },
    order: [['id', 'ASC']],
    transaction: ctx.tx,
  });
}

/**
 * Finds the alias by the reader's mailbox address. If the sender is local, the alias's row in the
 * ledger does not name the entry of the reader, but it names the mailbox that the alias led to.
 */
async function aliasOf(ctx: Ctx, { userId, messageId, receivedStatus }: MailboxEntry): Promise<string | null> {
  if (!receivedStatus) return null;
  const [row] = await readRows<{ recipient: string }>(
    ctx,
    `SELECT d.recipient FROM deliveries d JOIN users u ON u.id = ? AND u.email = d.expanded_to
      WHERE d.message_id = ? AND d.expanded_by = 'alias' ORDER BY d.id LIMIT 1`,
    [userId, messageId],
  );
  return row?.recipient ?? null;
}
