import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { domainOf } from '@selvage/core/mail/address-rules';
import { displayName } from '@selvage/core/mail/addresses';
import { writeMailbox } from '@selvage/core/mail/mailbox-text';
import type { InvitationDto } from '@selvage/core/contracts/invitations';
import type { AttachmentDto, DeliveryDto, EmailDto, EmailRowDto, WarningDto } from '@selvage/core/contracts/email';
import type { SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import type { ListedEntry } from '@selvage/core/mailstore/read-listed';
import type { ThreadRow } from '@selvage/core/mailstore/list-threads';
import type { EntryWithFiles, MessageFile, ReadEntry } from '@selvage/core/mailstore/read-entry';
import type { Delivery } from '@selvage/core/models/delivery';
import { endedAttempts } from '@selvage/core/outbound/deliveries';
import type { SentDelivery } from '@selvage/core/outbound/sent-deliveries';
import type { Ctx } from '@selvage/core/context/context';
import { attachmentPath, filesPath, framePath, imagesPath, type ShownBody, sourcePath } from './body-html.ts';
import { provenSender } from './image-senders.ts';
import { cutForRow, presentRowTexts } from './row-texts.ts';
import { findWayOut } from './unsubscribe.ts';

type Listed = Omit<ListedEntry, 'recipientCounts'>;

/** Where a message is in its reader's mailbox, and how it is marked there. */
function presentEntry({ entry, snoozedUntil, labelIds }: Omit<Listed, 'message'>) {
  return {
    _id: String(entry.id),
    createdAt: (entry.firstArrivedAt ?? entry.arrivedAt).toISOString(),
    read_status: entry.readStatus,
    star_status: entry.starStatus,
    archive_status: entry.archiveStatus,
    trash_status: entry.trashStatus,
    delete_status: entry.deleteStatus,
    junk_status: entry.junkStatus,
    snoozed_status: entry.snoozedStatus,
    snoozed_until: snoozedUntil?.toISOString() ?? null,
    returned_at: entry.firstArrivedAt ? entry.arrivedAt.toISOString() : null,
    send_status: entry.sendStatus,
    received_status: entry.receivedStatus,
    placement: entry.placement ?? null,
    labels: labelIds,
    own_folder: entry.ownFolderId ? String(entry.ownFolderId) : null,
  };
}

function presentCore(item: Listed) {
  const { entry, message } = item;
  const from = { name: message.fromName, address: message.fromAddress };
  return {
    ...presentEntry(item),
    subject: message.subject,
    sender_name: message.fromName || message.fromAddress,
    sender_email: message.fromAddress,
    from: displayName(from),
    recipient_emails_to: message.toList,
    recipient_emails_cc: message.ccList,
    recipient_emails_bcc: showsBcc(entry) ? (entry.bccList ?? []) : [],
    isForwarded: message.isForwarded,
  };
}

/** Only the sender's own entry shows Bcc (D17). */
function showsBcc({ sendStatus, scheduledStatus, draftStatus }: ListedEntry['entry']): boolean {
  return sendStatus || scheduledStatus || draftStatus;
}

/** A row of a folder page. */
export function presentRow(item: ListedEntry): EmailRowDto {
  const row = presentCore(item);
  const { to, cc, bcc } = item.recipientCounts;
  return {
    ...row,
    ...presentRowTexts(row),
    sender_name: cutForRow(row.sender_name, 'sender'),
    from: cutForRow(row.from, 'sender'),
    recipients_count: to + cc + (showsBcc(item.entry) ? bcc : 0),
    body: cutForRow(item.message.preview, 'preview'),
    attachment_count: item.message.attachmentCount,
    delivery_state: (item.entry.sendStatus ? item.entry.deliveryState : null) as EmailRowDto['delivery_state'],
  };
}

/**
 * The state of a sent message. Rows of the state `refused` are about incoming mail, so a sent
 * message never has that state.
 */
export function presentSentDelivery({ entryId, state, keptBack, ...counts }: SentDelivery): SentDeliveryDto {
  return { _id: entryId, state: state as SentDeliveryDto['state'], ...counts, kept_back: keptBack };
}

/** A row of a grouped folder page. */
export function presentThread({ thread, ...item }: ThreadRow): EmailRowDto {
  const { total, unread, starred, people } = thread;
  return {
    ...presentRow(item),
    read_status: unread <= 0,
    star_status: starred > 0,
    thread: {
      count: total,
      unread: Math.max(0, unread),
      people: people.map(({ name, isOwner }) => ({ name: cutForRow(name, 'sender'), is_me: isOwner })),
    },
  };
}

type Trusted = ReadonlySet<string>;

interface Judged {
  /** The senders whose pictures the reader always sees. */
  trusted: Trusted;
  /** The messages that failed DMARC, by entry. */
  failed: ReadonlySet<string>;
  /** The gravest warning about the sender of each other message of the conversation, by entry. */
  doubts: ReadonlyMap<string, WarningDto>;
  warnings: WarningDto[];
  invitation: InvitationDto | null;
}

type Known = Pick<Judged, 'trusted' | 'failed'> & { shown: ShownBody };

function presentBody(ctx: Ctx, item: EntryWithFiles, { shown, trusted, failed }: Known) {
  const sender = provenSender(item.message);
  return {
    ...presentCore(item),
    body: shown.html,
    sheet: shown.sheet,
    frame_path: framePath(ctx, item.entry),
    images_path: imagesPath(ctx, item.entry),
    always_shows_images: sender !== null && trusted.has(sender) && !item.entry.junkStatus,
    may_always_show_images: sender !== null,
    source_path: sourcePath(ctx, item.entry),
    hasRemoteContent: shown.hasRemoteContent,
    look: shown.look,
    has_failed_check: failed.has(String(item.entry.id)),
    attachment_count: item.message.attachmentCount,
    attachments: item.attachments.map((file) => presentAttachment(ctx, item, file)),
  };
}

/**
 * A whole message.
 * @param shown the text of the message, then the texts of the others of its conversation
 */
export function presentEmail(ctx: Ctx, item: ReadEntry, shown: ShownBody[], judged: Judged): EmailDto {
  const { trusted, failed, doubts, warnings, invitation } = judged;
  const [own, ...others] = shown;
  if (!own) throw new Error('a message needs its text');
  const { entry, message } = item;
  const { undoUntil, scheduledStatus } = entry;
  const isUndoable = undoUntil !== null && !scheduledStatus && undoUntil.getTime() > Date.now();
  return {
    ...presentBody(ctx, item, { shown: own, trusted, failed }),
    message_id: message.messageIdHeader,
    reply_to: own.replyTo.map(writeMailbox),
    delivered_to: item.deliveredTo,
    authenticity: presentAuthenticity(message.authentication as AuthenticationResults | null, message.fromAddress),
    list_id: message.listId ?? null,
    list_post: isDoubted(warnings) ? null : own.list.post,
    warnings,
    files_path: item.attachments.filter((file) => !file.isInline).length > 1 ? filesPath(ctx, entry) : null,
    unsubscribe: isDoubted(warnings) ? null : findWayOut(item, own.list),
    invitation,
    deliveries: item.deliveries.map(presentDelivery),
    undo_until: isUndoable ? undoUntil.toISOString() : null,
    remind_at: item.remindAt?.toISOString() ?? null,
    scheduled_for: scheduledStatus ? (undoUntil?.toISOString() ?? null) : null,
    replies: item.conversation.flatMap((reply, index) => {
      const text = others[index];
      const doubt = doubts.get(String(reply.entry.id)) ?? null;
      return text
        ? [{ ...presentBody(ctx, reply, { shown: text, trusted, failed }), snippet: reply.message.preview, doubt }]
        : [];
    }),
    twins: item.twins.map(presentEntry),
    earlier_replies: item.earlier,
  };
}

function isDoubted(warnings: readonly WarningDto[]): boolean {
  return warnings.some(({ code }) => code !== 'first_message');
}

function presentAttachment(ctx: Ctx, { entry }: EntryWithFiles, file: MessageFile): AttachmentDto {
  return {
    _id: String(file.id),
    file_path: attachmentPath(ctx, entry, file.partIndex),
    original_name: file.filename,
    contentType: file.contentType,
    file_type: fileType(file.contentType),
    size: file.size,
    showData: !file.isInline,
  };
}

/** The kind of file in one word: `image`, `video`, `application`, … */
export function fileType(contentType: string): string {
  return contentType.split('/')[0] ?? 'application';
}

function presentDelivery(delivery: Delivery): DeliveryDto {
  return {
    recipient: delivery.recipient,
    state: delivery.state as DeliveryDto['state'],
    reason: delivery.reason,
    attempts: endedAttempts(delivery),
    last_reply: delivery.lastReply,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    tls: presentTls(delivery),
    updatedAt: delivery.updatedAt.toISOString(),
  };
}

function presentTls({ tls, tlsProtocol: protocol }: Delivery): DeliveryDto['tls'] {
  if (tls === null) return null;
  if (tls === 'none' || tls === 'encrypted') return { state: tls, by: null, protocol };
  return { state: 'verified', by: tls, protocol };
}

function presentAuthenticity(results: AuthenticationResults | null, fromAddress: string): EmailDto['authenticity'] {
  if (!results) return null;
  const words = results.dkim.map(({ result }) => result);
  return {
    spf: results.spf.result,
    // One valid signature is enough, whatever the results of the others
    dkim: words.includes('pass') ? 'pass' : (words[0] ?? 'none'),
    dmarc: results.dmarc.result,
    domain: domainOf(fromAddress) || null,
  };
}
