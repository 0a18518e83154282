import type { Ctx } from '@selvage/core/context/context';
import { changeRows } from '@selvage/core/database/run-sql';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { inboundOf, rawMessage } from '@selvage/core/mailstore/test-messages';
import type { Mailbox } from './factories.ts';

/** A message of a conversation. */
export interface Written {
  /** Names the first message of the conversation. */
  root: string;
  subject: string;
  from?: string;
  body?: string;
  /** Whether the body is HTML. */
  isHtml?: boolean;
  /** How many days ago the message arrived. */
  daysAgo?: number;
}

/** Receives a message of a conversation. Returns the id of its entry. */
export async function write(ctx: Ctx, mailbox: Mailbox, written: Written): Promise<string> {
  const { root, subject, from = 'Bea Sender <bea@sender.test>', body, isHtml = false, daysAgo = 0 } = written;
  const raw = rawMessage({ references: `<${root}@x.test>`, subject, ...(body ? { body } : {}) });
  const text = raw
    .toString()
    .replace('From: Bea Sender <bea@sender.test>', `From: ${from}`)
    .replace('text/plain', isHtml ? 'text/html' : 'text/plain');
  const [id = ''] = (await storeInbound(ctx, inboundOf(Buffer.from(text), [mailbox]))).entryIds;
  if (daysAgo > 0) {
    const earlier = `- INTERVAL ${daysAgo} DAY`;
    await changeRows(ctx, `UPDATE mailbox_entries SET arrived_at = arrived_at ${earlier} WHERE id = ?`, [id]);
    await changeRows(
      ctx,
      `UPDATE folder_threads t JOIN mailbox_entries e ON e.id = t.newest_id AND e.folder_id = t.folder_id
          SET t.newest_at = e.arrived_at WHERE e.id = ?`,
      [id],
    );
  }
  return id;
}
