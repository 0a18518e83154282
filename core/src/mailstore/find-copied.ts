import { parseJsonColumn } from '../database/parse-json-column.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import type { RecipientCounts } from './read-listed.ts';

/*
 * The same code reads a message of a copy (D54) and one of a mailbox: the message of the copy looks
 * like an entry of the viewer, with the flags that it had when it was copied. Its id begins with a
 * letter, which the id of an entry never does.
 */

const mark = 'c';

/** The name of a message of a copy, for use in place of the id of an entry. */
export function copiedRef(id: string): string {
  return `${mark}${id}`;
}

/** The id of a message of a copy; null when the name is the id of an entry. */
export function idOfCopied(entryId: string): string | null {
  return entryId.startsWith(mark) ? entryId.slice(mark.length) : null;
}

/**
 * A condition on `k`: the copies that a person may read now. Its placeholder is the person's id. It
 * checks the company each time, so a person who has moved to another company can't read copies of
 * the old one.
 */
export const readableCopy = `k.deleted_at IS NULL AND k.viewer_id = ?
  AND EXISTS (SELECT 1 FROM users v JOIN companies w ON w.id = v.company_id
               WHERE v.id = k.viewer_id AND (w.id = k.company_id OR w.is_provider))`;

interface CopiedRow {
  id: string;
  copyId: string;
  companyId: string;
  ownerEmail: string;
  messageId: string;
  isSent: number;
  readStatus: number;
  junkStatus: number;
  bccList: string[] | string | null;
  arrivedAt: Date;
}

const columns = `c.id, c.copy_id AS copyId, k.company_id AS companyId, k.owner_email AS ownerEmail,
  c.message_id AS messageId, c.is_sent AS isSent, c.read_status AS readStatus, c.junk_status AS junkStatus,
  c.bcc_list AS bccList, c.arrived_at AS arrivedAt`;

/** A message of a copy and the copy that it is in. */
export interface CopiedMessage {
  entry: MailboxEntry;
  message: Message;
  snoozedUntil: null;
  labelIds: string[];
  recipientCounts: RecipientCounts;
  copyId: string;
  /** Address of the person whose mailbox was copied. */
  ownerEmail: string;
}

/** Messages of copies that a person may read, in the order of the ids. */
export async function readCopied(ctx: Ctx, viewerId: string, ids: readonly string[]): Promise<CopiedMessage[]> {
  if (ids.length === 0) return [];
  const rows = await readRows<CopiedRow>(
    ctx,
    `SELECT ${columns} FROM copied_entries c JOIN mail_copies k ON k.id = c.copy_id
      WHERE c.id IN (?) AND ${readableCopy}`,
    [ids, viewerId],
  );
  const messages = await Message.findAll({
    where: { id: [...new Set(rows.map(({ messageId }) => String(messageId)))] },
    transaction: ctx.tx,
  });
  const rowById = new Map(rows.map((row) => [String(row.id), row]));
  const messageById = new Map(messages.map((message) => [String(message.id), message]));
  return ids.flatMap((id) => {
    const row = rowById.get(id);
    const message = row && messageById.get(String(row.messageId));
    if (!row || !message) return [];
    const { copyId, ownerEmail } = row;
    const entry = asEntry(row, viewerId, message);
    const recipientCounts = {
      to: message.toList.length,
      cc: message.ccList.length,
      bcc: entry.bccList?.length ?? 0,
    };
    return [{ entry, message, snoozedUntil: null, labelIds: [], recipientCounts, copyId: String(copyId), ownerEmail }];
  });
}

/** A message of a copy as an entry of its viewer. It is never saved. */
function asEntry(row: CopiedRow, viewerId: string, { threadKey }: Message): MailboxEntry {
  const isSent = Boolean(Number(row.isSent));
  const { bccList } = row;
  return MailboxEntry.build({
    id: copiedRef(String(row.id)),
    companyId: String(row.companyId),
    userId: viewerId,
    messageId: String(row.messageId),
    folder: isSent ? 'sent' : 'inbox',
    folderId: null,
    uid: null,
    placement: null,
    deliveryState: null,
    undoUntil: null,
    readStatus: Boolean(Number(row.readStatus)),
    junkStatus: Boolean(Number(row.junkStatus)),
    sendStatus: isSent,
    receivedStatus: !isSent,
    bccList: parseJsonColumn<string[] | null>(bccList),
    threadKey,
    arrivedAt: row.arrivedAt,
  });
}
