import { OutboxRow } from '../models/outbox-row.ts';
import type { TxCtx } from '../runtime/context.ts';
import { logContextField } from '../runtime/log.ts';
import type { JobContract } from './define-job.ts';

/**
 * Asks for a job as part of the caller's transaction: it happens if, and only if, the transaction commits. After the commit it is
 * announced to the workers; if that fails, the sweep finds the row.
 */
export async function enqueue<P extends object>(
  ctx: TxCtx,
  job: JobContract<P>,
  payload: P,
  options: { delayMs?: number } = {},
): Promise<void> {
  const checked = job.payload.parse(payload);
  const dedupeId = job.dedupe(checked);
  if (dedupeId.includes(':') || dedupeId.length > 128) throw new Error('a de-duplication id has no colon and is short');
  const now = Date.now();
  const row = await OutboxRow.create(
    {
      jobName: job.name,
      payload: checked,
      dedupeId,
      causeId: causeOf(ctx),
      availableAt: new Date(now + (options.delayMs ?? 0)),
      relayedAt: null,
      createdAt: new Date(now),
    },
    { transaction: ctx.tx },
  );
  ctx.tx.afterCommit(() => ctx.app.relay.announce(row));
}

function causeOf(ctx: TxCtx): string | null {
  const mailId = logContextField('mailId');
  const cause = typeof mailId === 'string' ? mailId : ctx.requestId;
  // The column is ASCII: an id that a client chose must not fail the transaction.
  return cause.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 64) || null;
}
