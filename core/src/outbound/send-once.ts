import { dayMs } from '../utc-day.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { Op, UniqueConstraintError } from 'sequelize';
import { unsentDays } from '../contracts/mail.ts';
import { AppError, conflict, notFound, unavailable } from '../errors.ts';
import { Draft } from '../models/draft.ts';
import { IdempotencyKey } from '../models/idempotency-key.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { log } from '../log.ts';

/*
 * A composed message is sent once, however often the call that sends it is repeated. Its key is a
 * row:
 *
 *   (none) -- claim --> claimed -- the message's own transaction --> sent -- undo --> undone
 *                         | the attempt fails: the row is removed
 *                         | the process dies: the claim expires, and the next attempt takes it over
 *
 * The claim is committed before the work begins. So a client that asks can be told whether its
 * message is under way or was not sent. The transaction that commits the message also settles the
 * claim, and only while the claim holds: an attempt whose claim has expired commits nothing. The
 * row is in the database and not in Redis, so that after a loss of Redis nothing is sent twice.
 *
 * A key stays used when its message is taken back. The draft that the message becomes is sent under
 * a key of its own, and a late repeat of the first call still sends nothing.
 */

/**
 * The least time for which keys are kept; a repeat after that is a new message. A browser that asks
 * about a removed key would be told that nothing was sent. So keys outlive the unsent messages that
 * a browser keeps.
 */
export const keptKeysMs = (unsentDays + 5) * dayMs;
/** How long a repeat waits for the attempt that is under way. */
const patienceMs = 5000;
/** How long it rests between two looks at that attempt. */
const glanceMs = 50;

/** A person's key, and what is to be sent under it. */
export interface KeyedSend {
  userId: string;
  companyId: string;
  key: string;
  /** Equal for two calls that send the same content. */
  fingerprint: string;
}

/** The answer that the sender was given. */
export interface Sent {
  entryId: string;
  undoUntil: Date;
  /** The time from sending to `undoUntil`, in milliseconds. */
  holdMs: number;
  /** The message waits for a time that its sender chose (D48). */
  isScheduled: boolean;
}

/** Called in the transaction that commits the message. */
type Settle = (ctx: TxCtx, sent: Sent) => Promise<void>;

/**
 * Sends under a key. The first call does the work; every later call with the same content is given
 * its answer again. A call that comes while another is under way waits for it.
 * @throws AppError 409 `idempotency_key_reused` when the key was used for something else,
 * `send_undone` when the message was taken back, `still_sending` when the other call takes long;
 * and whatever `send` throws, and then the key is free again
 */
export async function sendOnce(ctx: Ctx, keyed: KeyedSend, send: (settle: Settle) => Promise<Sent>): Promise<Sent> {
  const row = await claim(ctx, keyed);
  if (row.entryId) return await answerAgain(row, keyed.fingerprint);
  try {
    return await send((tx, sent) => settle(tx, row, sent));
  } catch (error) {
    await release(row);
    throw error;
  }
}

/**
 * Finds the message that was to be sent under a key.
 * @throws AppError 404 `not_sent` when nothing was sent and nothing is under way, 409
 *   `still_sending` or `send_undone`
 */
export async function findSent(ctx: Ctx, userId: string, key: string): Promise<Sent> {
  // The lock waits for a transaction that is about to commit
  const row = await inTransaction(ctx, (tx) =>
    IdempotencyKey.findOne({ where: { userId, idempotencyKey: key }, transaction: tx.tx, lock: tx.tx.LOCK.SHARE }),
  );
  if (row?.entryId) return await answerAgain(row, row.fingerprint);
  if (row && isHeld(ctx, row)) throw stillSending();
  throw new AppError({ status: 404, code: 'not_sent', publicText: 'This message was not sent.' });
}

/** Notes that a sent message was taken back. */
export async function markUndone(ctx: TxCtx, entryId: string): Promise<void> {
  await IdempotencyKey.update({ undoneAt: new Date() }, { where: { entryId }, transaction: ctx.tx });
}

/** Removes keys that are older than they are kept. Gives the number removed. */
export async function forgetOldKeys(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - keptKeysMs);
  return await IdempotencyKey.destroy({ where: { createdAt: { [Op.lt]: before } }, limit: 10_000 });
}

