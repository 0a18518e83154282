import { QueryTypes } from 'sequelize';
import { notifyNewMail } from '../jobs/notify-new-mail.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import type { DeliveryState } from '../models/delivery.ts';
import type { Message } from '../models/message.ts';
import type { Ctx, TxCtx } from '../runtime/context.ts';
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

/** A message and the people who receive it. */
export interface Reception {
  message: MessageRef;
  recipients: readonly LocalRecipient[];
  /** What the announcement names as its cause. */
  causeId: string | null;
}

/** Puts a message into the inboxes of people, each once, and announces it; answers the entries' ids by person. */
export async function addReceivedEntries(
  ctx: TxCtx,
  message: MessageRef,
  recipients: readonly LocalRecipient[],
): Promise<Map<string, string>> {
  const [ids] = await receiveAll(ctx, [{ message, recipients, causeId: causeOf(ctx) }]);
  return ids ?? new Map<string, string>();
}

/** The same for several messages, with one statement for each table; answers in their order. */
export async function receiveAll(ctx: TxCtx, receptions: readonly Reception[]): Promise<Map<string, string>[]> {
  const owned = receptions.map(({ message, recipients }) => ({ message, people: eachOnce(recipients) }));
  const rows = owned.flatMap(({ message, people }) => people.map((person) => entryColumns(message, person, received)));
  const firstId = await insertRows(ctx, 'mailbox_entries', rows);
  const ids =
    rows.length === 1
      ? [new Map([[owned[0]?.people[0]?.userId ?? '', firstId]])]
      : await readEntryIds(
          ctx,
          owned.map(({ message }) => message),
        );
  const announcements = receptions.flatMap(({ causeId }, index) =>
    [...(ids[index]?.values() ?? [])].map((entryId) => ({ payload: { entryId }, causeId })),
  );
  await enqueueAll(ctx, notifyNewMail, announcements);
  const everybody = owned.flatMap(({ people }) => people);
  await changeTotals(
    ctx,
    everybody.flatMap(({ companyId, userId }) => totalsDelta({ companyId, userId }, null, received)),
  );
  return ids;
}

function eachOnce(recipients: readonly LocalRecipient[]): LocalRecipient[] {
  return [...new Map(recipients.map((recipient) => [recipient.userId, recipient])).values()];
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
export async function readIds(
  ctx: Pick<Ctx, 'app' | 'tx'>,
  message: Pick<Message, 'id'>,
): Promise<Map<string, string>> {
  const [ids] = await readEntryIds(ctx, [message]);
  return ids ?? new Map<string, string>();
}

async function readEntryIds(
  ctx: Pick<Ctx, 'app' | 'tx'>,
  messages: readonly Pick<Message, 'id'>[],
): Promise<Map<string, string>[]> {
  const byMessage = new Map(messages.map(({ id }) => [String(id), new Map<string, string>()]));
  const rows = await ctx.app.db.query<{ id: string; userId: string; messageId: string }>(
    `SELECT id, user_id AS userId, message_id AS messageId FROM mailbox_entries
     WHERE message_id IN (:ids) AND received_status = 1 ORDER BY id`,
    { replacements: { ids: [...byMessage.keys()] }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  for (const { id, userId, messageId } of rows) byMessage.get(String(messageId))?.set(String(userId), String(id));
  return [...byMessage.values()];
}
