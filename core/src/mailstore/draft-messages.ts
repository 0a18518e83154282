import { randomUUID } from 'node:crypto';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { fullName } from '../contracts/full-name.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { log } from '../log.ts';
import { domainOf } from '../mail/address-rules.ts';
import { type Addr, normaliseAddress, parseAddress, parseAddressList } from '../mail/addresses.ts';
import { type ComposedAttachment, composeMessage, UnfitForMessage } from '../mail/compose-message.ts';
import { newMailId } from '../mail/mail-id.ts';
import { mediaTypeOf } from '../mail/media-type.ts';
import { isUnreadable } from '../mail/parsed-message.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { User } from '../models/user.ts';
import { hourMs } from '../utc-day.ts';
import { changeEntries } from './change-entries.ts';
import { collectImages, type QuotedPicture } from './composed-images.ts';
import { ancestryOfDraft } from './ancestry.ts';
import { pictureOf, quotedPicture } from './quoted-picture.ts';
import { addDraftEntry } from './entry-rows.ts';
import { insertMessage, type MessageInput } from './message-rows.ts';
import { readBlob } from './read-blob.ts';
import { removeUnneededBlob } from './remove-blob.ts';

/*
 * While a person writes, a draft is a row with its files. When they pause, its bytes follow: a
 * message with an entry in the folder of drafts, by which the search and mail programs know it. A
 * message never changes, so later bytes are another message and another entry (RFC 9051 2.3.1.1).
 *
 *   saved -- no save for some seconds --> bytes are made --> they replace the earlier ones
 *     ^                                      |
 *     '-- saved meanwhile: they are dropped -'
 */

/** Drafts that one query reads. */
const batch = 50;
/** How long a worker has to make the bytes of one draft before another one takes it up. */
const leaseMs = 5 * 60_000;
/** How long a draft whose bytes can't be made waits for the next attempt. */
const retryMs = hourMs;
/** No draft waits for so long. A later time was written while the clock was ahead. */
const furthestMs = 2 * hourMs;

interface Due {
  id: string;
  at: Date;
}

/**
 * Makes the bytes of drafts whose writers have paused.
 * @returns how many drafts got theirs
 */
export async function writeDraftMessages(ctx: Ctx, signal?: AbortSignal, now = new Date()): Promise<number> {
  let written = 0;
  for (;;) {
    const due = await readRows<Due>(
      ctx,
      `SELECT id, bytes_due_at AS at FROM drafts
        WHERE bytes_due_at <= ? OR bytes_due_at > ? ORDER BY bytes_due_at, id LIMIT ${batch}`,
      [now, new Date(now.getTime() + furthestMs)],
    );
    for (const { id, at } of due) {
      signal?.throwIfAborted();
      if (await writeIfDue(ctx, { id: String(id), at })) written += 1;
    }
    if (due.length < batch) return written;
  }
}

async function writeIfDue(ctx: Ctx, { id, at }: Due): Promise<boolean> {
  const until = new Date(Date.now() + leaseMs);
  if (!(await putOff(ctx, { id, at }, until))) return false;
  try {
    return await writeDraftMessage(ctx, id);
  } catch (error) {
    const again = isLasting(error) ? null : new Date(Date.now() + retryMs);
    log.warn('the bytes of a draft could not be made', { draftId: id, again, error });
    await putOff(ctx, { id, at: until }, again);
    return false;
  }
}

/**
 * Moves the time at which a draft is due. This also claims the draft: only one of two workers that
 * find it due can move the time that both have read.
 * @returns false when another worker or a save has changed the time since it was read
 */
async function putOff(ctx: Ctx, { id, at }: Due, until: Date | null): Promise<boolean> {
  const statement = 'UPDATE drafts SET bytes_due_at = ? WHERE id = ? AND bytes_due_at = ?';
  // A save may lock the same row at this moment. A transaction is repeated after a deadlock
  return await inTransaction(ctx, async (tx) => (await changeRows(tx, statement, [until, id, at])) > 0);
}

/** Whether only another save can help: a file is lost, or no message can be made of the draft. */
function isLasting(error: unknown): boolean {
  return isUnreadable(error) || error instanceof UnfitForMessage;
}

async function writeDraftMessage(ctx: Ctx, id: string): Promise<boolean> {
  const draft = await Draft.findByPk(id);
  const user = draft && (await User.findByPk(draft.userId));
  if (!draft || !user) return false;
  const files = await DraftAttachment.findAll({ where: { draftId: id }, order: [['id', 'ASC']] });
  // An estimate: the files, the message composed of them, and the text with its pictures
  const ofQuoted = draft.body.includes('"cid:quoted.') ? 2 * ctx.app.config.maxMessageBytes : 0;
  const bytes = files.reduce((sum, { size }) => sum + 3 * size, 4 * draft.bodyBytes + ofQuoted);
  return await ctx.app.memory.run(turnOfWriter(draft), bytes, () => composeAndStore(ctx, draft, { user, files }));
}

