import { createHash } from 'node:crypto';
import type { Ctx } from '@selvage/core/context/context';
import type { FolderFilter } from '@selvage/core/contracts/mail';
import { wordsFromHtml } from '@selvage/core/mail/text-from-html';
import { blobOf, findAttachment } from '@selvage/core/mailstore/find-entry';
import { listFolder } from '@selvage/core/mailstore/list-folder';
import { readSource } from '@selvage/core/mailstore/message-source';
import { readEntry } from '@selvage/core/mailstore/read-entry';
import { readTotals } from '@selvage/core/mailstore/totals';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import type { MailboxEntry } from '@selvage/core/models/mailbox-entry';

const filters = {
  inbox: 'received_status',
  starred: 'star_status',
  sent: 'send_status',
  archive: 'archive_status',
  trash: 'trash_status',
} as const satisfies Record<string, FolderFilter>;

const flags = [
  'readStatus',
  'starStatus',
  'archiveStatus',
  'trashStatus',
  'deleteStatus',
  'sendStatus',
  'receivedStatus',
] as const satisfies (keyof MailboxEntry)[];

interface KeptFile {
  name: string;
  type: string;
  size: number;
  /** Hash of the decoded bytes. */
  hash: string;
}

interface KeptMessage {
  subject: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  /** Those that are on. */
  flags: string[];
  arrivedAt: Date;
  messageId: string | null;
  authentication: unknown;
  /** Hash of the whole bytes as their reader gets them. */
  source: string;
  /** The words that are shown. */
  text: string;
  files: KeptFile[];
  /** Subjects of the rest of the conversation. */
  conversation: string[];
  deliveryState: string | null;
  deliveries: string[];
}

interface KeptDraft {
  subject: string;
  to: string[];
  cc: string[];
  bcc: string[];
  body: string;
  files: KeptFile[];
}

/** A mailbox as its owner sees it. */
export interface KeptMailbox {
  totals: Record<string, { total: number; unread: number }>;
  /** Messages by folder, newest first. */
  folders: Record<string, KeptMessage[]>;
  drafts: KeptDraft[];
}

/** Reads every folder of a person, and every message in it. */
export async function readMailbox(ctx: Ctx, userId: string): Promise<KeptMailbox> {
  const kept = await readTotals(ctx, userId);
  const folders: KeptMailbox['folders'] = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { rows } = await listFolder(ctx, { userId, filter, page: 1, limit: 100 });
    folders[name] = [];
    for (const { entry } of rows) folders[name].push(await readMessage(ctx, userId, String(entry.id)));
  }
  const { inbox, starred, sent, archive, trash, draft } = kept;
  return { totals: { inbox, starred, sent, archive, trash, draft }, folders, drafts: await readDrafts(ctx, userId) };
}

async function readMessage(ctx: Ctx, userId: string, entryId: string): Promise<KeptMessage> {
  const { entry, message, attachments, conversation, deliveries } = await readEntry(ctx, { userId, entryId });
  const files: KeptFile[] = [];
  for (const { partIndex, filename, contentType, size } of attachments) {
    const found = await findAttachment(ctx, { userId, entryId, index: partIndex });
    files.push({ name: filename, type: contentType, size, hash: hashOf(found?.content ?? 'missing') });
  }
  const { html } = await ctx.app.content.show(blobOf(message), `user:${userId}`);
  return {
    subject: message.subject,
    from: `${message.fromName} <${message.fromAddress}>`,
    to: message.toList,
    cc: message.ccList,
    bcc: entry.bccList ?? [],
    flags: flags.filter((name) => entry[name]),
    arrivedAt: entry.arrivedAt,
    messageId: message.messageIdHeader,
    authentication: message.authentication,
    source: hashOf(await readSource(ctx.app, message)),
    text: wordsOf(html),
    files,
    conversation: conversation.map((other) => other.message.subject),
    deliveryState: entry.deliveryState,
    deliveries: deliveries.map((one) =>
      [one.recipient, one.state, one.reason, one.attempts, one.lastReply, one.nextAttemptAt?.toISOString()].join(' | '),
    ),
  };
}

async function readDrafts({ app }: Ctx, userId: string): Promise<KeptDraft[]> {
  const drafts = await Draft.findAll({ where: { userId }, order: [['id', 'ASC']] });
  const read = drafts.map(async ({ id, subject, toList, ccList, bccList, body }) => {
    const files: KeptFile[] = [];
    for (const file of await DraftAttachment.findAll({ where: { draftId: id }, order: [['id', 'ASC']] })) {
      const content = Buffer.concat(await app.blobs.get(file.blobKey).toArray());
      files.push({ name: file.filename, type: file.contentType, size: file.size, hash: hashOf(content) });
    }
    return { subject, to: toList, cc: ccList, bcc: bccList, body: wordsOf(body), files };
  });
  return await Promise.all(read);
}

/** The shown words alone: a later version may write the same text with other tags. */
function wordsOf(html: string): string {
  return wordsFromHtml(html).replace(/\s+/g, ' ').trim();
}

/** SHA-256, hexadecimal. */
export function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
