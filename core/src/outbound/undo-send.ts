import { Op } from 'sequelize';
import { forgetWriting } from '../directory/correspondents.ts';
import { conflict, notFound } from '../errors.ts';
import type { MessageSummary } from '../mail/parsed-message.ts';
import { ensureBlob } from '../mailstore/blob-references.ts';
import { removeUnneededBlob } from '../mailstore/remove-blob.ts';
import { blobOf } from '../mailstore/find-entry.ts';
import { changeEntries } from '../mailstore/change-entries.ts';
import { ownBytesOf } from '../mailstore/save-draft.ts';
import { Delivery } from '../models/delivery.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { type Ctx, type TxCtx, inTransaction, turnOf } from '../context/context.ts';
import { log } from '../log.ts';
import { callPatience } from '../memory-budget.ts';
import type { Reason } from '../ledger/reasons.ts';
import { dropReminder } from './answer-reminders.ts';
import { isOnItsWay } from './on-its-way.ts';
import { markUndone } from './send-once.ts';
import { type CountedAs, giveBackUndone } from './submission-checks.ts';

/** A person and their sent message to take back. */
export interface UndoRequest {
  userId: string;
  entryId: string;
}

/** The contents of the new draft. Its files are stored already. */
interface DraftParts {
  parsed: MessageSummary;
  body: string;
  files: { blobKey: string; filename: string; contentType: string; size: number; content: Buffer }[];
}

/** Why a message is taken back, and when it is too late for that. */
interface TakeBack {
  reason: Reason;
  /** @throws AppError 409 when it is too late */
  refuseLate: (ctx: Ctx, entry: MailboxEntry) => Promise<void>;
  /** Further work of the transaction that makes the message a draft. */
  alongside?: (tx: TxCtx) => Promise<void>;
  /** Ends the waiting for memory. */
  signal?: AbortSignal;
}

/**
 * Takes a sent message back while all of its deliveries are held, and turns it into a draft again
 * (D29).
 * @returns the draft's id
 * @throws AppError 404 when there is no such sent message, 409 when it is on its way
 */
export async function undoSend(ctx: Ctx, { userId, entryId }: UndoRequest): Promise<string> {
  const how: TakeBack = { reason: 'cancelled_by_sender', refuseLate, signal: callPatience() };
  return await becomeDraft(ctx, { userId, entryId }, how);
}

/**
 * Turns a scheduled message into a draft because its sender may no longer send it (D48). The
 * message is due, so the deadline for an undo does not apply. `alongside` is part of the
 * transaction.
 */
export async function returnToDrafts(
  ctx: Ctx,
  request: UndoRequest,
  how: { reason: Reason; alongside: (tx: TxCtx) => Promise<void> },
): Promise<void> {
  const refuseLate = async (_ctx: Ctx, entry: MailboxEntry): Promise<void> => {
    if (!entry.scheduledStatus) throw tooLate();
  };
  await becomeDraft(ctx, request, { ...how, refuseLate });
}

async function becomeDraft(ctx: Ctx, { userId, entryId }: UndoRequest, how: TakeBack): Promise<string> {
  const waits = { [Op.or]: [{ sendStatus: true }, { scheduledStatus: true }] };
  const entry = await MailboxEntry.findOne({ where: { id: entryId, userId, ...waits } });
  if (!entry) throw notFound('message');
  await how.refuseLate(ctx, entry);
  const message = await Message.findByPk(entry.messageId);
  if (!message) throw notFound('message');
  const bytes = Number(message.size) * 2;
  const make = () => makeDraft(ctx, { entryId, message, how });
  const { draftId, ...undone } = await ctx.app.memory.run(turnOf(ctx), bytes, make, how.signal);
  await giveBackUndone(ctx, { id: userId }, undone);
  log.info('message taken back', { event: 'cancelled', mailId: message.mailId, reason: how.reason });
  return draftId;
}

async function makeDraft(
  ctx: Ctx,
  { entryId, message, how }: { entryId: string; message: Message; how: TakeBack },
): Promise<TakenBack> {
  // Files are read and stored before anything is locked. If it is too late by then, they are
  // removed again
  const parts = await readParts(ctx, message);
  try {
    return await inTransaction(ctx, (tx) => takeBack(tx, entryId, { message, parts, how }));
  } catch (error) {
    for (const { blobKey } of parts.files) await removeUnneededBlob(ctx, blobKey);
    throw error;
  }
}

/** A message that became a draft, and how its recipients were counted. */
interface TakenBack {
  draftId: string;
  recipients: number;
  kind: CountedAs;
  countedAt: Date;
}

