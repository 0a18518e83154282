import type { StoredBlob } from '../context/app.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { bodyOffset } from '../mail/crlf.ts';
import { newMailId } from '../mail/mail-id.ts';
import { MessageTooComplex, type StorableSummary } from '../mail/parsed-message.ts';
import { previewOf } from '../mail/preview.ts';
import { addRestored, labelsByName, type RestoredMessage } from '../mailstore/add-restored.ts';
import type { EntryFlags } from '../mailstore/folders.ts';
import { readOwnFolders } from '../mailstore/own-folders.ts';
import { type DraftFile, type DraftSave, saveDraft } from '../mailstore/save-draft.ts';
import { Draft } from '../models/draft.ts';
import { OperatorError } from '../operator-error.ts';
import { findFile, sayShort } from './agreement.ts';
import { draftFile, type IndexLine, indexLine } from './layout.ts';
import { type ArchiveReader, linesOf, type Member, parseAs } from './read-archive.ts';

/** The person whose mail is restored. */
export interface Owner {
  companyId: string;
  userId: string;
  email: string;
}

/** A JSON file, and what it is read with. */
export interface FileToRead {
  member: Member;
  /** The files before it, which it may name. */
  files: ReadonlyMap<string, Member>;
  owner: Owner;
  /** Takes sentences for the operator. */
  say: (text: string) => void;
}

/** Writes what was read of a file, in a transaction. */
export type Written = (tx: TxCtx) => Promise<void>;

/** How many messages are written at once. More would be held in memory for long. */
const atOnce = 20;

/**
 * Reads the messages of an index and puts their bytes into the store. Their rows are written in one
 * transaction, in pieces.
 */
export async function readMessages(
  ctx: Ctx,
  reader: ArchiveReader,
  { member: index, files, owner, say }: FileToRead,
): Promise<Written> {
  const lines = linesOf(await reader.content(index)).map((line) => parseAs(index.name, line, indexLine));
  const read: (Read & { line: IndexLine })[] = [];
  const drafts: Written[] = [];
  for (const line of lines) {
    const content = await reader.content(findFile(files, line.file, index.name));
    if (line.trace_bytes > content.length) throw new OperatorError(sayShort(line.file));
    const raw = content.subarray(line.trace_bytes);
    // A restore sends no scheduled message
    if (line.folder === 'scheduled') drafts.push(await draftOfMessage(ctx, owner, { raw, line, say }));
    else read.push({ ...(await messageOf(ctx, raw, { line, content, say })), line });
  }
  return async (tx) => {
    const ids = await labelsByName(tx, owner.userId);
    const folders = new Map((await readOwnFolders(tx, owner.userId)).map((own) => [folderNameKey(own.name), own.id]));
    const ownFolderOf = ({ own_folder: name }: IndexLine) =>
      name === null ? null : (folders.get(folderNameKey(name)) ?? null);
    for (let at = 0; at < read.length; at += atOnce) {
      const piece = read.slice(at, at + atOnce);
      await addRestored(
        tx,
        owner,
        piece.map(({ line, flags, ...message }) => ({
          ...message,
          flags: { ...flags, ownFolderId: ownFolderOf(line) },
          labelIds: [...new Set(line.labels.flatMap((name) => ids.get(name) ?? []))],
        })),
      );
    }
    for (const write of drafts) await write(tx);
  };
}

/** What the bytes and the index line of a message say. Labels and folders are looked up later. */
type Read = Omit<RestoredMessage, 'labelIds' | 'flags'> & { flags: Omit<EntryFlags, 'ownFolderId'> };

async function messageOf(
  ctx: Ctx,
  raw: Buffer,
  { line, content, say }: { line: IndexLine; content: Buffer; say: FileToRead['say'] },
): Promise<Read> {
  const blob = await ctx.app.blobs.put(raw);
  const parsed = await unlessTooComplex(
    () => ctx.app.content.summarise(raw, 'restore'),
    (reason) => {
      say(`${line.file} takes too much to read (${reason}); the person sees the beginning of its source`);
      return summariseHeader(ctx, raw, blob);
    },
  );
  return {
    message: {
      parsed,
      blob,
      mailId: newMailId(),
      envelopeFrom: line.envelope_from,
      traceHeaders: content.subarray(0, line.trace_bytes).toString(),
      authentication: line.authentication as NonNullable<RestoredMessage['message']['authentication']> | null,
    },
    flags: {
      readStatus: line.read,
      starStatus: line.starred,
      archiveStatus: line.archived,
      trashStatus: line.trashed,
      deleteStatus: false,
      junkStatus: line.junk,
      sendStatus: line.is_sent,
      draftStatus: false,
      scheduledStatus: false,
      snoozedStatus: line.folder === 'snoozed',
    },
    entry: {
      answeredStatus: line.answered,
      forwardedStatus: line.forwarded,
      keywords: line.keywords.length > 0 ? line.keywords : null,
      placement: line.placement,
      bccList: line.bcc,
      arrivedAt: new Date(line.arrived_at),
      firstArrivedAt: line.first_arrived_at === null ? null : new Date(line.first_arrived_at),
    },
    snoozedUntil: line.snoozed_until === null ? null : new Date(line.snoozed_until),
    remindAt: line.is_sent && line.remind_at !== null ? new Date(line.remind_at) : null,
  };
}

