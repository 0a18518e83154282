import { parseJsonColumn } from '../database/parse-json-column.ts';
import { arrivalOf } from '../trace/arrival.ts';
import {
  addReceivedEntriesOnce,
  type Destination,
  type LocalRecipient,
  receivedEntryIds,
} from '../mailstore/entry-rows.ts';
import { forwardCopies } from '../mailstore/forward-copies.ts';
import { type Forwarder, sortMail } from '../mailstore/sort-mail.ts';
import type { Letter } from '../mail/mail-rules.ts';
import { bytesOfFurtherCopies, findFull, type FullPlace, placeToTell } from '../mailstore/require-room.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { addLedgerRows, addRowCounts, type LedgerEntry } from '../ledger/add-ledger-rows.ts';
import { log } from '../log.ts';
import { mailEvents } from '../metrics.ts';
import type { OutgoingMessage } from './claim-deliveries.ts';
import type { ClaimedDelivery } from './deliveries.ts';
import { senderAddress } from './send-notice.ts';
import { settleDeliveries } from './settle-deliveries.ts';

/** A claimed delivery to an address of this host, and the people that the address leads to. */
export interface LocalDelivery {
  delivery: ClaimedDelivery;
  recipients: readonly LocalRecipient[];
}

/** A delivery whose people all lack room, and which limit is in the way. */
export interface FullDelivery {
  local: LocalDelivery;
  /** `never` when each of its people has a limit below the size of the message. */
  place: FullPlace;
}

/**
 * Gives a message to mailboxes of this host. The entries and the end of the deliveries are one
 * transaction, so each person has the message exactly once, however often this is tried.
 * @returns the deliveries whose people all lack room for it; no row of them was changed. Mail of
 *   the host itself always fits (D36)
 */
export async function deliverLocally(
  ctx: Ctx,
  message: OutgoingMessage,
  local: readonly LocalDelivery[],
): Promise<FullDelivery[]> {
  const isOwn = await isNotice(ctx, message, local);
  const full = isOwn ? [] : await withoutRoom(ctx, local, { bytes: message.size });
  for (;;) {
    const left = local.filter((one) => full.every((lacking) => lacking.local !== one));
    const found = await store(ctx, message, { local: left, isOwn });
    if (found.length === 0) return full;
    full.push(...found);
  }
}

/**
 * Whether the host itself wrote this: a notice. It has the null sender, as do the answer of a
 * person who is away and many a copy that a mailbox forwards. People wrote those, so they are
 * treated as any mail.
 * @param deliveries of one transfer, which have the same sender
 */
async function isNotice(
  ctx: Ctx,
  { fromAddress }: Pick<OutgoingMessage, 'fromAddress'>,
  [first]: readonly LocalDelivery[],
): Promise<boolean> {
  if (first?.delivery.envelopeFrom !== '' || first.delivery.forwardedFor !== null) return false;
  return fromAddress.toLowerCase() === (await senderAddress(ctx));
}

/**
 * Deliveries whose people all lack room. A group that one of its people has room for is delivered
 * to the others as well, and may pass their limit.
 */
async function withoutRoom(
  ctx: Ctx,
  local: readonly LocalDelivery[],
  wanted: Parameters<typeof findFull>[2],
): Promise<FullDelivery[]> {
  const people = local.flatMap(({ recipients }) => recipients.map(({ userId }) => userId));
  const full = await findFull(ctx, [...new Set(people)], wanted);
  return local.flatMap((one) => {
    const places = one.recipients.flatMap(({ userId }) => full.get(userId) ?? []);
    const place = places.length === one.recipients.length ? placeToTell(places) : undefined;
    return place === undefined ? [] : [{ local: one, place }];
  });
}

/** Thrown when other mail has filled mailboxes since they were found to have room. */
class Filled extends Error {
  readonly deliveries: FullDelivery[];

  constructor(deliveries: FullDelivery[]) {
    super('mailboxes were filled meanwhile');
    this.deliveries = deliveries;
  }
}

/** Deliveries of one transfer. */
interface Transfer {
  local: readonly LocalDelivery[];
  /** They bring a notice of the host itself. */
  isOwn: boolean;
}

/** Stores for all deliveries, or for none and returns the deliveries whose people lack room. */
async function store(ctx: Ctx, message: OutgoingMessage, transfer: Transfer): Promise<FullDelivery[]> {
  try {
    await storeForAll(ctx, message, transfer);
    return [];
  } catch (error) {
    if (error instanceof Filled) return error.deliveries;
    throw error;
  }
}

