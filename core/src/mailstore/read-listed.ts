import { parseJsonColumn } from '../database/parse-json-column.ts';
import type { Ctx } from '../context/context.ts';
import { mostInRow } from '../contracts/email.ts';
import { readRows } from '../database/run-sql.ts';
import type { EntryFolder, MailboxEntry, Placement } from '../models/mailbox-entry.ts';
import type { Message } from '../models/message.ts';

/** How many recipients a message has. */
export interface RecipientCounts {
  to: number;
  cc: number;
  bcc: number;
}

/**
 * An entry with what lists show of it and of its message. Its lists of recipients may have only the
 * first `mostInRow` in each.
 */
export interface ListedEntry {
  entry: Pick<
    MailboxEntry,
    | 'id'
    | 'userId'
    | 'folder'
    | 'folderId'
    | 'threadKey'
    | 'readStatus'
    | 'starStatus'
    | 'archiveStatus'
    | 'trashStatus'
    | 'deleteStatus'
    | 'junkStatus'
    | 'sendStatus'
    | 'receivedStatus'
    | 'draftStatus'
    | 'scheduledStatus'
    | 'snoozedStatus'
    | 'ownFolderId'
    | 'placement'
    | 'bccList'
    | 'deliveryState'
    | 'undoUntil'
    | 'arrivedAt'
    | 'firstArrivedAt'
  >;
  message: Pick<
    Message,
    | 'id'
    | 'blobKey'
    | 'size'
    | 'fromName'
    | 'fromAddress'
    | 'subject'
    | 'preview'
    | 'toList'
    | 'ccList'
    | 'attachmentCount'
    | 'isForwarded'
  >;
  /** When the message comes back into the inbox; null unless it is snoozed. */
  snoozedUntil: Date | null;
  labelIds: string[];
  recipientCounts: RecipientCounts;
}

/** A row as the driver gives it: a flag is 0 or 1, and JSON is text. */
interface Row {
  id: string;
  userId: string;
  messageId: string;
  folder: EntryFolder;
  folderId: string | null;
  threadKey: string;
  readStatus: number;
  starStatus: number;
  archiveStatus: number;
  trashStatus: number;
  deleteStatus: number;
  junkStatus: number;
  sendStatus: number;
  receivedStatus: number;
  draftStatus: number;
  scheduledStatus: number;
  snoozedStatus: number;
  ownFolderId: string | null;
  placement: string | null;
  bccList: string | null;
  deliveryState: string | null;
  undoUntil: Date | null;
  arrivedAt: Date;
  firstArrivedAt: Date | null;
  blobKey: string;
  size: number;
  fromName: string;
  fromAddress: string;
  subject: string;
  preview: string;
  toList: string;
  ccList: string;
  attachmentCount: number;
  isForwarded: number;
  snoozedUntil: Date | null;
  labelIds: string | null;
  toCount: number | null;
  ccCount: number | null;
  bccCount: number | null;
}

const firstPaths = Array.from({ length: mostInRow }, (_, index) => `'$[${index}]'`).join(', ');
const longList = 4096;

/** A list of recipients in SQL; of a long one, the first `mostInRow`. */
export const firstPeople = (column: string): string =>
  `IF(CHAR_LENGTH(${column}) > ${longList}, JSON_EXTRACT(${column}, ${firstPaths}), ${column})`;

/** A list of recipients in SQL, and its full length if only the first of them are read. */
const peopleColumns = (column: string, name: string): string =>
  `${firstPeople(column)} AS ${name}List,
  IF(CHAR_LENGTH(${column}) > ${longList}, JSON_LENGTH(${column}), NULL) AS ${name}Count`;

