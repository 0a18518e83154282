import { QueryTypes } from 'sequelize';
import { notifyNewMail } from '../jobs/notify-new-mail.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { DeliveryState } from '../models/delivery.ts';
import type { Message } from '../models/message.ts';
import type { TxCtx } from '../runtime/context.ts';
import { type EntryFlags, folderOf, totalsDelta } from './folders.ts';
import { insertRows } from './insert-rows.ts';
import { changeTotals } from './totals.ts';

/** A mailbox of this host that a message goes to, as `resolveRecipient` found it. */
export interface LocalRecipient {
  userId: string;
  companyId: string;
  /** The address that the message was sent to. */
  address: string;
}

/** The copy of the person who sends. */
export interface SentCopy {
  userId: string;
  companyId: string;
  /** Blind recipients; nobody else's copy has them (D17). */
  bccList: string[];
  deliveryState: DeliveryState | null;
  /** Until when it can be taken back (D29). */
  undoUntil: Date | null;
}

type MessageRef = Pick<Message, 'id' | 'threadKey'>;

const received: EntryFlags & { receivedStatus: boolean } = {
  readStatus: false,
  starStatus: false,
  archiveStatus: false,
  trashStatus: false,
  deleteStatus: false,
  sendStatus: false,
  receivedStatus: true,
};
// People have read what they wrote
const sent = { ...received, readStatus: true, sendStatus: true, receivedStatus: false };

/** Puts a message into the Sent folder of its sender; answers the entry's id. */
export async function addSentEntry(ctx: TxCtx, message: MessageRef, copy: SentCopy): Promise<string> {
  const id = await insertRows(ctx, 'mailbox_entries', [entryColumns(message, copy, sent, copy)]);
  await changeTotals(ctx, totalsDelta(copy, null, sent));
  return id;
}

/** Puts a message into the inboxes of people, each once, and announces it; answers the entries' ids by person. */
export async function addReceivedEntries(
  ctx: TxCtx,
  message: MessageRef,
  recipients: readonly LocalRecipient[],
): Promise<Map<string, string>> {
  const people = [...new Map(recipients.map((recipient) => [recipient.userId, recipient])).values()];
  const rows = people.map((person) => entryColumns(message, person, received));
  const firstId = await insertRows(ctx, 'mailbox_entries', rows);
  const ids = people.length === 1 ? new Map([[people[0]?.userId ?? '', firstId]]) : await readIds(ctx, message);
  for (const entryId of ids.values()) await enqueue(ctx, notifyNewMail, { entryId });
  await changeTotals(
    ctx,
    people.flatMap(({ companyId, userId }) => totalsDelta({ companyId, userId }, null, received)),
  );
  return ids;
}

function entryColumns(
  message: MessageRef,
  owner: { userId: string; companyId: string },
  flags: typeof received,
  copy?: SentCopy,
) {
  const now = new Date();
  return {
    company_id: owner.companyId,
    user_id: owner.userId,
    message_id: message.id,
    folder: folderOf(flags),
    read_status: flags.readStatus,
    send_status: flags.sendStatus,
    received_status: flags.receivedStatus,
    bcc_list: copy?.bccList ?? null,
    thread_key: message.threadKey,
    delivery_state: copy?.deliveryState ?? null,
    undo_until: copy?.undoUntil ?? null,
    arrived_at: now,
    created_at: now,
    updated_at: now,
  };
}

/** Ids of a message's received entries by person. */
export async function readIds(ctx: { app: TxCtx['app']; tx?: TxCtx['tx'] }, message: Pick<Message, 'id'>) {
  const rows = await ctx.app.db.query<{ id: string; userId: string }>(
    'SELECT id, user_id AS userId FROM mailbox_entries WHERE message_id = :id AND received_status = 1 ORDER BY id',
    { replacements: { id: message.id }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  return new Map(rows.map(({ id, userId }) => [String(userId), String(id)]));
}
