import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { Period } from './account-for-mail.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';

const faults = ['messages without a row', 'messages with more received copies than rows that say so'];

/**
 * The position of the fault of a message, or null. The rows and the copies of a message are counted
 * from indexes alone.
 */
const faultOf = `(
  SELECT CASE WHEN COUNT(*) = 0 THEN 0
              WHEN SUM(d.state = 'stored') <
                   (SELECT COUNT(*) FROM mailbox_entries e WHERE e.message_id = m.id AND e.received_status) THEN 1 END
    FROM deliveries d WHERE d.message_id = m.id)`;

const messagesOf = 'messages m FORCE INDEX (messages_day) WHERE m.created_at >= ? AND m.created_at < ?';

/** Finds the messages of a period that rows of the ledger don't account for. */
export async function checkMessages(ctx: Ctx, { from, to }: Period): Promise<LedgerProblem[]> {
  const found = await readRows<{ fault: number | null; count: number }>(
    ctx,
    `SELECT ${faultOf} AS fault, COUNT(*) AS count FROM ${messagesOf} GROUP BY fault`,
    [from, to],
  );
  const problems: LedgerProblem[] = [];
  for (const [index, what] of faults.entries()) {
    const count = Number(found.find(({ fault }) => fault !== null && Number(fault) === index)?.count ?? 0);
    if (count === 0) continue;
    const rows = await readRows<{ mailId: string }>(
      ctx,
      `SELECT m.mail_id AS mailId FROM ${messagesOf} AND ${faultOf} = ? LIMIT ${mostExamples}`,
      [from, to, index],
    );
    problems.push({ what, count, examples: rows.map(({ mailId }) => mailId) });
  }
  return problems;
}