const columns = `
  e.id, e.user_id AS userId, e.message_id AS messageId, e.folder, e.folder_id AS folderId, e.thread_key AS threadKey,
  e.read_status AS readStatus, e.star_status AS starStatus, e.archive_status AS archiveStatus,
  e.trash_status AS trashStatus, e.delete_status AS deleteStatus, e.junk_status AS junkStatus,
  e.send_status AS sendStatus, e.received_status AS receivedStatus, e.draft_status AS draftStatus,
  e.scheduled_status AS scheduledStatus, e.snoozed_status AS snoozedStatus, e.own_folder_id AS ownFolderId,
  e.placement, ${peopleColumns('e.bcc_list', 'bcc')}, e.delivery_state AS deliveryState, e.undo_until AS undoUntil,
  e.arrived_at AS arrivedAt, e.first_arrived_at AS firstArrivedAt,
  m.blob_key AS blobKey, m.size, m.from_name AS fromName, m.from_address AS fromAddress, m.subject, m.preview,
  ${peopleColumns('m.to_list', 'to')}, ${peopleColumns('m.cc_list', 'cc')}, m.attachment_count AS attachmentCount, m.is_forwarded AS isForwarded`;

/** The labels of an entry in the order of their names, joined by commas; null without one. */
const labelIds = `(SELECT GROUP_CONCAT(l.id ORDER BY l.name_key) FROM entry_labels el
    JOIN labels l ON l.id = el.label_id AND l.removed_at IS NULL WHERE el.entry_id = e.id)`;

/**
 * Entries as lists show them, in the order of the ids. Entries that no longer exist are left out.
 */
export async function readListed(ctx: Ctx, ids: readonly string[]): Promise<ListedEntry[]> {
  if (ids.length === 0) return [];
  const rows = await readRows<Row>(
    ctx,
    `SELECT ${columns}, s.until_at AS snoozedUntil, ${labelIds} AS labelIds
       FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
       LEFT JOIN snoozes s ON s.entry_id = e.id AND e.snoozed_status = 1
      WHERE e.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [listed(row)];
  });
}

function listed(row: Row): ListedEntry {
  const [entry, message] = [entryOf(row), messageOf(row)];
  return {
    entry,
    message,
    recipientCounts: {
      to: row.toCount ?? message.toList.length,
      cc: row.ccCount ?? message.ccList.length,
      bcc: row.bccCount ?? entry.bccList?.length ?? 0,
    },
    snoozedUntil: row.snoozedUntil,
    labelIds: row.labelIds === null ? [] : row.labelIds.split(','),
  };
}

function entryOf(row: Row): ListedEntry['entry'] {
  const { id, userId, folder, folderId, threadKey, ownFolderId, deliveryState, undoUntil, arrivedAt } = row;
  return {
    id,
    userId,
    folder,
    folderId,
    threadKey,
    ownFolderId,
    deliveryState,
    undoUntil,
    arrivedAt,
    firstArrivedAt: row.firstArrivedAt,
    readStatus: row.readStatus === 1,
    starStatus: row.starStatus === 1,
    archiveStatus: row.archiveStatus === 1,
    trashStatus: row.trashStatus === 1,
    deleteStatus: row.deleteStatus === 1,
    junkStatus: row.junkStatus === 1,
    sendStatus: row.sendStatus === 1,
    receivedStatus: row.receivedStatus === 1,
    draftStatus: row.draftStatus === 1,
    scheduledStatus: row.scheduledStatus === 1,
    snoozedStatus: row.snoozedStatus === 1,
    placement: parseJsonColumn<Placement | null>(row.placement),
    bccList: parseJsonColumn<string[] | null>(row.bccList),
  };
}

function messageOf(row: Row): ListedEntry['message'] {
  const { messageId, blobKey, size, fromName, fromAddress, subject, preview, attachmentCount } = row;
  return {
    id: messageId,
    blobKey,
    size,
    fromName,
    fromAddress,
    subject,
    preview,
    attachmentCount,
    toList: parseJsonColumn<string[]>(row.toList),
    ccList: parseJsonColumn<string[]>(row.ccList),
    isForwarded: row.isForwarded === 1,
  };
}
