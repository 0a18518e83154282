import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { removeMessageIfUnreferenced } from './remove-unreferenced.ts';

const messagesOfStep = 1000;

/** The result of one step over the messages. */
export interface UnusedStep {
  /** The last message that was checked; null when there is none after it. */
  last: string | null;
  removed: number;
}

/**
 * Removes the messages that no person has, and no delivery or copy needs, among the next thousand
 * past `after`. The rows alone decide what is removed. So this also removes messages whose job was
 * lost with Redis, or was never enqueued.
 */
export async function removeUnusedMessages(ctx: Ctx, after: string, signal?: AbortSignal): Promise<UnusedStep> {
  const rows = await readRows<{ id: string; isUnused: number }>(
    ctx,
    `SELECT m.id,
            NOT EXISTS (SELECT 1 FROM mailbox_entries e FORCE INDEX (entries_message)
                         WHERE e.message_id = m.id AND e.folder <> 'gone')
              AND NOT EXISTS (SELECT 1 FROM deliveries d FORCE INDEX (deliveries_message)
                             WHERE d.message_id = m.id AND d.state IN ('held', 'queued'))
              AND NOT EXISTS (SELECT 1 FROM copied_entries c FORCE INDEX (copied_entries_message)
                             WHERE c.message_id = m.id)
              AS isUnused
       FROM messages m FORCE INDEX (PRIMARY) WHERE m.id > ? ORDER BY m.id LIMIT ${messagesOfStep}`,
    [after],
  );
  const unused = rows.filter(({ isUnused }) => Number(isUnused) === 1).map(({ id }) => String(id));
  const removed = await workThrough(unused, async (id) => (await removeMessageIfUnreferenced(ctx, id)) === 'removed', {
    failure: 'a message that no person has could not be removed',
    signal,
  });
  const last = rows.length < messagesOfStep ? null : String(rows.at(-1)?.id);
  return { last, removed };
}