/**
 * Does work on content unless that takes too much, and something else then. The host of the archive
 * was faster, or had other limits. One message must not keep a whole company from being restored.
 */
async function unlessTooComplex<T>(work: () => Promise<T>, otherwise: (reason: string) => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MessageTooComplex)) throw error;
    return await otherwise(error.reason);
  }
}

/** What the header of a message says, or nothing where even that takes too much. */
async function summariseHeader({ app }: Ctx, raw: Buffer, blob: StoredBlob): Promise<StorableSummary> {
  const header = raw.subarray(0, bodyOffset(raw));
  const summary = await unlessTooComplex(
    () => app.content.summarise(header, 'restore'),
    () => app.content.summarise(Buffer.from('\r\n'), 'restore'),
  );
  const structure = await unlessTooComplex(
    () => app.content.readStructure(blob, 'restore'),
    async () => summary.structure,
  );
  return { ...summary, structure };
}

/**
 * A scheduled message becomes a draft, as it does when its sender takes it back. One that takes too
 * much to read becomes a file of a draft without a text.
 */
async function draftOfMessage(
  ctx: Ctx,
  owner: Owner,
  { raw, line, say }: { raw: Buffer; line: IndexLine; say: FileToRead['say'] },
): Promise<Written> {
  const { app } = ctx;
  const blob = await app.blobs.put(raw);
  const added: DraftFile[] = [];
  const { summary, body } = await unlessTooComplex(
    () => app.content.readDraft(blob, 'restore'),
    async (reason) => {
      say(`${line.file} takes too much to read (${reason}); the person has it as a file of a draft`);
      added.push(fileOf(blob, raw, { name: 'message.eml', type: 'message/rfc822' }));
      return { summary: await summariseHeader(ctx, raw, blob), body: '' };
    },
  );
  for (const { filename, contentType, content, related } of summary.attachments) {
    if (related || !content) continue;
    const named = { name: filename.slice(0, 255), type: contentType.slice(0, 255) };
    added.push(fileOf(await app.blobs.put(content), content, named));
  }
  const addresses = (list: typeof summary.to) => list.map(({ address }) => address);
  const content = {
    toList: addresses(summary.to),
    ccList: addresses(summary.cc),
    bccList: line.bcc ?? [],
    subject: summary.subject.slice(0, 998),
    body,
    preview: summary.preview.slice(0, 255),
    fromAddress: summary.from?.address ?? owner.email,
  };
  const { inReplyTo, references } = summary;
  const origin = {
    originalEntryId: null,
    isReply: inReplyTo !== null,
    inReplyTo: inReplyTo?.slice(0, 998) ?? null,
    referenceIds: references,
  };
  const save = restored(owner, { content, origin, added });
  return async (tx) => void (await saveDraft(tx, save));
}

function fileOf(blob: StoredBlob, content: Buffer, { name, type }: { name: string; type: string }): DraftFile {
  return { blobKey: blob.key, size: blob.size, content, filename: name, contentType: type };
}

/**
 * Reads a draft with its files. Its text is cleaned as that of an editor is. A text that takes too
 * much becomes a file.
 */
export async function readDraft(
  { app }: Ctx,
  reader: ArchiveReader,
  { member, files, owner, say }: FileToRead,
): Promise<Written> {
  const draft = await reader.json(member, draftFile);
  const added: DraftFile[] = [];
  for (const { file, ...named } of draft.files) {
    const content = await reader.content(findFile(files, file, member.name));
    added.push(fileOf(await app.blobs.put(content), content, named));
  }
  const { html, text } = await unlessTooComplex(
    () => app.content.keepWriting(draft.body, new Map(), 'restore'),
    async (reason) => {
      say(`the text of ${member.name} takes too much to read (${reason}); the person has it as a file`);
      const content = Buffer.from(draft.body);
      added.push(fileOf(await app.blobs.put(content), content, { name: 'text.html', type: 'text/html' }));
      return { html: '', text: '' };
    },
  );
  const content = {
    toList: draft.to,
    ccList: draft.cc,
    bccList: draft.bcc,
    subject: draft.subject,
    body: html,
    preview: previewOf({ text, html: null }),
    fromAddress: draft.from,
  };
  const origin = {
    originalEntryId: null,
    isReply: draft.is_reply,
    inReplyTo: draft.in_reply_to,
    referenceIds: draft.references,
  };
  const save = restored(owner, { content, origin, added });
  return async (tx) => {
    const { id } = await saveDraft(tx, save);
    if (draft.starred) await Draft.update({ starStatus: true }, { where: { id }, transaction: tx.tx });
  };
}

/** The save that restores a draft, with all its files, whatever the limits of the host are now. */
function restored({ companyId, userId }: Owner, draft: Pick<DraftSave, 'content' | 'origin' | 'added'>): DraftSave {
  return { companyId, userId, known: null, ...draft, without: new Set(), isRestored: true };
}
