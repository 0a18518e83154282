import { Op, UniqueConstraintError } from 'sequelize';
import { mostDrafts } from '../contracts/drafts.ts';
import { attachmentLimits } from '../contracts/mail.ts';
import { Outdated, type TxCtx } from '../context/context.ts';
import { AppError, conflict, notFound } from '../errors.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeBlob } from '../jobs/remove-blob.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { ensureBlob } from './blob-references.ts';
import { changeFolders } from './change-folders.ts';
import { requireRoom } from './require-room.ts';

/** How long a person must have paused before the message of their draft is composed (D40). */
export const draftPauseMs = 10_000;

type RecipientList = 'toList' | 'ccList' | 'bccList';

/** The new contents of a draft. */
export interface DraftContent extends Pick<Draft, RecipientList | 'subject' | 'body' | 'preview' | 'fromAddress'> {}

/** What a new draft answers or forwards. */
export type DraftOrigin = Pick<Draft, 'originalEntryId' | 'isReply' | 'inReplyTo' | 'referenceIds'>;

/** A stored file that becomes part of a draft. `content` stores it again if it is missing. */
export interface DraftFile {
  blobKey: string;
  filename: string;
  contentType: string;
  size: number;
  content: Buffer;
}

/** One save of a draft of a person. */
export interface DraftSave {
  companyId: string;
  userId: string;
  /** The draft that is saved again, with the version that the writer started from. */
  known: { id: string; version: number | undefined } | null;
  content: DraftContent;
  /** Applies to a new draft alone. */
  origin: DraftOrigin;
  added: DraftFile[];
  /** Ids of files that the draft no longer has. */
  without: ReadonlySet<string>;
  /**
   * Identifies this save among those of the person, so that a repeat of it is recognised. Null when
   * the client gave no key. At most 64 characters.
   */
  name?: string | null;
  /**
   * The draft is restored from an archive. Limits hold only for what a person adds: the mailbox may
   * be full, and a message that was taken back may have more files than a draft may be given.
   */
  isRestored?: boolean;
}

/** A draft as a save has left it. */
export interface SavedDraft {
  id: string;
  /** The version that the save made. */
  version: number;
}

/**
 * Saves a draft in the folder of drafts. Its text, its recipients and its files count against the
 * quota of its writer. A repeat of a save changes nothing, and returns the same result.
 * @throws AppError 404, 409 `changed_meanwhile` or `too_many_drafts`, 413, 422 `mailbox_full`
 */
export async function saveDraft(ctx: TxCtx, save: DraftSave): Promise<SavedDraft> {
  const made = save.known ? null : await findMade(ctx, save);
  if (made) return made;
  const draft = save.known ? await lockDraft(ctx, save, save.known) : await createDraft(ctx, save);
  if (isRepeat(draft, save)) return { id: String(draft.id), version: draft.version };
  const bytesBefore = draft.bodyBytes;
  const bodyBytes = ownBytesOf(save.content);
  const grown = bodyBytes - bytesBefore + (await changeFiles(ctx, draft, save));
  if (grown > 0 && !save.isRestored) await requireRoom(ctx, [save.userId], { bytes: grown });
  const version = save.known ? draft.version + 1 : 1;
  const bytesDueAt = new Date(Date.now() + draftPauseMs);
  await draft.update(
    { ...save.content, bodyBytes, version, bytesDueAt, lastSave: save.name ?? null },
    { transaction: ctx.tx },
  );
  const { companyId, userId } = save;
  const total = save.known ? 0 : 1;
  await changeFolders(ctx, [{ companyId, userId, folder: 'draft', total, unread: 0, bytes: grown }]);
  return { id: String(draft.id), version };
}