async function takeBack(
  ctx: TxCtx,
  entryId: string,
  { message, parts, how }: { message: Message; parts: DraftParts; how: TakeBack },
): Promise<TakenBack> {
  const entry = await MailboxEntry.findByPk(entryId, { lock: true, transaction: ctx.tx });
  if (!entry) throw tooLate();
  await how.refuseLate(ctx, entry);
  const kind = entry.scheduledStatus ? 'schedule' : 'send';
  const own = { messageId: message.id, direction: 'out' as const, entryId };
  const deliveries = await Delivery.findAll({ where: own, lock: true, transaction: ctx.tx });
  if (deliveries.length === 0 || deliveries.some(({ state }) => state !== 'held')) throw tooLate();
  await Delivery.update(
    { state: 'cancelled', reason: how.reason, nextAttemptAt: null, leaseUntil: null },
    { where: own, transaction: ctx.tx },
  );
  const draft = await writeDraft(ctx, entry, message, parts);
  await markUndone(ctx, entryId);
  await dropReminder(ctx, entryId);
  const owner = { companyId: String(entry.companyId), userId: String(entry.userId) };
  const bytes = parts.files.reduce((sum, { size }) => sum + size, draft.bodyBytes);
  await changeEntries(
    ctx,
    { ...owner, entries: [entry], beside: [{ ...owner, folder: 'draft', total: 0, unread: 0, bytes }] },
    {
      draftStatus: true,
      sendStatus: false,
      scheduledStatus: false,
      // The sender may have deleted their copy meanwhile. Its bytes stay as long as its deliveries
      // are held
      trashStatus: false,
      deleteStatus: false,
      // A draft has no star and is never unread (D18)
      starStatus: false,
      readStatus: true,
      deliveryState: null,
      undoUntil: null,
    },
  );
  // Folders are locked before correspondents, in the same order as in `writeSubmissions`
  await forgetWriting(
    ctx,
    owner.userId,
    deliveries.map(({ recipient }) => recipient),
  );
  await how.alongside?.(ctx);
  return { draftId: String(draft.id), recipients: deliveries.length, kind, countedAt: entry.createdAt };
}

async function writeDraft(ctx: TxCtx, entry: MailboxEntry, message: Message, parts: DraftParts): Promise<Draft> {
  const { toList, ccList } = message;
  const written = { toList, ccList, bccList: entry.bccList ?? [], body: parts.body };
  const draft = await Draft.create(
    {
      companyId: entry.companyId,
      userId: entry.userId,
      entryId: String(entry.id),
      ...written,
      bodyBytes: ownBytesOf(written),
      subject: message.subject,
      preview: message.preview,
      fromAddress: message.fromAddress,
      isReply: parts.parsed.inReplyTo !== null && !message.isForwarded,
      originalEntryId: await originalEntry(ctx, entry, parts.parsed),
    },
    { transaction: ctx.tx },
  );
  for (const { content, ...file } of parts.files) {
    await DraftAttachment.create({ ...file, draftId: String(draft.id) }, { transaction: ctx.tx });
    await ensureBlob(ctx, file.blobKey, content);
  }
  return draft;
}

/**
 * The entry of the message that it answered, so that the draft is sent as an answer again (D21).
 */
async function originalEntry(ctx: TxCtx, entry: MailboxEntry, parsed: MessageSummary): Promise<string | null> {
  if (!parsed.inReplyTo) return null;
  const originals = await Message.findAll({
    attributes: ['id'],
    where: { messageIdHeader: parsed.inReplyTo.slice(0, 255) },
    limit: 20,
    transaction: ctx.tx,
  });
  if (originals.length === 0) return null;
  const original = await MailboxEntry.findOne({
    attributes: ['id'],
    where: { userId: entry.userId, messageId: originals.map(({ id }) => id), deleteStatus: false },
    transaction: ctx.tx,
  });
  return original ? String(original.id) : null;
}

async function readParts(ctx: Ctx, message: Message): Promise<DraftParts> {
  const { summary: parsed, body } = await ctx.app.content.readDraft(blobOf(message), turnOf(ctx));
  const files: DraftParts['files'] = [];
  for (const { filename, contentType, content, related } of parsed.attachments) {
    // Pictures that the draft's body shows are part of the body
    if (related || !content) continue;
    const { key, size } = await ctx.app.blobs.put(content);
    files.push({ blobKey: key, filename, contentType: contentType.slice(0, 255), size, content });
  }
  return { parsed, body, files };
}

async function refuseLate(ctx: Ctx, entry: MailboxEntry): Promise<void> {
  if (await isOnItsWay(ctx, entry)) throw tooLate();
}

function tooLate() {
  return conflict('Too late to undo: the message is on its way.', 'too_late_to_undo');
}
