import { notFound } from '../errors.ts';
import type { ParsedAttachment } from '../mail/parsed-message.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import type { StoredBlob } from '../context/app.ts';
import { idOfCopied, readCopied } from './find-copied.ts';
import { requirePermission } from '../access/effective-permissions.ts';
import { requireOnEntries } from '../access/mail-permissions.ts';
import type { Ctx } from '../context/context.ts';
import { readSnoozes } from './snoozes-and-reminders.ts';

/** An entry with its message. */
export interface EntryWithMessage {
  entry: MailboxEntry;
  message: Message;
  /** When the message comes back into the inbox; null unless it is snoozed. */
  snoozedUntil: Date | null;
}

/** An entry with its labels. */
export interface LabelledEntry extends EntryWithMessage {
  labelIds: string[];
}

/** A file of a message with its decoded bytes. */
export interface FoundAttachment {
  meta: ParsedAttachment;
  content: Buffer;
}

/** An entry and the person that it must belong to. */
export interface EntryRef {
  userId: string;
  /** The id of an entry, or the name of a message in a copy that the person reads (`copiedRef`). */
  entryId: string;
}

/**
 * A person's own entry with its message.
 * @throws AppError notFound when it belongs to another person, or is deleted; 403 when the actor
 *   may not view its folder
 */
export async function findEntry(ctx: Ctx, { userId, entryId }: EntryRef): Promise<EntryWithMessage> {
  const found = await lookUp(ctx, { userId, entryId });
  if (found === null) throw notFound('message');
  if (idOfCopied(entryId) === null) requireOnEntries(ctx, [found.entry], 'view');
  else if (ctx.actor !== null) requirePermission(ctx, 'backup', 'view');
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
  return (await findAttachments(ctx, { userId, entryId, indexes: [index] })).get(index) ?? null;
}

/** As `findAttachment`, for several files of a message, by position. The message is read once. */
export async function findAttachments(
  ctx: Ctx,
  { userId, entryId, indexes }: EntryRef & { indexes: readonly number[] },
): Promise<Map<number, FoundAttachment>> {
  const found = await lookUp(ctx, { userId, entryId });
  if (!found) return new Map();
  const { attachments } = await ctx.app.content.readFiles(blobOf(found.message), [...indexes], `user:${userId}`);
  const files = indexes.flatMap((index): [number, FoundAttachment][] => {
    const file = attachments[index];
    if (!file?.content) return [];
    const { content, ...meta } = file;
    return [[index, { meta, content }]];
  });
  return new Map(files);
}

/** The blob of a message. */
export function blobOf({ blobKey, size }: Pick<Message, 'blobKey' | 'size'>): StoredBlob {
  return { key: blobKey, size };
}

async function lookUp(ctx: Ctx, { userId, entryId }: EntryRef): Promise<EntryWithMessage | null> {
  const copiedId = idOfCopied(entryId);
  if (copiedId !== null) return (await readCopied(ctx, userId, [copiedId]))[0] ?? null;
  const entry = await MailboxEntry.findOne({
    where: { id: entryId, userId, deleteStatus: false },
    transaction: ctx.tx,
  });
  const message = entry && (await Message.findByPk(entry.messageId, { transaction: ctx.tx }));
  if (!entry || !message) return null;
  const snoozes = await readSnoozes(ctx, [entry]);
  return { entry, message, snoozedUntil: snoozes.get(String(entry.id)) ?? null };
}
