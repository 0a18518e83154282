import { notFound } from '../errors.ts';
import { extractAttachment, type FoundAttachment } from '../mail/parse-message.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import type { Ctx } from '../context/context.ts';

/** An entry with its message. */
export interface EntryWithMessage {
  entry: MailboxEntry;
  message: Message;
}

/** An entry and the person that it must belong to. */
export interface EntryRef {
  userId: string;
  entryId: string;
}

/**
 * A person's own entry with its message.
 * @throws AppError notFound when it belongs to another person, or is deleted
 */
export async function findEntry(ctx: Ctx, { userId, entryId }: EntryRef): Promise<EntryWithMessage> {
  const found = await lookUp(ctx, { userId, entryId });
  if (found === null) throw notFound('message');
  return found;
}

/**
 * A file of a person's own entry by its position; null when there is no such entry, or no such file
 * in it.
 */
export async function findAttachment(
  ctx: Ctx,
  { userId, entryId, index }: EntryRef & { index: number },
): Promise<FoundAttachment | null> {
  const found = await lookUp(ctx, { userId, entryId });
  return found && (await extractAttachment(ctx.app.blobs.get(found.message.blobKey), index));
}

async function lookUp(ctx: Ctx, { userId, entryId }: EntryRef): Promise<EntryWithMessage | null> {
  const entry = await MailboxEntry.findOne({
    where: { id: entryId, userId, deleteStatus: false },
    transaction: ctx.tx,
  });
  const message = entry && (await Message.findByPk(entry.messageId, { transaction: ctx.tx }));
  return entry && message ? { entry, message } : null;
}
