import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';
import { chooseDue, laneOf, type Room } from './choose-due.ts';
import { type ClaimedDelivery, type Claims, groupKey, leaseMs, newClaimId, retryAfterSeconds } from './deliveries.ts';
import { claimable, type DueDelivery } from './find-due.ts';
import { addTransfers, countTransfers, endTransfer, type NewTransfer, renewTransfers } from './transfers.ts';

/**
 * Rows of one message for one domain that were claimed together, with what their transfer needs.
 */
export interface DeliveryGroup {
  /** The id of its row in `outbound_transfers`. The caller ends it when the transfer is over. */
  transferId: string;
  /** The lane that its transfer is counted in. */
  lane: string;
  /** Its domain is hosted here, so no other host gets it. */
  isHosted: boolean;
  /** Its message is an answer of a person who is away, or a notice of this host. */
  isAutomatic: boolean;
  message: OutgoingMessage | null;
  deliveries: ClaimedDelivery[];
  /**
   * It is certain that no recipient has a mailbox here, so none has to be looked up. False where
   * that is not certain, also for domains that are not hosted here: not the opposite of `isHosted`.
   */
  isElsewhere: boolean;
}

/** The message of a group, and the key that signs it. */
export interface OutgoingMessage {
  id: string;
  mailId: string;
  threadKey: string;
  blobKey: string;
  /** Bytes of the raw message. */
  size: number;
  traceHeaders: string;
  fromAddress: string;
  createdAt: Date;
  /**
   * The key that the sender's domain signs with at the moment of the claim; null when it has none.
   */
  key: { id: string; selector: string; updatedAt: Date } | null;
}

/**
 * Claims deliveries that were found due, as many groups as there is room for. The attempt and the
 * time of the next one are committed before this returns, so a worker that crashes again and again
 * can't flood a remote server.
 */
export async function claimDeliveries(
  ctx: Ctx,
  due: readonly DueDelivery[],
  { claims, room, now = new Date() }: { claims: Claims; room: Room; now?: Date },
): Promise<DeliveryGroup[]> {
  const claimId = newClaimId();
  const { chosen, transfers } = await inTransaction(ctx, async (tx) => {
    const rows = chooseDue(due, room, await takeTurn(tx, now));
    const begun = transfersOf(rows, claimId);
    if (rows.length > 0) {
      await writeClaim(tx, rows, { claims, claimId, now });
      await addTransfers(tx, begun, leaseEnd(now));
    }
    return { chosen: rows, transfers: begun };
  });
  if (chosen.length === 0) return [];
  const groups = groupRows(await readWithMessages(ctx, chosen, claimId));
  // Others may have changed all deliveries of a transfer since these were found
  const empty = transfers.filter(({ key }) => !groups.has(key));
  await Promise.all(empty.map(({ id }) => endTransfer(ctx, id)));
  return transfers.flatMap(({ id, key, leader }) => {
    const group = groups.get(key);
    const { isHosted, isAutomatic } = leader;
    const lane = laneOf(leader);
    return group === undefined ? [] : [{ ...group, transferId: id, lane, isHosted, isAutomatic }];
  });
}

/** A transfer with the key of its group and the delivery of it that was due first. */
interface ChosenTransfer extends NewTransfer {
  key: string;
  leader: DueDelivery;
}