/** The row of the key: claimed by this call, or settled by an earlier one. */
async function claim(ctx: Ctx, keyed: KeyedSend): Promise<IdempotencyKey> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const row = (await insertClaim(ctx, keyed)) ?? (await takeOver(ctx, keyed));
    if (row) return row;
    if (Date.now() > giveUpAt) throw stillSending();
    await wait(glanceMs);
  }
}

async function insertClaim(ctx: Ctx, { key, ...values }: KeyedSend): Promise<IdempotencyKey | null> {
  try {
    return await IdempotencyKey.create({ ...values, idempotencyKey: key, claimedUntil: claimEnd(ctx) });
  } catch (error) {
    if (error instanceof UniqueConstraintError) return null;
    throw error;
  }
}

/**
 * The settled row, or the row of a claim that ran out; null while another call is under way, or has
 * just failed.
 */
async function takeOver(ctx: Ctx, { userId, key, fingerprint }: KeyedSend): Promise<IdempotencyKey | null> {
  const row = await IdempotencyKey.findOne({ where: { userId, idempotencyKey: key } });
  if (!row || row.entryId) return row;
  if (isHeld(ctx, row)) return null;
  const claimedUntil = claimEnd(ctx);
  // If several callers find that the claim has expired, one of them takes it over
  const where = { id: row.id, entryId: null, claimedUntil: row.claimedUntil };
  const [taken] = await IdempotencyKey.update({ claimedUntil, fingerprint }, { where });
  return taken === 1 ? row.set({ claimedUntil, fingerprint }) : null;
}

/** @throws AppError 503 when the claim has expired: its transaction must not commit any more */
async function settle(ctx: TxCtx, row: IdempotencyKey, sent: Sent): Promise<void> {
  const stillHeld = { [Op.eq]: row.claimedUntil, [Op.gt]: new Date(), [Op.lte]: claimEnd(ctx) };
  const [settled] = await IdempotencyKey.update(sent, {
    where: { id: row.id, entryId: null, claimedUntil: stillHeld },
    transaction: ctx.tx,
  });
  if (settled === 0) throw unavailable('sending took longer than its claim holds');
}

/** Frees a key whose attempt failed, unless its message was committed all the same. */
async function release({ id, claimedUntil }: IdempotencyKey): Promise<void> {
  try {
    await IdempotencyKey.destroy({ where: { id, entryId: null, claimedUntil } });
  } catch (error) {
    // The claim runs out by itself, and the caller hears of the first error
    log.warn('the key of a message that was not sent could not be freed', { error });
  }
}

async function answerAgain(row: IdempotencyKey, fingerprint: string): Promise<Sent> {
  if (row.undoneAt) throw await undone(row);
  if (row.fingerprint !== fingerprint) {
    throw conflict('This message was already sent, with other content.', 'idempotency_key_reused');
  }
  if (!row.entryId || !row.undoUntil) throw notFound('message');
  const { undoUntil, isScheduled } = row;
  const holdMs = row.holdMs ?? Math.max(0, undoUntil.getTime() - row.createdAt.getTime());
  return { entryId: String(row.entryId), undoUntil, holdMs, isScheduled };
}

/** Names the draft that the message became, unless a save has given that draft another entry. */
async function undone({ userId, entryId }: IdempotencyKey): Promise<AppError> {
  const draft = await Draft.findOne({ attributes: ['id'], where: { userId, entryId } });
  return new AppError({
    status: 409,
    code: 'send_undone',
    publicText: 'This message was taken back. It is among your drafts.',
    ...(draft ? { ids: { draft_id: String(draft.id) } } : {}),
  });
}

/** Twice the time after which the caller is told that the call takes too long. */
function claimEnd({ app }: Ctx): Date {
  return new Date(Date.now() + app.config.requestTimeoutSeconds * 2000);
}

/**
 * Whether an attempt holds the key. A claim that ends later than a new one would was made while the
 * clock was ahead. It would block the key for too long, so it counts as expired.
 */
function isHeld(ctx: Ctx, { claimedUntil }: IdempotencyKey): boolean {
  return claimedUntil > new Date() && claimedUntil <= claimEnd(ctx);
}

function stillSending(): AppError {
  return new AppError({
    status: 409,
    code: 'still_sending',
    publicText: 'This message is being sent. Ask again in a moment.',
    headers: { 'Retry-After': '1' },
  });
}
