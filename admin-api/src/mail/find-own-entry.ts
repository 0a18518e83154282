import { notFound } from '@selvage/core/errors';
import type { EntryWithMessage } from '@selvage/core/mailstore/list-folder';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { Ctx } from '@selvage/core/runtime/context';

/**
 * A person's own entry with its message.
 * @throws 404 for somebody else's, and for one that is gone
 */
export async function findOwnEntry(ctx: Ctx, userId: string, entryId: string): Promise<EntryWithMessage> {
  const entry = await MailboxEntry.findOne({
    where: { id: entryId, userId, deleteStatus: false },
    transaction: ctx.tx,
  });
  const message = entry && (await Message.findByPk(entry.messageId, { transaction: ctx.tx }));
  if (!entry || !message) throw notFound('message');
  return { entry, message };
}
