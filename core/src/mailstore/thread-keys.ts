import { createHash, randomBytes } from 'node:crypto';
import type { TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { MessageSummary } from '../mail/parsed-message.ts';

type Ids = Pick<MessageSummary, 'references' | 'inReplyTo' | 'messageIdHeader'>;

/**
 * The key of the conversation of each message (D21), in their order. Most answers name the first
 * message of their conversation. Some name only the message that they answer: they take over the
 * key of that message, if it is stored or comes before them here.
 */
export async function findThreadKeys(ctx: TxCtx, messages: readonly Ids[]): Promise<string[]> {
  const known = await storedKeys(ctx, [...new Set(messages.flatMap((message) => answeredId(message) ?? []))]);
  return messages.map((message) => {
    const answered = answeredId(message);
    const own = bareId(message.messageIdHeader);
    const key = answered === null ? keyOf(own) : (known.get(answered) ?? keyOf(answered));
    if (own !== null && !known.has(own)) known.set(own, key);
    return key;
  });
}

/** A message that names no other and has no id is a conversation of its own. */
function keyOf(id: string | null): string {
  return createHash('sha256')
    .update(id ?? randomBytes(32))
    .digest('hex');
}

/** The earliest message that an answer names. */
function answeredId({ references, inReplyTo }: Ids): string | null {
  return bareId(references[0] ?? inReplyTo);
}

/** Ids are compared without their brackets. */
function bareId(id: string | null): string | null {
  return id === null ? null : id.trim().replace(/^<|>$/g, '');
}

/** Of several messages with the same id the first counts, so that a later one changes nothing. */
async function storedKeys(ctx: TxCtx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<{ id: string; threadKey: string }>(
    ctx,
    `SELECT m.message_id_header AS id, m.thread_key AS threadKey FROM messages m
       JOIN (SELECT MIN(id) AS id FROM messages WHERE message_id_header IN (?) GROUP BY message_id_header) n
         ON n.id = m.id
      ORDER BY m.id DESC`,
    [ids.flatMap((id) => [id, `<${id}>`])],
  );
  return new Map(rows.map(({ id, threadKey }) => [bareId(id) ?? '', threadKey]));
}
