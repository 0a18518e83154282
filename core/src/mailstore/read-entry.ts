import { Op } from 'sequelize';
import { Attachment } from '../models/attachment.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { readRows } from '../database/run-sql.ts';
import { mayOnEntry } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { type EntryRef, type EntryWithMessage, findEntry } from './find-entry.ts';
import { readEntries } from './list-folder.ts';

/** An entry with its message and the files it carries. */
export interface EntryWithFiles extends EntryWithMessage {
  attachments: Attachment[];
}

/** What a reader sees of one entry. */
export interface ReadEntry extends EntryWithFiles {
  /**
   * The rest of the conversation within the reader's own mailbox, oldest first, each message once
   * (D21), from the folders that the actor may view.
   */
  conversation: EntryWithFiles[];
  /** What became of the message for each recipient; empty unless the reader sent it (D30). */
  deliveries: Delivery[];
  /** The alias of the reader that the message came in by, as far as the ledger knows. */
  deliveredTo: string | null;
}

/** The most messages of a conversation that are read; the newest count. */
const CONVERSATION_LIMIT = 100;

/**
 * Reads one entry of a person with its conversation.
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function readEntry(ctx: Ctx, ref: EntryRef): Promise<ReadEntry> {
  const opened = await findEntry(ctx, ref);
  const rest = await readEntries(ctx, await conversationIds(ctx, opened.entry));
  const others = rest.filter(({ entry }) => mayOnEntry(ctx, entry, 'view'));
  const files = await filesOf(ctx, [opened, ...others]);
  const withFiles = (item: EntryWithMessage) => ({ ...item, attachments: files.get(String(item.message.id)) ?? [] });
  const conversation = onceEach([opened, ...others])
    .slice(1)
    .map(withFiles);
  const deliveries = await deliveriesOf(ctx, opened.entry);
  return { ...withFiles(opened), conversation, deliveries, deliveredTo: await aliasOf(ctx, opened.entry) };
}

/**
 * Reads one entry of a person with its files, without its conversation.
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function readEntryAlone(ctx: Ctx, ref: EntryRef): Promise<EntryWithFiles> {
  const opened = await findEntry(ctx, ref);
  const files = await filesOf(ctx, [opened]);
  return { ...opened, attachments: files.get(String(opened.message.id)) ?? [] };
}

async function conversationIds(ctx: Ctx, { id, userId, threadKey }: MailboxEntry): Promise<string[]> {
  const newest = await MailboxEntry.findAll({
    attributes: ['id'],
    where: { userId, threadKey, id: { [Op.ne]: id }, folder: { [Op.notIn]: ['gone', 'trash', 'draft'] } },
    order: [
      ['arrivedAt', 'DESC'],
      ['id', 'DESC'],
    ],
    limit: CONVERSATION_LIMIT,
    transaction: ctx.tx,
  });
  return newest.map((entry) => String(entry.id)).reverse();
}

/** A person who writes to themselves has a message twice: as sent and as received. */
function onceEach(items: readonly EntryWithMessage[]): EntryWithMessage[] {
  const seen = new Set<string>();
  return items.filter(({ message }) => {
    const isNew = !seen.has(String(message.id));
    seen.add(String(message.id));
    return isNew;
  });
}

async function filesOf(ctx: Ctx, items: readonly EntryWithMessage[]): Promise<Map<string, Attachment[]>> {
  const attachments = await Attachment.findAll({
    where: { messageId: [...new Set(items.map(({ message }) => String(message.id)))] },
    order: [
      ['messageId', 'ASC'],
      ['partIndex', 'ASC'],
    ],
    transaction: ctx.tx,
  });
  return Map.groupBy(attachments, ({ messageId }) => String(messageId));
}

async function deliveriesOf(ctx: Ctx, { id, messageId, sendStatus }: MailboxEntry): Promise<Delivery[]> {
  if (!sendStatus) return [];
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