async function storeForAll(ctx: Ctx, message: OutgoingMessage, { local, isOwn }: Transfer): Promise<void> {
  if (local.length === 0) return;
  const remoteHost = ctx.app.config.hostname;
  const lastReply = `${remoteHost}: 250 2.1.5 stored`;
  const settled = local.map(({ delivery }) => ({
    delivery,
    state: 'stored' as const,
    reason: 'stored_locally' as const,
    lastReply,
    remoteHost,
  }));
  const stored = await inTransaction(ctx, async (tx) => {
    // Two people may forward copies of one message to a third. Without the lock, both deliveries
    // would find that the third person has nothing yet
    const { letter, messageIdHeader } = await lockMessage(tx, String(message.id));
    const written = await settleDeliveries(tx, settled);
    const own = local.filter(({ delivery }) => written.has(String(delivery.id)));
    const people = own.flatMap(({ recipients }) => recipients);
    const unsorted = { letter: isOwn ? null : letter, recipients: people, quarantinedBy: null };
    const [sorted] = await sortMail(tx, [unsorted]);
    const userIds = await addReceivedEntriesOnce(tx, message, {
      recipients: people,
      destinations: sorted?.destinations,
      away: own.every(({ delivery }) => delivery.envelopeFrom === '') ? undefined : sorted?.away,
    });
    const forwarders = userIds.flatMap((id) => sorted?.forwarders.get(id) ?? []);
    // A notice may hold a link that is for this mailbox alone
    const copies = isOwn ? 0 : await forwardOn(tx, message, { own, forwarders, messageIdHeader });
    const members = await noteExpansions(tx, message, {
      local: own,
      messageIdHeader,
      destinations: sorted?.destinations,
    });
    await addRowCounts(tx, new Map([[String(message.id), copies + members]]));
    const spared = bytesOfFurtherCopies(people, message.size);
    const full = isOwn ? [] : await withoutRoom(tx, own, { bytes: 0, spared });
    if (full.length > 0) throw new Filled(full);
    return own;
  });
  for (const { delivery } of stored) {
    mailEvents.inc({ event: 'stored', reason: 'stored_locally' });
    log.info('message stored', { event: 'stored', mailId: delivery.mailId, reason: 'stored_locally' });
  }
}

interface LetterRow extends Omit<Letter, 'to'> {
  toList: string[] | string;
  ccList: string[] | string;
  messageIdHeader: string | null;
}

interface Locked {
  /** The fields that filters and blocked senders are compared with. */
  letter: Letter | null;
  messageIdHeader: string | null;
}

async function lockMessage(ctx: TxCtx, id: string): Promise<Locked> {
  const [row] = await readRows<LetterRow>(
    ctx,
    `SELECT from_name AS fromName, from_address AS fromAddress, subject, list_id AS listId, to_list AS toList,
            cc_list AS ccList, message_id_header AS messageIdHeader FROM messages WHERE id = ? FOR UPDATE`,
    [id],
  );
  if (row === undefined) return { letter: null, messageIdHeader: null };
  const { toList, ccList, messageIdHeader, ...letter } = row;
  return {
    letter: { ...letter, to: [...parseJsonColumn<string[]>(toList), ...parseJsonColumn<string[]>(ccList)] },
    messageIdHeader,
  };
}

/**
 * Queues copies for the people who forward their mail.
 * @returns how many rows the ledger has for the copies
 */
async function forwardOn(
  ctx: TxCtx,
  { id, mailId }: OutgoingMessage,
  { own, ...rest }: { own: readonly LocalDelivery[]; forwarders: readonly Forwarder[]; messageIdHeader: string | null },
): Promise<number> {
  const [first] = own;
  if (!first) return 0;
  // All of them have the same envelope sender, since they share one transfer
  const { envelopeFrom } = first.delivery;
  await forwardCopies(ctx, [{ messageId: String(id), mailId, envelopeFrom, ...rest }]);
  return rest.forwarders.length;
}

interface Expanded {
  local: readonly LocalDelivery[];
  messageIdHeader: string | null;
  /** Where the message was put, by user id. */
  destinations: ReadonlyMap<string, Destination> | undefined;
}

/**
 * Notes in the ledger which deliveries went to other mailboxes than their address names (D35). The
 * row of a group is the sender's; each of its people has a row of their own.
 * @returns how many rows were added for people of groups
 */
async function noteExpansions(ctx: TxCtx, message: OutgoingMessage, { local, ...known }: Expanded): Promise<number> {
  const expanded = local.filter(({ recipients }) => recipients.some(({ expansion }) => expansion));
  if (expanded.length === 0) return 0;
  for (const { delivery, recipients } of expanded) {
    const by = recipients[0]?.expansion?.by ?? null;
    const to = recipients.length === 1 ? (recipients[0]?.expansion?.to ?? null) : null;
    const statement = 'UPDATE deliveries SET expanded_by = ?, expanded_to = ? WHERE id = ?';
    await changeRows(ctx, statement, [by, to, String(delivery.id)]);
  }
  const entryIds = await receivedEntryIds(ctx, message);
  const rows = expanded.flatMap((one) =>
    one.recipients.length > 1 ? rowsOf(message, one, { ...known, entryIds }) : [],
  );
  if (rows.length > 0) await addLedgerRows(ctx, rows);
  return rows.length;
}

function rowsOf(
  message: OutgoingMessage,
  { delivery: { mailId, recipient, envelopeFrom }, recipients }: LocalDelivery,
  known: Omit<Expanded, 'local'> & { entryIds: ReadonlyMap<string, string> },
): LedgerEntry[] {
  const arrival = arrivalOf(message.traceHeaders);
  return recipients.map(({ userId, companyId, expansion }) => ({
    companyId,
    messageId: String(message.id),
    mailId,
    direction: 'in',
    recipient,
    envelopeFrom,
    state: 'stored',
    reason: 'stored_locally',
    // The sender named the group, and the row of the group is the answer to it
    answers: 0,
    entryId: known.entryIds.get(userId) ?? null,
    expansion: expansion ?? null,
    messageIdHeader: known.messageIdHeader,
    facts: { arrival, checks: null, placement: known.destinations?.get(userId)?.placement ?? null },
  }));
}
