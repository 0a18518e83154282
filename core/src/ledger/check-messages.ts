import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { Period } from './account-for-mail.ts';
import type { Condition } from './id-range.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';
import { type Proved, unprovedCondition } from './prove-by-sums.ts';

const faults = [
  { kind: 'message_without_rows', what: 'messages without a row' },
  { kind: 'copies_without_rows', what: 'messages with more received copies than rows that say so' },
  { kind: 'recipients_without_rows', what: 'messages with fewer rows than recipients' },
  { kind: 'rows_without_recipients', what: 'messages with more rows than recipients' },
] as const;

/**
 * How many rows name a message, from an index alone. Rows lose the reference when their person is
 * permanently deleted (see `erase-rows.ts`).
 */
const rowsOfMessage = '(SELECT COUNT(*) FROM deliveries r FORCE INDEX (deliveries_message) WHERE r.message_id = m.id)';

/**
 * How many rows a message has. They keep its mail id in any case. Rows of recipients that were
 * refused in the same transaction have the same mail id, and are not counted. A repeat has a mail
 * id of its own.
 */
const keptRows = `(
  SELECT (SELECT COUNT(*) FROM deliveries k FORCE INDEX (deliveries_mail)
           WHERE k.mail_id = t.mail_id AND k.state <> 'refused')
       + (SELECT COUNT(*) FROM deliveries k FORCE INDEX (deliveries_message)
           WHERE k.message_id = t.id AND k.mail_id <> t.mail_id)
    FROM messages t WHERE t.id = m.id)`;

/**
 * A condition: rows of a message are lost, or it has too many. For most messages, the rows are only
 * counted in an index.
 */
const otherRowsCondition = `CASE WHEN ${rowsOfMessage} = m.ledger_rows THEN FALSE ELSE ${keptRows} <> m.ledger_rows END`;

/**
 * The position of the fault of a message in `faults`, or null. The rows and the copies of a message
 * are counted from indexes alone. Old messages without a count of rows may have none for two
 * reasons: rows lose their message when their person is permanently deleted, while a backup of that
 * person's mail may still keep it (D54), and drafts have no rows (D40).
 */
const faultOf = `CASE
  WHEN m.ledger_rows IS NOT NULL AND ${otherRowsCondition}
    THEN CASE WHEN ${keptRows} = 0 THEN 0 WHEN ${keptRows} < m.ledger_rows THEN 2 ELSE 3 END
  ELSE (
    SELECT CASE WHEN COUNT(*) = 0 AND m.ledger_rows IS NULL
                     THEN IF(EXISTS (SELECT 1 FROM copied_entries c WHERE c.message_id = m.id)
                             OR EXISTS (SELECT 1 FROM mailbox_entries w WHERE w.message_id = m.id AND w.draft_status),
                             NULL, 0)
                WHEN COALESCE(SUM(d.state = 'stored'), 0) <
                     (SELECT COUNT(*) FROM mailbox_entries e WHERE e.message_id = m.id AND e.received_status) THEN 1 END
      FROM deliveries d WHERE d.message_id = m.id) END`;

const messagesOf = 'messages m FORCE INDEX (messages_day) WHERE m.created_at >= ? AND m.created_at < ?';

/** Finds the messages of a period that rows of the ledger don't account for. */
export async function checkMessages(ctx: Ctx, period: Period, proved: Proved): Promise<LedgerProblem[]> {
  if (proved.ids !== null && proved.doubts.length === 0) return [];
  return await findFaults(ctx, period, unprovedCondition('m.id', proved));
}

async function findFaults(ctx: Ctx, { from, to }: Period, unproved: Condition): Promise<LedgerProblem[]> {
  const asked = { sql: `${messagesOf} AND ${unproved.sql}`, values: [from, to, ...unproved.values] };
  const found = await readRows<{ fault: number | null; count: number }>(
    ctx,
    `SELECT ${faultOf} AS fault, COUNT(*) AS count FROM ${asked.sql} GROUP BY fault`,
    asked.values,
  );
  const problems: LedgerProblem[] = [];
  for (const [index, fault] of faults.entries()) {
    const count = Number(found.find((row) => row.fault !== null && Number(row.fault) === index)?.count ?? 0);
    if (count === 0) continue;
    const rows = await readRows<{ mailId: string }>(
      ctx,
      `SELECT m.mail_id AS mailId FROM ${asked.sql} AND ${faultOf} = ? LIMIT ${mostExamples}`,
      [...asked.values, index],
    );
    problems.push({ ...fault, count, examples: rows.map(({ mailId }) => mailId) });
  }
  return problems;
}
