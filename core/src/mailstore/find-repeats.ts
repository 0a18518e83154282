import { createHash } from 'node:crypto';
import { UniqueConstraintError } from 'sequelize';
import { type Ctx, Outdated, type TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { dayMs, utcDayAt } from '../utc-day.ts';
import { receivedEntryIds } from './entry-rows.ts';

/*
 * The row of a message has a key by which a repeat is recognised. It begins with the day on which
 * the message was stored, and the column is unique. So a message is stored only once, even when two
 * processes receive it at the same moment. It may be stored again on a later day.
 */

/** For how long a repeat is recognised: a sender that did not get the answer retries for hours. */
const duplicateWindowMs = dayMs;

/** The column has room for 64 characters; 224 bits of a hash are enough to tell messages apart. */
const hashLength = 56;

/** A message that is stored already. */
export interface Repeated {
  messageId: string;
  /** The mail id of its first arrival. */
  mailId: string;
  entryIds: string[];
}

/** The `dedupe_key` of a message that is stored now. */
export function keyOfToday(dedupeKey: string): string {
  return keyOfDay(dedupeKey, Date.now());
}

function keyOfDay(dedupeKey: string, moment: number): string {
  return `${utcDayAt(moment).replaceAll('-', '')}${dedupeKey.slice(0, hashLength)}`;
}

/** The stored messages that have one of these keys, by key. */
export async function findStored(ctx: TxCtx, dedupeKeys: readonly string[]): Promise<Map<string, Repeated>> {
  const stored = new Map<string, Repeated>();
  if (dedupeKeys.length === 0) return stored;
  const now = Date.now();
  // Also the next day: the clock may have been set back since the message was stored
  const moments = [now + duplicateWindowMs, now, now - duplicateWindowMs];
  const keyByDated = new Map(
    dedupeKeys.flatMap((key) => moments.map((moment) => [keyOfDay(key, moment), key] as const)),
  );
  const messages = await readRows<{ id: string; mailId: string; dedupeKey: string }>(
    ctx,
    'SELECT id, mail_id AS mailId, dedupe_key AS dedupeKey FROM messages WHERE dedupe_key IN (?) AND created_at > ?',
    [[...keyByDated.keys()], new Date(now - duplicateWindowMs)],
  );
  for (const { id, mailId, dedupeKey } of messages) {
    const key = keyByDated.get(dedupeKey);
    const entryIds = [...(await receivedEntryIds(ctx, { id })).values()];
    if (key !== undefined) stored.set(key, { messageId: String(id), mailId, entryIds });
  }
  return stored;
}

/**
 * The error to throw when the insert of messages has failed: `Outdated` if another process has just
 * stored one of them, else the error itself.
 */
export function asRepeat(error: unknown): unknown {
  const isRepeat = error instanceof UniqueConstraintError && error.message.includes('messages_dedupe');
  return isRepeat ? new Outdated('the message was stored meanwhile', { cause: error }) : error;
}

/**
 * The message that was stored under a mail id; null when there is none. The lock waits for a commit
 * that is still under way.
 */
export async function findOwn(ctx: Ctx, mailId: string): Promise<Repeated | null> {
  const [row] = await readRows<{ id: string }>(ctx, 'SELECT id FROM messages WHERE mail_id = ? LOCK IN SHARE MODE', [
    mailId,
  ]);
  if (row === undefined) return null;
  const entryIds = [...(await receivedEntryIds(ctx, row)).values()];
  return { messageId: String(row.id), mailId, entryIds };
}

/** Whether a message with the same bytes was stored so lately that this one may be a repeat. */
export async function wereBytesStored(ctx: Ctx, raw: Buffer): Promise<boolean> {
  const key = createHash('sha256').update(raw).digest('hex');
  const since = new Date(Date.now() - duplicateWindowMs);
  const statement = 'SELECT 1 FROM messages WHERE blob_key = ? AND dedupe_key IS NOT NULL AND created_at > ? LIMIT 1';
  return (await readRows(ctx, statement, [key, since])).length > 0;
}
