/** Measures how long the proof of a day takes; see `./ops/bench/ledger`. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { checkDay } from '@selvage/core/ledger/check-day';
import { print, printError } from '../../ops/print.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { buildMailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { startPrivateStack } from './private-stack.ts';

const rows = Number(process.env['ROWS'] ?? 10_000_000);
const atOnce = 1_000_000;
/** The most seconds that the proof may take for this many rows: a minute for ten million. */
const mostSeconds = (60 * rows) / 10_000_000;
const reader = 'a@bench.test';
/** The lowest speed of inbound mail during a proof, in percent of its speed without one. */
const leastShare = 80;
const warmUpMs = 25_000;
const aloneMs = 15_000;
const day = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };

/**
 * Fills a day on which each message arrived for one person: a message, an entry and a row of the
 * ledger for each.
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

/** Proves the day, which must find every row. Returns how many seconds it took. */
async function prove(app: App): Promise<number> {
  const begin = performance.now();
  const { accounts, problems } = await checkDay(systemContext(app), day);
  const seconds = (performance.now() - begin) / 1000;
  if (problems.length > 0 || accounts.in.accepted !== rows) throw new Error('the ledger was not as it was filled');
  return seconds;
}

function judge(what: string, seconds: number): void {
  print(`${rows} rows ${what}: ${seconds.toFixed(1)} s (limit ${mostSeconds})`);
  if (seconds <= mostSeconds) return;
  printError(`the proof of a day takes more than ${mostSeconds} s ${what}`);
  process.exitCode = 1;
}

/** Starts a stack on the same engines, and `smtp-source`. The returned function stops both. */
async function startMail(app: App): Promise<() => Promise<void>> {
  // Otherwise the workers would prove the day themselves, and look for blobs, which do not exist
  await app.db.query('UPDATE sweep_steps SET due_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY');
  await app.db.query(
    `REPLACE INTO ledger_days (day, accounts, problems, proofs, proved_at)
     SELECT DATE(UTC_TIMESTAMP() - INTERVAL seq DAY), '{}', '[]', 1, UTC_TIMESTAMP(3) FROM seq_0_to_40`,
  );
  const dns = await startDnsServer({ 'bench.invalid': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } });
  const stack = await startPrivateStack({
    DATABASE_URL: app.config.databaseUrl,
    REDIS_URL: app.config.redisUrl,
    SELVAGE_HOSTNAME: 'host.bench.test',
    SELVAGE_ADMIN_EMAIL: reader,
    SELVAGE_ADMIN_PASSWORD: 'a long pass phrase',
    DNS_SERVERS: dns.address,
    SMTP_RATE_PER_MINUTE_PER_ADDRESS: '0',
  });
  const envelope = ['-f', 'sender@bench.invalid', '-t', reader];
  const to = `127.0.0.1:${stack.ports.smtp}`;
  const source = spawn('smtp-source', ['-s', '10', '-m', '10000000', '-l', '4096', ...envelope, to]);
  return async () => {
    source.kill();
    await stack.stop();
    await dns.stop();
  };
}

async function besideMail(app: App): Promise<void> {
  const stop = await startMail(app);
  try {
    const ctx = systemContext(app);
    const [{ last } = { last: '0' }] = await readRows<{ last: string }>(
      ctx,
      'SELECT MAX(id) AS last FROM mailbox_entries',
      [],
    );
    const held = async (): Promise<number> => {
      const statement = 'SELECT COUNT(*) AS count FROM mailbox_entries WHERE id > ?';
      return Number((await readRows<{ count: string }>(ctx, statement, [last]))[0]?.count);
    };
    const rateOf = async (work: () => Promise<unknown>): Promise<number> => {
      const [before, begin] = [await held(), performance.now()];
      await work();
      return ((await held()) - before) / ((performance.now() - begin) / 1000);
    };
    await sleep(warmUpMs);
    const before = await rateOf(() => sleep(aloneMs));
    let seconds = 0;
    const meanwhile = await rateOf(async () => {
      seconds = await prove(app);
    });
    const after = await rateOf(() => sleep(aloneMs));
    judge('beside mail', seconds);
    const share = (200 * meanwhile) / (before + after);
    const rates = [before, meanwhile, after].map((rate) => rate.toFixed(0)).join(', ');
    print(`messages a second before, meanwhile and after: ${rates}: ${share.toFixed(0)} % (least ${leastShare})`);
    if (share >= leastShare) return;
    printError(`less than ${leastShare} % of the messages came in meanwhile`);
    process.exitCode = 1;
  } finally {
    await stop();
  }
}

await withPrivateApp(async (app) => {
  await fill(app);
  // During this proof the database still flushes the filled pages, to free memory for what it reads
  print(`the first proof, after which the database is warm: ${(await prove(app)).toFixed(1)} s`);
  judge('alone', await prove(app));
  await besideMail(app);
});
