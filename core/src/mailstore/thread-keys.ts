import { createHash, randomBytes } from 'node:crypto';
import type { TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { MessageSummary } from '../mail/parsed-message.ts';

type Ids = Pick<MessageSummary, 'references' | 'inReplyTo' | 'messageIdHeader'>;

/**
 * So many ids are looked for at each end of the list of an answer. Strangers decide how long it is.
 */
const LOOKED_FOR = 15;

/**
 * The key of the conversation of each message (D21), in their order. An answer takes over the key
 * of the earliest message that it names, of those that are stored or come before it here. Where
 * none is, the key is made of the earliest id that it names, as the key of that message would be.
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

/** A message that names no other and has no id is a conversation of its own. */
function keyOf(id: string | null): string {
  return createHash('sha256')
    .update(id ?? randomBytes(32))
    .digest('hex');
}

/**
 * The ids that an answer names, the earliest first. Its program may have left out the first ones,
 * or a ticket system may have put an id of its own before them.
 */
function namedIds({ references, inReplyTo }: Ids): string[] {
  const listed =
    references.length > 2 * LOOKED_FOR
      ? [...references.slice(0, LOOKED_FOR), ...references.slice(-LOOKED_FOR)]
      : references;
  const ids = [...listed, inReplyTo].flatMap((id) => bareId(id) || []);
  return [...new Set(ids)];
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
