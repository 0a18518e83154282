import { Op } from 'sequelize';
import { type Ctx, turnOf } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { AppError, isContentLost, isDiskDamaged } from '../errors.ts';
import { log } from '../log.ts';
import { type Ancestry, ancestryOfDraft } from '../mailstore/ancestry.ts';
import { readSource } from '../mailstore/message-source.ts';
import { readOwnFolders } from '../mailstore/own-folders.ts';
import { readBlob } from '../mailstore/read-blob.ts';
import { readReminders, readSnoozes } from '../mailstore/snoozes-and-reminders.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import type { ArchiveFile } from './archive-file.ts';
import type { Cursor } from './cursor.ts';
import { type ArchivedFolder, archivedFolders, type DraftFileJson, type IndexLine } from './layout.ts';
import { placeIn, placesOfOwn } from './maildir-folders.ts';
import { withQuotedPictures } from './quoted-pictures.ts';

/** What one step writes at most, so that another run has little to repeat after a crash. */
const stepEntries = 200;
const stepBytes = 33_554_432;
const stepDrafts = 20;

/** How often bytes are read that the disk fails to give, before they count as lost. */
const tries = 3;
/** With more such messages in a step than others, and than this, the disk is not there at all. */
const mostUnreadable = 10;

type Current = NonNullable<Cursor['current']>;

/** What a step wrote. */
interface Step {
  /** The last row that was written; null when there was none left. */
  last: string | null;
  written: number;
  lost: number;
  files: number;
}

/** Writes the next drafts of a person, each after its files. */
export async function archiveDrafts(ctx: Ctx, file: ArchiveFile, { id, folder, last }: Current): Promise<Step> {
  const drafts = await Draft.findAll({
    where: { userId: id, id: { [Op.gt]: last } },
    order: [['id', 'ASC']],
    limit: stepDrafts,
  });
  const step: Step = { last: null, written: 0, lost: 0, files: 0 };
  const begin = file.bytes;
  for (const draft of drafts) {
    if (file.bytes - begin > stepBytes) break;
    const place = `people/${folder}/drafts/${draft.id}`;
    const files: DraftFileJson['files'] = [];
    const attachments = await DraftAttachment.findAll({ where: { draftId: draft.id }, order: [['id', 'ASC']] });
    for (const [index, { blobKey, filename, contentType, size }] of attachments.entries()) {
      const member = `${place}/${index + 1}`;
      const read = () => readBlob(ctx.app.blobs, blobKey);
      const outcome = await addUnlessLost(ctx, file, { name: member, bytes: Number(size), read });
      if (outcome === 'written') files.push({ file: member, name: filename, type: contentType });
      else step.lost += 1;
    }
    const json = draftJson(draft, files, await ancestryIfThere(ctx, draft));
    await file.addJson(`${place}.json`, { ...json, body: await withQuotedPictures(ctx, draft) });
    step.last = String(draft.id);
    step.written += 1;
    step.files += files.length + 1;
  }
  return step;
}

/**
 * What a draft answers. Of a draft that was sent and taken back, only the bytes of its message say
 * that.
 */
async function ancestryIfThere(ctx: Ctx, draft: Draft): Promise<Ancestry> {
  try {
    return await ancestryOfDraft(ctx, draft);
  } catch (error) {
    // It may have been sent or deleted meanwhile, with its message
    const isGone = error instanceof AppError && error.status === 404;
    if (isGone || isDiskDamaged(error)) return { inReplyTo: null, references: [] };
    throw error;
  }
}

function draftJson(draft: Draft, files: DraftFileJson['files'], { inReplyTo, references }: Ancestry): DraftFileJson {
  return {
    to: draft.toList,
    cc: draft.ccList,
    bcc: draft.bccList,
    subject: draft.subject,
    body: draft.body,
    from: draft.fromAddress,
    starred: draft.starStatus,
    is_reply: draft.isReply,
    in_reply_to: inReplyTo,
    references,
    files,
  };
}

type ArchivedEntry = MailboxEntry & { folder: ArchivedFolder };

function isArchived(entry: MailboxEntry): entry is ArchivedEntry {
  return (archivedFolders as readonly string[]).includes(entry.folder);
}

