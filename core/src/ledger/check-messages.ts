import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { Period } from './account-for-mail.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';

const faults = [
  { kind: 'message_without_rows', what: 'messages without a row' },
  { kind: 'copies_without_rows', what: 'messages with more received copies than rows that say so' },
] as const;

/**
 * The position of the fault of a message, or null. The rows and the copies of a message are counted
 * from indexes alone. Rows forget the message when their person is permanently deleted, while a
 * backup of that person's mail may still keep it (D54). What a person is still writing
 * has no rows (D40).
 */
const faultOf = `(
  SELECT CASE WHEN COUNT(*) = 0
                   THEN IF(EXISTS (SELECT 1 FROM copied_entries c WHERE c.message_id = m.id)
                           OR EXISTS (SELECT 1 FROM mailbox_entries w WHERE w.message_id = m.id AND w.draft_status),
                           NULL, 0)
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
  for (const [index, fault] of faults.entries()) {
    const count = Number(found.find((row) => row.fault !== null && Number(row.fault) === index)?.count ?? 0);
    if (count === 0) continue;
    const rows = await readRows<{ mailId: string }>(
      ctx,
      `SELECT m.mail_id AS mailId FROM ${messagesOf} AND ${faultOf} = ? LIMIT ${mostExamples}`,
      [from, to, index],
    );
    problems.push({ ...fault, count, examples: rows.map(({ mailId }) => mailId) });
  }
  return problems;
}
