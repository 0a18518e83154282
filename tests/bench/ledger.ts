/** `./ops/bench/ledger`: how long the proof of a day takes; see there. */
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { checkDay } from '@selvage/core/ledger/check-day';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';

const rows = Number(process.env['ROWS'] ?? 10_000_000);
const atOnce = 1_000_000;
/** Seconds for so many rows, since ten million may take a minute. */
const mostSeconds = (60 * rows) / 10_000_000;
const day = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };

/**
 * A day on which each message came in for one person: a message, an entry and a row of the ledger.
 */
async function fill(app: App): Promise<void> {
  const { user } = await buildMailbox(app);
  const moment = `'2026-11-01 00:00:00' + INTERVAL FLOOR(seq / ${rows} * 86000) SECOND`;
  for (let first = 1; first <= rows; first += atOnce) {
    const last = Math.min(rows, first + atOnce - 1);
    await app.db.query(
      `INSERT INTO messages (id, mail_id, blob_key, size, trace_headers, thread_key, envelope_from, to_list, cc_list, ledger_rows, created_at, updated_at)
       SELECT seq, CONCAT('bench', seq), SHA2(seq, 256), 4096, REPEAT('x', 500), SHA2(seq, 256), 'a@bench.test', '[]', '[]', 1,
              ${moment}, NOW(3) FROM seq_${first}_to_${last}`,
    );
    await app.db.query(
      `INSERT INTO mailbox_entries (id, company_id, user_id, message_id, folder, received_status, thread_key, arrived_at, created_at, updated_at)
       SELECT seq, ${user.companyId}, ${user.id}, seq, 'inbox', 1, SHA2(seq, 256), NOW(3), NOW(3), NOW(3) FROM seq_${first}_to_${last}`,
    );
    await app.db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                               entry_id, created_at, updated_at)
       SELECT ${user.companyId}, seq, CONCAT('bench', seq), 'in', 'a@b.test', 'b.test', 'c@d.test', 'stored', 'stored_locally', seq,
              ${moment}, NOW(3) FROM seq_${first}_to_${last}`,
    );
    print(`${last} of ${rows} rows are there`);
  }
  await app.db.query('ANALYZE TABLE messages, mailbox_entries, deliveries');
}

await withPrivateApp(async (app) => {
  await fill(app);
  const begin = performance.now();
  const { accounts, problems } = await checkDay(systemContext(app), day);
  const seconds = (performance.now() - begin) / 1000;
  print(`${accounts.in.accepted} rows: ${seconds.toFixed(1)} s (limit ${mostSeconds})`);
  if (problems.length > 0 || accounts.in.accepted !== rows) printError('the ledger was not as it was filled');
  if (seconds > mostSeconds) printError(`the proof of a day takes more than ${mostSeconds} s`);
  process.exitCode = problems.length > 0 || accounts.in.accepted !== rows || seconds > mostSeconds ? 1 : 0;
});