/** A turn apart from the writer's requests, so that a draft does not delay what they open. */
function turnOfWriter({ userId }: Draft): string {
  return `draft:${userId}`;
}

async function composeAndStore(
  ctx: Ctx,
  draft: Draft,
  { user, files }: { user: User; files: DraftAttachment[] },
): Promise<boolean> {
  const from = normaliseAddress(draft.fromAddress ?? '') ?? user.email;
  const { isForwarded, ...ancestry } = await ancestryOfDraft(ctx, draft);
  const { images, ...text } = await readText(ctx, draft);
  const raw = await composeMessage({
    from: { name: fullName(user), address: from },
    to: completeAddresses(draft.toList),
    cc: completeAddresses(draft.ccList),
    subject: draft.subject,
    ...text,
    attachments: [...images, ...(await readFiles(ctx, files))],
    messageId: `<${randomUUID()}@${domainOf(from)}>`,
    date: draft.updatedAt,
    ...ancestry,
  });
  const parsed = await ctx.app.content.summarise(raw, turnOfWriter(draft));
  const blob = await ctx.app.blobs.put(raw);
  const input = { parsed, blob, raw, mailId: newMailId(), envelopeFrom: from, isForwarded, ledgerRows: 0 };
  const isStored = await inTransaction(ctx, (tx) => replaceMessage(tx, draft, input)).catch(async (error) => {
    await removeUnneededBlob(ctx, blob.key);
    throw error;
  });
  if (!isStored) await removeUnneededBlob(ctx, blob.key);
  return isStored;
}

async function readText(ctx: Ctx, draft: Draft): Promise<{ html: string; text: string; images: ComposedAttachment[] }> {
  const { body: html } = draft;
  let held = 0;
  // A text may quote the same large picture a hundred times
  const hold = (bytes: number): void => {
    held += bytes;
    if (held > ctx.app.config.maxMessageBytes) throw new UnfitForMessage('body');
  };
  const text = { userId: String(draft.userId), html, quoted: keptPicture, hold };
  const { contentIds, files } = await collectImages(ctx, text);
  return { ...(await ctx.app.content.composeText(html, turnOfWriter(draft), contentIds)), images: files };
}

/** The picture that an address in the text of a draft names; null for any other address. */
function keptPicture(address: string): QuotedPicture | null {
  const [quoted] = `"${address}"`.matchAll(quotedPicture);
  return quoted ? pictureOf(quoted) : null;
}

/** A person may have typed half of an address: a message has whole ones. */
function completeAddresses(list: readonly string[]): Addr[] {
  return list.flatMap((text) => parseAddressList(text)).filter(({ address }) => parseAddress(address) !== null);
}

async function readFiles(ctx: Ctx, files: readonly DraftAttachment[]): Promise<ComposedAttachment[]> {
  const read: ComposedAttachment[] = [];
  for (const { filename, contentType, blobKey } of files) {
    const content = await readBlob(ctx.app.blobs, blobKey);
    read.push({ filename, contentType: mediaTypeOf(contentType), content });
  }
  return read;
}

/** False when the draft was saved, sent or deleted meanwhile. */
async function replaceMessage(ctx: TxCtx, { id, version }: Draft, input: MessageInput): Promise<boolean> {
  const attributes = { exclude: ['body'] };
  const draft = await Draft.findOne({ attributes, where: { id, version }, lock: true, transaction: ctx.tx });
  if (!draft) return false;
  const owner = { companyId: String(draft.companyId), userId: String(draft.userId) };
  const message = await insertMessage(ctx, input);
  const earlier = draft.entryId && (await MailboxEntry.findByPk(draft.entryId, { lock: true, transaction: ctx.tx }));
  if (earlier) {
    await changeEntries(ctx, { ...owner, entries: [earlier] }, { deleteStatus: true });
    await enqueue(ctx, removeMessage, { messageId: String(earlier.messageId) });
  }
  const bccList = completeAddresses(draft.bccList).map(({ address }) => address);
  const entryId = await addDraftEntry(ctx, { message, ...owner, bccList, isCounted: !earlier });
  // The writer changed nothing, so the version and the time of the draft stay
  await changeRows(ctx, 'UPDATE drafts SET entry_id = ?, bytes_due_at = NULL WHERE id = ?', [entryId, String(id)]);
  return true;
}
