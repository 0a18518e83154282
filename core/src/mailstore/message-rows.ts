import type { Addr } from '../mail/addresses.ts';
import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import { writeMailbox } from '../mail/mailbox-text.ts';
import type { MessageSummary, StorableSummary } from '../mail/parsed-message.ts';
import { Attachment } from '../models/attachment.ts';
import { Message } from '../models/message.ts';
import type { TxCtx } from '../context/context.ts';
import { ensureBlob } from './blob-references.ts';
import { insertStructures } from './structure-rows.ts';
import { insertRows } from '../database/insert-rows.ts';
import { findThreadKeys } from './thread-keys.ts';

/** A message whose blob is durable, ready to be written as a row. */
export interface MessageInput {
  parsed: StorableSummary;
  blob: { key: string; size: number };
  /**
   * Its bytes, if the caller still has them: a blob that was removed meanwhile is then stored
   * again.
   */
  raw?: Buffer;
  mailId: string;
  /** Empty for the null sender. */
  envelopeFrom: string;
  /** The host's own header lines, which are stored apart from the blob. */
  traceHeaders?: string;
  authentication?: AuthenticationResults | null;
  dedupeKey?: string | null;
  isForwarded?: boolean;
  /** How many rows of the ledger are written with it, in the same transaction. */
  ledgerRows: number;
}

/** The fields of a stored message that entries need. */
export type StoredMessage = Pick<Message, 'id' | 'threadKey' | 'size'>;

/** The most addresses of one header field that a row keeps; the blob has all of them. */
const mostListedAddresses = 500;

/**
 * Writes the row of a message, of its attachments and of its structure.
 * @throws AppError unavailable when its blob was removed and `raw` is missing
 */
export async function insertMessage(ctx: TxCtx, input: MessageInput): Promise<StoredMessage> {
  const [message] = await insertMessages(ctx, [input]);
  if (message === undefined) throw new Error('a message was not inserted');
  return message;
}

/**
 * Writes the rows of several messages, of their attachments and of their structures, with one
 * statement for each table.
 * @returns the messages in their order
 * @throws AppError unavailable when a blob was removed and its `raw` is missing
 */
export async function insertMessages(ctx: TxCtx, inputs: readonly MessageInput[]): Promise<StoredMessage[]> {
  const threadKeys = await findThreadKeys(
    ctx,
    inputs.map(({ parsed }) => parsed),
  );
  const rows = inputs.map((input, index) => messageRow(input, threadKeys[index] ?? ''));
  const ids = await insertRows(ctx, Message, rows);
  await Promise.all(inputs.map(({ blob, raw }) => ensureBlob(ctx, blob.key, raw)));
  const attachments = inputs.flatMap(({ parsed }, index) => attachmentRows(ids[index] ?? '', parsed));
  if (attachments.length > 0) await insertRows(ctx, Attachment, attachments);
  const structures = inputs.map(({ parsed: { structure } }, index) => ({ messageId: ids[index] ?? '', structure }));
  await insertStructures(ctx, structures);
  return rows.map(({ threadKey, size }, index) => ({ id: ids[index] ?? '', threadKey, size }));
}

function messageRow({ parsed, blob, ...input }: MessageInput, threadKey: string) {
  return {
    mailId: input.mailId,
    blobKey: blob.key,
    size: blob.size,
    traceHeaders: input.traceHeaders ?? '',
    messageIdHeader: parsed.messageIdHeader?.slice(0, 255) ?? null,
    threadKey,
    envelopeFrom: input.envelopeFrom.slice(0, 320),
    fromAddress: (parsed.from?.address ?? '').slice(0, 320),
    fromName: (parsed.from?.name ?? '').slice(0, 255),
    subject: parsed.subject.slice(0, 998),
    preview: parsed.preview.slice(0, 255),
    toList: mailboxesOf(parsed.to),
    ccList: mailboxesOf(parsed.cc),
    sentAt: storableMoment(parsed.date),
    authentication: input.authentication ?? null,
    // Pictures that belong to the text are not shown as attachments
    attachmentCount: parsed.attachments.filter(({ related }) => !related).length,
    listId: parsed.list.id,
    dedupeKey: input.dedupeKey ?? null,
    isForwarded: input.isForwarded ?? false,
    ledgerRows: input.ledgerRows,
  };
}

function mailboxesOf(list: readonly Addr[]): string[] {
  return list.slice(0, mostListedAddresses).map(writeMailbox);
}

/** A Date header may name any year, but a column can't hold every year. */
function storableMoment(date: Date | null): Date | null {
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return year >= 1000 && year <= 9999 ? date : null;
}

function attachmentRows(messageId: string, { attachments }: MessageSummary) {
  return attachments.map((attachment) => ({
    messageId,
    partIndex: attachment.index,
    filename: attachment.filename.slice(0, 255),
    contentType: attachment.contentType.slice(0, 255),
    size: attachment.size,
    contentId: attachment.contentId?.slice(0, 255) ?? null,
    isInline: attachment.related,
  }));
}
