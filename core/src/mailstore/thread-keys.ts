import { hash, randomBytes } from 'node:crypto';
import type { TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { MessageSummary } from '../mail/parsed-message.ts';

type Ids = Pick<MessageSummary, 'references' | 'inReplyTo' | 'messageIdHeader'>;

/**
 * How many ids are looked up at each end of the references of an answer. Senders decide how long
 * that list is.
 */
const lookedFor = 15;

/**
 * The key of the conversation of each message (D21), in their order. An answer takes over the key
 * of the earliest message that it refers to and that is stored, or comes before it in this list. If
 * there is none, the key is made of the earliest id that it refers to, as the key of that message
 * would be.
 */
export async function findThreadKeys(ctx: TxCtx, messages: readonly Ids[]): Promise<string[]> {
  const named = messages.map(namedIds);
  const known = await storedKeys(ctx, [...new Set(named.flat())]);
  return messages.map(({ messageIdHeader }, index) => {
    const ids = named[index] ?? [];
    const own = bareId(messageIdHeader);
    const present = ids.find((id) => known.has(id));
    const key = (present !== undefined && known.get(present)) || keyOf(ids[0] ?? own);
    if (own !== null && !known.has(own)) known.set(own, key);
    return key;
  });
}

/**
 * The key made of an id. A message that refers to no other and has no id gets a random key, as a
 * conversation of its own.
 */
function keyOf(id: string | null): string {
  return hash('sha256', id ?? randomBytes(32));
}

/**
 * The ids that an answer refers to, the earliest first. Both ends of the list count: the sender's
 * program may have left out the first ids, or a ticket system may have put its own id before them.
 */
function namedIds({ references, inReplyTo }: Ids): string[] {
  const listed =
    references.length > 2 * lookedFor
      ? [...references.slice(0, lookedFor), ...references.slice(-lookedFor)]
      : references;
  const ids = [...listed, inReplyTo].flatMap((id) => bareId(id) || []);
  return [...new Set(ids)];
}

/** Ids are compared without their brackets. */
function bareId(id: string | null): string | null {
  return id === null ? null : id.trim().replace(/^<|>$/g, '');
}

/**
 * If several messages have the same id, the first one counts, so that a later one changes nothing.
 */
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