/** The bytes of the text and the recipients of a draft. */
export function ownBytesOf({ body, toList, ccList, bccList }: Pick<Draft, 'body' | RecipientList>): number {
  return [body, ...toList, ...ccList, ...bccList].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/**
 * The draft that the first run of this save created. Even if another save has changed it since,
 * this returns version 1, because the writer has that version. Their next save then gets the
 * conflict.
 */
async function findMade({ tx }: TxCtx, { userId, name }: DraftSave): Promise<SavedDraft | null> {
  if (!name) return null;
  const draft = await Draft.findOne({ attributes: ['id'], where: { userId, firstSave: name }, transaction: tx });
  return draft && { id: String(draft.id), version: 1 };
}

/** Whether the latest save of the draft was an earlier run of this save. */
function isRepeat({ lastSave }: Draft, { known, name }: DraftSave): boolean {
  return known !== null && Boolean(name) && lastSave === name;
}

async function lockDraft(
  { tx }: TxCtx,
  save: DraftSave,
  { id, version }: NonNullable<DraftSave['known']>,
): Promise<Draft> {
  const { userId } = save;
  const attributes = { exclude: ['body'] };
  const draft = await Draft.findOne({ attributes, where: { id, userId }, lock: true, transaction: tx });
  if (!draft) throw notFound('draft');
  if (version === undefined || version === draft.version || isRepeat(draft, save)) return draft;
  throw changedElsewhere();
}

/**
 * The 409 for a draft whose version is no longer the one that its writer has read.
 * @param asked how many drafts the request names
 */
export function changedElsewhere(asked = 1): AppError {
  const which = asked > 1 ? 'One of these drafts' : 'This draft';
  return conflict(`${which} was changed in another window meanwhile.`, 'changed_meanwhile');
}

async function createDraft(
  ctx: TxCtx,
  { companyId, userId, content, origin, name = null, isRestored = false }: DraftSave,
): Promise<Draft> {
  const count = isRestored ? 0 : await Draft.count({ where: { userId }, transaction: ctx.tx });
  if (count >= mostDrafts) {
    throw conflict(`There are ${mostDrafts} drafts already. Delete some of them first.`, 'too_many_drafts');
  }
  try {
    const values = { companyId, userId, ...content, ...origin, firstSave: name };
    return await Draft.create(values, { transaction: ctx.tx });
  } catch (error) {
    // Another run of this save was faster. The transaction is run again, and finds its draft
    if (error instanceof UniqueConstraintError) throw new Outdated('the draft was made meanwhile', { cause: error });
    throw error;
  }
}

/** @returns how many bytes more the files of the draft have */
async function changeFiles(ctx: TxCtx, { id }: Draft, { added, without, isRestored }: DraftSave): Promise<number> {
  const options = { transaction: ctx.tx };
  const draftId = String(id);
  const known = await DraftAttachment.findAll({ where: { draftId }, ...options });
  const gone = known.filter((file) => without.has(String(file.id)));
  const kept = known.length - gone.length + added.length;
  const bytes = bytesOf(known) - bytesOf(gone) + bytesOf(added);
  const isTooMuch = kept > attachmentLimits.files || bytes > attachmentLimits.total;
  if (added.length > 0 && isTooMuch && !isRestored) throw tooMuch();
  if (gone.length > 0)
    await DraftAttachment.destroy({ where: { id: { [Op.in]: gone.map((file) => file.id) } }, ...options });
  for (const { content, ...file } of added) {
    await DraftAttachment.create({ ...file, draftId }, options);
    await ensureBlob(ctx, file.blobKey, content);
  }
  const keys = new Set(gone.map(({ blobKey }) => blobKey));
  await enqueueAll(
    ctx,
    removeBlob,
    [...keys].map((blobKey) => ({ payload: { blobKey }, causeId: causeOf(ctx) })),
  );
  return bytesOf(added) - bytesOf(gone);
}

function bytesOf(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function tooMuch(): AppError {
  const { files, total } = attachmentLimits;
  const text = `A draft may have ${files} files and ${total / 1_048_576} MB of them.`;
  return new AppError({ status: 413, code: 'attachment_too_large', publicText: text, fields: { attachments: text } });
}
