import { parseJsonColumn } from '../database/parse-json-column.ts';
import { escape } from 'mysql2';
import { literal } from 'sequelize';
import type { Attachment } from '../models/attachment.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { readRows } from '../database/run-sql.ts';
import { mayInFolder, mayOnEntry } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { mostInRow } from '../contracts/email.ts';
import { readLabelIds } from './entry-labels.ts';
import { readReminder, readSnoozes } from './read-times.ts';
import { type EntryRef, type EntryWithMessage, findEntry, type LabelledEntry } from './find-entry.ts';
import { firstPeople } from './read-listed.ts';

/** A file of a message, as its reader is told of it. */
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
   * (D21), from the folders that the actor may view. Strangers decide how many files and recipients
   * a message has: of these, each has the first `mostFilesBeside` and `mostInRow`, and all together
   * have no more than `mostFilesOfAnswer` files.
   */
  conversation: EntryWithFiles[];
  /** Older messages of the conversation that were not read. */
  earlier: number;
  /** What became of the message for each recipient; empty unless the reader sent it (D30). */
  deliveries: Delivery[];
  /** The alias of the reader that the message came in by, as far as the ledger knows. */
  deliveredTo: string | null;
  /** When the reader, who sent it, is reminded unless it has been answered; else null (D62). */
  remindAt: Date | null;
}

/**
 * Reads one entry of a person with the newest messages of its conversation. It costs the same
 * however many others the conversation has.
 * @param most messages of the conversation beside the entry
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function readEntry(ctx: Ctx, ref: EntryRef, most = 100): Promise<ReadEntry> {
  const opened = await findLabelled(ctx, ref);
  const { ids, earlier } = await findConversation(ctx, opened.entry, most);
  const rest = await readEntries(ctx, ids);
  const allowed = rest.filter(({ entry }) => mayOnEntry(ctx, entry, 'view'));
  const others = onceEach([opened, ...allowed]).slice(1);
  const attachments = await filesOf(ctx, opened);
  const files = await firstFilesOf(ctx, others);
  const conversation = others.map((item) => ({ ...item, attachments: files.get(String(item.message.id)) ?? [] }));
  const deliveries = await deliveriesOf(ctx, opened.entry);
  const [deliveredTo, remindAt] = [await aliasOf(ctx, opened.entry), await readReminder(ctx, opened.entry)];
  return { ...opened, attachments, conversation, earlier, deliveries, deliveredTo, remindAt };
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

/** Messages with the first of many recipients. */
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

/** The newest of a conversation, oldest first, and how many older ones there are. */
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
  // Most messages are alone
  const isAlone = kept.reduce((sum, row) => sum + Number(row.total), 0) <= (isAmong(kept, folderId) ? 1 : 0);
  if (isAlone || most <= 0) return { ids: [], earlier: others };
  // One with a star may be seen although its folder may not
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

/** A person who writes to themselves has a message twice: as sent and as received. */
function onceEach(items: readonly LabelledEntry[]): LabelledEntry[] {
  const seen = new Set<string>();
  return items.filter(({ message }) => {
    const isNew = !seen.has(String(message.id));
    seen.add(String(message.id));
    return isNew;
  });
}

/** The files of a message that is read with another one. */
const mostFilesBeside = 20;
/** The files of all messages that are read with another one. */
const mostFilesOfAnswer = 500;

const fileColumns = `id, message_id AS messageId, part_index AS partIndex, filename, content_type AS contentType, size,
  content_id AS contentId, is_inline AS isInline`;

/** All files of a message. */
async function filesOf(ctx: Ctx, { message }: EntryWithMessage): Promise<MessageFile[]> {
  const rows = await readRows<FileRow>(
    ctx,
    `SELECT ${fileColumns} FROM attachments WHERE message_id = ? ORDER BY part_index`,
    [message.id],
  );
  return rows.map(fileOf);
}

/** The first files of some messages, by message; those of the newest while there is room. */
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
 * A message from inside has a row for each alias that its sender wrote to, without an entry of the
 * reader: the mailbox that it led to names the reader.
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