function transfersOf(chosen: readonly DueDelivery[], claimId: string): ChosenTransfer[] {
  const leaders = new Map(chosen.toReversed().map((row) => [groupKey(row), row]));
  return [...leaders].map(([key, leader], index) => {
    const { messageId, recipientDomain: domain } = leader;
    return { id: `${claimId}-${index}`, key, messageId, domain, leader };
  });
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

/**
 * Reads the claimed rows with their messages. One row of each message reads it for all of them. If
 * another worker has claimed that row, a second query reads the message with every row.
 */
async function readWithMessages(ctx: Ctx, chosen: readonly DueDelivery[], claimId: string): Promise<ClaimedRow[]> {
  const ids = chosen.map(({ id }) => id);
  const ofMessages = new Map(chosen.map(({ id, messageId }) => [messageId, id]));
  const rows = await readClaimed(ctx, { ids, readers: [...ofMessages.values()], claimId });
  const read = new Set(rows.map(({ mId }) => mId));
  if (rows.every(({ messageId }) => messageId === null || read.has(messageId))) return rows;
  return await readClaimed(ctx, { ids, readers: ids, claimId });
}

/**
 * Locks the row of `outbound_turns` until the transaction ends, and counts the transfers under way
 * by domain. Worker processes claim one after the other, so that together they keep to the limit of
 * a domain. The lock is an update and not a locking read: it then holds in a cluster of databases
 * as well.
 */
async function takeTurn(ctx: TxCtx, now: Date): Promise<Map<string, number>> {
  await changeRows(ctx, 'UPDATE outbound_turns SET taken_at = ? WHERE id = 1', [now]);
  return await countTransfers(ctx, now);
}

/**
 * Repeats the condition under which rows are due: others may have changed them meanwhile. The wait
 * until the next attempt is up to a tenth shorter than the schedule says, by the message and the
 * domain. So large messages that hindered each other on a slow line part at the next attempt, and
 * the rows of one transfer stay together.
 */
async function writeClaim(
  ctx: TxCtx,
  chosen: readonly DueDelivery[],
  { claims, claimId, now }: { claims: Claims; claimId: string; now: Date },
): Promise<void> {
  const counts = [...new Set(chosen.map(({ attempts }) => attempts))];
  const waits = counts.flatMap((attempts): SqlValue[] => [attempts, retryAfterSeconds(ctx, attempts + 1)]);
  const { condition, values } = claimable(now, claims);
  // The next time comes first: MariaDB sets from left to right, and it depends on the attempts
  await changeRows(
    ctx,
    `UPDATE deliveries
        SET next_attempt_at = TIMESTAMPADD(MICROSECOND, CAST(
              CASE attempts ${counts.map(() => 'WHEN ? THEN ?').join(' ')} END * 1000000 *
              (1 - CRC32(CONCAT_WS(' ', message_id, recipient_domain, attempts)) / 42949672950) AS SIGNED), ?),
            attempts = attempts + 1, lease_until = ?, claim_id = ?, updated_at = ?
      WHERE id IN (?) AND attempts IN (?) AND ${condition}`,
    [...waits, now, leaseEnd(now), claimId, now, chosen.map(({ id }) => id), counts, ...values],
  );
}

interface ClaimedRow extends ClaimedDelivery {
  mId: string | null;
  threadKey: string;
  blobKey: string;
  size: number;
  traceHeaders: string;
  fromAddress: string;
  messageCreatedAt: Date;
  keyId: string | null;
  selector: string;
  keyUpdatedAt: Date;
  isElsewhere: number;
}

/**
 * One statement reads rows, messages, signing keys and whether the domain is hosted here. Nothing
 * of this is cached, so a changed key or domain takes effect with the next claim. The host's own
 * name counts as hosted here, since it has a postmaster. A recipient with a `+` or a character
 * beyond ASCII is left to `resolveRecipient`, since the table of addresses may have it in another
 * form. Only the rows in `readers` come with their message and its key, because a hundred
 * recipients may share one message.
 */
async function readClaimed(
  ctx: Ctx,
  { ids, readers, claimId }: { ids: readonly string[]; readers: readonly string[]; claimId: string },
): Promise<ClaimedRow[]> {
  return await readRows<ClaimedRow>(
    ctx,
    `SELECT d.id, d.message_id AS messageId, d.mail_id AS mailId, d.recipient, d.recipient_domain AS recipientDomain,
            d.envelope_from AS envelopeFrom, d.attempts, d.next_attempt_at AS nextAttemptAt,
            d.delay_reported_at AS delayReportedAt, d.entry_id AS entryId, d.forwarded_for AS forwardedFor,
            d.created_at AS createdAt, d.released_at AS releasedAt, d.claim_id AS claimId,
            m.id AS mId, m.thread_key AS threadKey, m.blob_key AS blobKey, m.size, m.trace_headers AS traceHeaders,
            m.from_address AS fromAddress, m.created_at AS messageCreatedAt,
            k.id AS keyId, k.selector, k.updated_at AS keyUpdatedAt,
            (h.id IS NULL AND a.id IS NULL AND d.recipient_domain <> ?
              AND d.recipient REGEXP '^[!-*,-~]+$') AS isElsewhere
       FROM deliveries d
       LEFT JOIN messages m ON m.id = d.message_id AND d.id IN (?)
       LEFT JOIN domains h ON h.owned_name = CONVERT(d.recipient_domain USING ascii)
       LEFT JOIN addresses a ON a.address = LOWER(d.recipient)
       LEFT JOIN domains s ON s.owned_name = CONVERT(LOWER(SUBSTRING_INDEX(m.from_address, '@', -1)) USING ascii)
       LEFT JOIN dkim_keys k ON k.id = (SELECT MAX(n.id) FROM dkim_keys n WHERE n.domain_id = s.id AND n.is_active)
      WHERE d.id IN (?) AND d.claim_id = ?
      ORDER BY d.id`,
    [ctx.app.config.hostname, readers, ids, claimId],
  );
}

type ReadGroup = Omit<DeliveryGroup, 'transferId' | 'lane' | 'isHosted' | 'isAutomatic'>;

/** The claimed deliveries by the key of their group. */
function groupRows(rows: readonly ClaimedRow[]): Map<string, ReadGroup> {
  const messages = new Map(rows.map((row) => [row.mId, messageOf(row)]));
  const groups = new Map<string, ReadGroup>();
  for (const row of rows) {
    const key = groupKey(row);
    const group = groups.get(key);
    const isElsewhere = Number(row.isElsewhere) === 1;
    if (group === undefined) {
      const message = messages.get(row.messageId) ?? null;
      groups.set(key, { message, deliveries: [row], isElsewhere });
    } else {
      group.deliveries.push(row);
      group.isElsewhere &&= isElsewhere;
    }
  }
  return groups;
}

function messageOf(row: ClaimedRow): OutgoingMessage | null {
  const { mId, mailId, threadKey, blobKey, size, traceHeaders, fromAddress, keyId, selector } = row;
  if (mId === null) return null;
  const key = keyId === null ? null : { id: keyId, selector, updatedAt: row.keyUpdatedAt };
  return { id: mId, mailId, threadKey, blobKey, size, traceHeaders, fromAddress, createdAt: row.messageCreatedAt, key };
}

/**
 * Extends the claims of transfers while the work on them goes on. A claim that was lost or settled
 * meanwhile is left alone. Asks the database something even without transfers, so that the caller
 * notices an outage.
 */
export async function renewLeases(
  ctx: Ctx,
  groups: readonly Pick<DeliveryGroup, 'transferId' | 'deliveries'>[],
  now = new Date(),
): Promise<void> {
  if (groups.length === 0) return void (await readRows(ctx, 'SELECT 1', []));
  const deliveries = groups.flatMap((group) => group.deliveries);
  const claimIds = [...new Set(deliveries.map(({ claimId }) => claimId))];
  await changeRows(
    ctx,
    `UPDATE deliveries SET lease_until = ?
      WHERE id IN (?) AND claim_id IN (?) AND state = 'queued' AND lease_until IS NOT NULL`,
    [leaseEnd(now), deliveries.map(({ id }) => id), claimIds],
  );
  await renewTransfers(
    ctx,
    groups.map(({ transferId }) => transferId),
    leaseEnd(now),
  );
}