/** Writes the next messages of a person into their Maildir, and after them the index of these. */
export async function archiveMessages(ctx: Ctx, file: ArchiveFile, current: Current): Promise<Step> {
  const { id, folder, last, indexes } = current;
  const entries = await MailboxEntry.findAll({
    where: { userId: id, id: { [Op.gt]: last } },
    order: [['id', 'ASC']],
    limit: stepEntries,
  });
  const kept = entries.filter(isArchived);
  const messages = await Message.findAll({ where: { id: kept.map(({ messageId }) => messageId) } });
  const messageOf = new Map(messages.map((message) => [String(message.id), message]));
  const labels = await labelsOf(ctx, kept);
  const snoozes = await readSnoozes(ctx, kept);
  const reminders = await readReminders(ctx, kept);
  const mail = `people/${folder}/mail`;
  const own = await readOwnFolders(ctx, id);
  const ownFolders = new Map(own.map((one) => [one.id, one.name]));
  const places = placesOfOwn(own, mail);
  const step: Step = { last: null, written: 0, lost: 0, files: 0 };
  const lines: IndexLine[] = [];
  const begin = file.bytes;
  let unreadable = 0;
  for (const entry of entries) {
    if (file.bytes - begin > stepBytes) break;
    step.last = String(entry.id);
    // An entry that is deleted for good may be of a message that the person has elsewhere
    if (!isArchived(entry)) continue;
    const message = messageOf.get(String(entry.messageId));
    if (message === undefined) continue;
    const name = `${mail}/${placeIn(entry.folder, entry.ownFolderId, places)}/${fileName(entry)}`;
    const read = () => readSource(ctx.app, message);
    // Mail servers take the time of a file in a Maildir for that at which the message came
    const when = entry.firstArrivedAt ?? entry.arrivedAt;
    const outcome = await addUnlessLost(ctx, file, { name, bytes: Number(message.size) * 2, read, when });
    if (outcome === 'unreadable') unreadable += 1;
    if (outcome !== 'written') {
      // The host removes bytes with the last entry that needs them, and this one may be deleted
      // meanwhile
      if ((await MailboxEntry.count({ where: { id: entry.id, deleteStatus: false } })) > 0) step.lost += 1;
      continue;
    }
    lines.push(
      lineOf(name, entry, {
        message,
        labels: labels.get(String(entry.id)) ?? [],
        ownFolder: ownFolders.get(String(entry.ownFolderId)) ?? null,
        until: snoozes.get(String(entry.id)),
        remindAt: reminders.get(String(entry.id)),
      }),
    );
  }
  if (unreadable > mostUnreadable && unreadable > lines.length) {
    throw new Error(`the disk can not read ${unreadable} of ${unreadable + lines.length} messages`);
  }
  if (lines.length > 0) {
    const index = `people/${folder}/index/${String(indexes + 1).padStart(6, '0')}.jsonl`;
    await file.add(index, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    step.files = lines.length + 1;
  }
  step.written = lines.length;
  return step;
}

/**
 * Reads a member once the budget of the process has room for its bytes, and writes it, unless they
 * are lost or the disk can't read them.
 */
async function addUnlessLost(
  ctx: Ctx,
  file: ArchiveFile,
  { name, bytes, read, when }: { name: string; bytes: number; read: () => Promise<Buffer>; when?: Date },
): Promise<'written' | 'lost' | 'unreadable'> {
  return await ctx.app.memory.run(turnOf(ctx), bytes, async () => {
    const content = await unlessLost(name, read);
    if (!Buffer.isBuffer(content)) return content;
    await file.add(name, content, when);
    return 'written';
  });
}

async function unlessLost(name: string, read: () => Promise<Buffer>): Promise<Buffer | 'lost' | 'unreadable'> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (isContentLost(error)) return 'lost';
      if (!isDiskDamaged(error)) throw error;
      if (attempt < tries) continue;
      log.error('the disk can not read bytes that an archive should have', { name, error });
      return 'unreadable';
    }
  }
}

async function labelsOf(ctx: Ctx, entries: readonly MailboxEntry[]): Promise<Map<string, string[]>> {
  if (entries.length === 0) return new Map();
  const rows = await readRows<{ entryId: string; name: string }>(
    ctx,
    `SELECT el.entry_id AS entryId, l.name FROM entry_labels el JOIN labels l ON l.id = el.label_id
      WHERE el.entry_id IN (?) AND l.removed_at IS NULL ORDER BY l.id`,
    [entries.map(({ id }) => String(id))],
  );
  const grouped = Map.groupBy(rows, ({ entryId }) => String(entryId));
  return new Map([...grouped].map(([entryId, own]) => [entryId, own.map(({ name }) => name)]));
}

/** The name in a Maildir, with the flags that other programs know. */
function fileName(entry: MailboxEntry): string {
  const flags = [
    entry.scheduledStatus ? 'D' : '',
    entry.starStatus ? 'F' : '',
    entry.forwardedStatus ? 'P' : '',
    entry.answeredStatus ? 'R' : '',
    entry.readStatus ? 'S' : '',
  ].join('');
  return `${Math.floor(entry.arrivedAt.getTime() / 1000)}.M${entry.id}.selvage:2,${flags}`;
}

interface Around {
  message: Message;
  labels: string[];
  ownFolder: string | null;
  until: Date | undefined;
  remindAt: Date | undefined;
}

function lineOf(
  file: string,
  entry: ArchivedEntry,
  { message, labels, ownFolder, until, remindAt }: Around,
): IndexLine {
  return {
    file,
    folder: entry.folder,
    is_sent: entry.sendStatus || entry.scheduledStatus,
    read: entry.readStatus,
    starred: entry.starStatus,
    archived: entry.archiveStatus,
    trashed: entry.trashStatus,
    junk: entry.junkStatus,
    answered: entry.answeredStatus,
    forwarded: entry.forwardedStatus,
    labels,
    own_folder: ownFolder,
    keywords: entry.keywords ?? [],
    arrived_at: entry.arrivedAt.toISOString(),
    first_arrived_at: entry.firstArrivedAt?.toISOString() ?? null,
    snoozed_until: until?.toISOString() ?? null,
    remind_at: remindAt?.toISOString() ?? null,
    bcc: entry.bccList,
    placement: entry.placement,
    mail_id: message.mailId,
    envelope_from: message.envelopeFrom,
    trace_bytes: Buffer.byteLength(message.traceHeaders),
    authentication: message.authentication as IndexLine['authentication'],
  };
}
