import { insertRows } from '../database/insert-rows.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { logContextField } from '../log.ts';
import type { JobContract } from './define-job.ts';

/**
 * Enqueues a job as part of the caller's transaction: it runs if, and only if, the transaction
 * commits. After the commit the relay announces it to the workers. If that fails, the sweep finds
 * its row.
 */
export async function enqueue<P extends object>(ctx: TxCtx, job: JobContract<P>, payload: P): Promise<void> {
  await enqueueAll(ctx, job, [{ payload, causeId: causeOf(ctx) }]);
}

/** Enqueues many jobs of one kind with one statement. */
export async function enqueueAll<P extends object>(
  ctx: TxCtx,
  job: JobContract<P>,
  requests: readonly { payload: P; causeId: string | null }[],
): Promise<void> {
  if (requests.length === 0) return;
  const now = new Date();
  const facts = { jobName: job.name, availableAt: now, createdAt: now };
  const asked = requests.map(({ payload, causeId }) => ({ ...facts, ...checkedPayload(job, payload), causeId }));
  const ids = await insertRows(ctx, OutboxRow, asked);
  const rows = asked.map((row, index) => OutboxRow.build({ ...row, id: ids[index], relayedAt: null }));
  ctx.tx.afterCommit(() => ctx.app.relay.announce(rows));
}

function checkedPayload<P extends object>(job: JobContract<P>, payload: P): { payload: P; dedupeId: string } {
  const checked = job.payload.parse(payload);
  const dedupeId = job.dedupe(checked);
  if (dedupeId.includes(':') || dedupeId.length > 128) throw new Error('a de-duplication id has no colon and is short');
  return { payload: checked, dedupeId };
}

/** The id of what caused a job: the mail id of the log context, else that of the request. */
export function causeOf(ctx: Ctx): string | null {
  const mailId = logContextField('mailId');
  const cause = typeof mailId === 'string' ? mailId : ctx.requestId;
  // The column is ASCII: an id that a client chose must not fail the transaction
  return cause.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 64) || null;
}
