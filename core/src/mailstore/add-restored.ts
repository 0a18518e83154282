import type { TxCtx } from '../context/context.ts';
import { insertRows } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { addLedgerRows } from '../ledger/add-ledger-rows.ts';
import { arrivalOf } from '../trace/arrival.ts';
import { dayMs } from '../utc-day.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeFolders } from './change-folders.ts';
import { changeThreads } from './change-threads.ts';
import { insertEntryLabels } from './entry-labels.ts';
import { type EntryFlags, folderChanges, folderOf, keyOf } from './folders.ts';
import { insertMessages, type MessageInput } from './message-rows.ts';

/**
 * A message from the archive of a company, with the state that it had in its person's mailbox
 * (D66).
 */
export interface RestoredMessage {
  message: Omit<MessageInput, 'ledgerRows'>;
  flags: EntryFlags;
  entry: Pick<
    MailboxEntry,
    'answeredStatus' | 'forwardedStatus' | 'keywords' | 'placement' | 'bccList' | 'arrivedAt' | 'firstArrivedAt'
  >;
  snoozedUntil: Date | null;
  /** When its sender is told that no answer has come. */
  remindAt: Date | null;
  labelIds: readonly string[];
}

/**
 * Puts messages into the folders of one person, with their former flags, labels and snoozes. It
 * sends, forwards, answers and announces nothing. Each message gets a row in the ledger, which says
 * that it is in the mailbox, and stands for no answer: no server has brought it now.
 */
export async function addRestored(
  ctx: TxCtx,
  owner: { companyId: string; userId: string; email: string },
  restored: readonly RestoredMessage[],
): Promise<void> {
  if (restored.length === 0) return;
  const { companyId, userId } = owner;
  const messages = await insertMessages(
    ctx,
    restored.map(({ message }) => ({ ...message, ledgerRows: 1 })),
  );
  const changes = restored.flatMap(({ flags, message }) =>
    folderChanges({ companyId, userId }, null, { after: flags, size: message.blob.size }),
  );
  const folders = await changeFolders(ctx, changes);
  const rows = restored.map(({ flags, entry }, index) => {
    const folder = folderOf(flags) as Exclude<ReturnType<typeof folderOf>, 'gone'>;
    const key = keyOf(flags) as Exclude<ReturnType<typeof keyOf>, 'gone'>;
    const { id = '', threadKey = '' } = messages[index] ?? {};
    return {
      companyId,
      userId,
      messageId: id,
      folder,
      ...folders.place(userId, key),
      ...flags,
      ...entry,
      receivedStatus: !flags.sendStatus,
      threadKey,
    };
  });
  const ids = await insertRows(ctx, MailboxEntry, rows);
  await changeThreads(
    ctx,
    rows.map(({ folderId, threadKey, arrivedAt, readStatus, starStatus }, index) => ({
      folderId,
      threadKey,
      entryId: ids[index] ?? '',
      arrivedAt,
      total: 1 as const,
      unread: readStatus ? 0 : 1,
      starred: starStatus ? 1 : 0,
    })),
  );
  await insertEntryLabels(
    ctx,
    restored.flatMap(({ labelIds, flags, entry: { arrivedAt } }, index) =>
      labelIds.map((labelId) => ({ labelId, entryId: ids[index] ?? '', flags, arrivedAt })),
    ),
  );
  await addSnoozes(ctx, userId, restored, ids);
  await addReminders(ctx, userId, restored, ids);
  await addLedgerRows(
    ctx,
    restored.map(({ message, entry }, index) => ({
      companyId,
      messageId: messages[index]?.id ?? null,
      mailId: message.mailId,
      direction: 'in' as const,
      recipient: owner.email,
      envelopeFrom: message.envelopeFrom,
      state: 'stored' as const,
      reason: 'restored' as const,
      answers: 0,
      entryId: ids[index] ?? null,
      messageIdHeader: message.parsed.messageIdHeader,
      facts: {
        arrival: arrivalOf(message.traceHeaders ?? ''),
        checks: message.authentication ?? null,
        placement: entry.placement ?? null,
      },
    })),
  );
}

async function addSnoozes(
  ctx: TxCtx,
  userId: string,
  restored: readonly RestoredMessage[],
  ids: readonly string[],
): Promise<void> {
  for (const [index, { flags, snoozedUntil }] of restored.entries()) {
    if (folderOf(flags) !== 'snoozed') continue;
    await changeRows(ctx, 'INSERT INTO snoozes (entry_id, user_id, until_at) VALUES (?, ?, ?)', [
      ids[index] ?? '',
      userId,
      // A message whose time has passed wakes at once
      snoozedUntil ?? new Date(),
    ]);
  }
}

/** How long reminders rest: answers may be restored long after the messages that they answer. */
const restoreMs = dayMs;

/** Sets the reminders again. One that came before the answers are restored would be false. */
async function addReminders(
  ctx: TxCtx,
  userId: string,
  restored: readonly RestoredMessage[],
  ids: readonly string[],
): Promise<void> {
  const earliest = Date.now() + restoreMs;
  for (const [index, { remindAt }] of restored.entries()) {
    if (remindAt === null) continue;
    await changeRows(ctx, 'INSERT INTO answer_reminders (entry_id, user_id, due_at) VALUES (?, ?, ?)', [
      ids[index] ?? '',
      userId,
      new Date(Math.max(earliest, remindAt.getTime())),
    ]);
  }
}

/** The ids of a person's labels, by name. */
export async function labelsByName(ctx: TxCtx, userId: string): Promise<Map<string, string>> {
  const rows = await readRows<{ id: string; name: string }>(
    ctx,
    'SELECT id, name FROM labels WHERE user_id = ? AND removed_at IS NULL',
    [userId],
  );
  return new Map(rows.map(({ id, name }) => [name, String(id)]));
}
