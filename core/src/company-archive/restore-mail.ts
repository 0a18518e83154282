import type { Ctx, TxCtx } from '../context/context.ts';
import { folderNameKey } from '../contracts/own-folders.ts';
import { newMailId } from '../mail/mail-id.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
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

/** The files before a JSON file, which it may name. */
export type Waiting = ReadonlyMap<string, Member>;

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
  { index, files, owner }: { index: Member; files: Waiting; owner: Owner },
): Promise<Written> {
  const lines = linesOf(await reader.content(index)).map((line) => parseAs(index.name, line, indexLine));
  const read: (Read & { line: IndexLine })[] = [];
  const drafts: Written[] = [];
  for (const line of lines) {
    const content = await reader.content(findFile(files, line.file, index.name));
    if (line.trace_bytes > content.length) throw new OperatorError(sayShort(line.file));
    const raw = content.subarray(line.trace_bytes);
    // A restore sends no scheduled message
    if (line.folder === 'scheduled') drafts.push(await draftOfMessage(ctx, owner, { raw, line }));
    else read.push({ ...(await messageOf(ctx, raw, { line, content })), line });
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
  { app }: Ctx,
  raw: Buffer,
  { line, content }: { line: IndexLine; content: Buffer },
): Promise<Read> {
  const parsed = await readable(line.file, () => app.content.summarise(raw, 'restore'));
  const blob = await app.blobs.put(raw);
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
  };
}

/** Makes the error of a message that is too complex name the file. */
async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MessageTooComplex)) throw error;
    throw new OperatorError(`${file} is a message that takes too much to read (${error.reason})`, { cause: error });
  }
}

/** A scheduled message becomes a draft, as it does when its sender takes it back. */
async function draftOfMessage(
  { app }: Ctx,
  owner: Owner,
  { raw, line }: { raw: Buffer; line: IndexLine },
): Promise<Written> {
  const blob = await app.blobs.put(raw);
  const { summary, body } = await readable(line.file, () => app.content.readDraft(blob, 'restore'));
  const added: DraftFile[] = [];
  for (const { filename, contentType, content, related } of summary.attachments) {
    if (related || !content) continue;
    const { key: blobKey, size } = await app.blobs.put(content);
    added.push({ blobKey, filename: filename.slice(0, 255), contentType: contentType.slice(0, 255), size, content });
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
  const descent = {
    originalEntryId: null,
    isReply: inReplyTo !== null,
    inReplyTo: inReplyTo?.slice(0, 998) ?? null,
    referenceIds: references,
  };
  const save = restored(owner, { content, descent, added });
  return async (tx) => void (await saveDraft(tx, save));
}

/** Reads a draft with its files. Its text is cleaned as that of an editor is. */
export async function readDraft(
  { app }: Ctx,
  reader: ArchiveReader,
  { member, files, owner }: { member: Member; files: Waiting; owner: Owner },
): Promise<Written> {
  const draft = await reader.json(member, draftFile);
  const added: DraftFile[] = [];
  for (const { file, name, type } of draft.files) {
    const content = await reader.content(findFile(files, file, member.name));
    const { key: blobKey, size } = await app.blobs.put(content);
    added.push({ blobKey, filename: name, contentType: type, size, content });
  }
  const { html, text } = await readable(member.name, () => app.content.keepWriting(draft.body, new Map(), 'restore'));
  const content = {
    toList: draft.to,
    ccList: draft.cc,
    bccList: draft.bcc,
    subject: draft.subject,
    body: html,
    preview: previewOf({ text, html: null }),
    fromAddress: draft.from,
  };
  const descent = {
    originalEntryId: null,
    isReply: draft.is_reply,
    inReplyTo: draft.in_reply_to,
    referenceIds: draft.references,
  };
  const save = restored(owner, { content, descent, added });
  return async (tx) => {
    const { id } = await saveDraft(tx, save);
    if (draft.starred) await Draft.update({ starStatus: true }, { where: { id }, transaction: tx.tx });
  };
}

/** The save that restores a draft, with all its files, whatever the limits of the host are now. */
function restored({ companyId, userId }: Owner, draft: Pick<DraftSave, 'content' | 'descent' | 'added'>): DraftSave {
  return { companyId, userId, known: null, ...draft, without: new Set(), isRestored: true };
}
