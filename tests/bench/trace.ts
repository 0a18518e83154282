/** Measures how long searches of the message trace take; see `./ops/bench/trace`. */
import type { App } from '@selvage/core/context/app';
import type { Scope } from '@selvage/core/context/actor';
import { systemContext } from '@selvage/core/context/context';
import { domainOf } from '@selvage/core/mail/address-rules';
import { findDeliveries, type TraceQuestion } from '@selvage/core/trace/find-deliveries';
import { print, printError } from '../../ops/print.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';

const rows = Number(process.env['ROWS'] ?? 10_000_000);
const atOnce = 1_000_000;
const mostMs = 150;
/** The year over which all rows are spread. */
const year = { from: new Date('2025-11-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') };

const facts = JSON.stringify({
  a: ['mx.sender.example', '192.0.2.10', 'ESMTPS', 'TLSv1.3 TLS_AES_256_GCM_SHA384'],
  c: [['pass', 'sender.example'], [['pass', 'sender.example']], ['pass', 'reject']],
});

/**
 * Inserts mail of a thousand companies. A fifth of it comes from one sender who writes to all of
 * them, and a tenth goes to one large outside domain.
 */
async function fill(app: App, companyId: string): Promise<void> {
  const moment = `'2025-11-01 00:00:00' + INTERVAL FLOOR(seq / ${rows} * 31536000) SECOND`;
  const company = `${companyId} + seq % 1000`;
  // A tenth of each company's mail is outgoing
  const isOut = '(seq + seq DIV 1000) % 10 = 0';
  for (let first = 1; first <= rows; first += atOnce) {
    const last = Math.min(rows, first + atOnce - 1);
    await app.db.query(
      `INSERT INTO messages (id, mail_id, blob_key, size, trace_headers, message_id_header, thread_key, envelope_from, to_list, cc_list,
                             created_at, updated_at)
       SELECT seq, CONCAT('bench', seq), SHA2(seq, 256), 4096, '', CONCAT('<', seq, '@bench.test>'), SHA2(seq, 256), 'a@bench.test', '[]',
              '[]', ${moment}, NOW(3) FROM seq_${first}_to_${last}`,
    );
    await app.db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                               created_at, updated_at, message_id_hash, facts)
       SELECT ${company}, seq, CONCAT('bench', seq), IF(${isOut}, 'out', 'in'),
              IF(${isOut}, CONCAT('User', seq % 70000, '@big.example'), CONCAT('p', seq % 50000, '@c', seq % 1000, '.test')),
              IF(${isOut}, 'big.example', CONCAT('c', seq % 1000, '.test')),
              IF(seq % 5 = 1, 'noreply@news.example', CONCAT('u', seq % 300000, '@d', seq % 5000, '.example')),
              ELT(1 + (seq % 50 = 0), IF(${isOut}, 'relayed', 'stored'), 'bounced'), 'stored_locally', ${moment}, NOW(3),
              CONV(LEFT(SHA2(CONCAT(seq, '@bench.test'), 256), 16), 16, 10), '${facts}'
         FROM seq_${first}_to_${last}`,
    );
    print(`${last} of ${rows} rows are there`);
  }
  await app.db.query('ANALYZE TABLE messages, deliveries');
}

/**
 * Inserts what a large company of this host sent to the others: a twentieth as much mail as all of
 * them have together, and one message of it to the company that searches.
 */
async function fillNeighbour(app: App, { company, user }: Mailbox, recipient: string): Promise<void> {
  const moment = `'2025-11-01 00:00:00' + INTERVAL FLOOR(seq / ${rows} * 31536000) SECOND`;
  await app.db.query(
    `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                             created_at, updated_at)
     SELECT ${company.id}, seq, CONCAT('bench', seq), 'out', CONCAT('p', seq % 50000, '@c', 1 + seq % 999, '.test'),
            CONCAT('c', 1 + seq % 999, '.test'), '${user.email}', 'stored', 'stored_locally', ${moment}, NOW(3)
       FROM seq_1_to_${rows}_step_20`,
  );
  await app.db.query(
    `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                             created_at, updated_at)
     VALUES (${company.id}, 1, 'bench1', 'out', '${recipient}', '${domainOf(recipient)}', '${user.email}', 'stored', 'stored_locally',
             '2026-06-01', NOW(3))`,
  );
  await app.db.query('ANALYZE TABLE deliveries');
}

/** The median of five runs, after one that warms up the caches. */
async function measure(app: App, scope: Scope, question: Omit<TraceQuestion, 'from' | 'to'>) {
  const times: number[] = [];
  let total = 0;
  for (let round = 0; round < 6; round += 1) {
    const begin = performance.now();
    const found = await findDeliveries(systemContext(app), scope, { ...year, ...question }, { offset: 0, limit: 40 });
    if (round > 0) times.push(performance.now() - begin);
    total = found.total;
  }
  return { ms: times.toSorted((a, b) => a - b)[2] ?? 0, total };
}

await withPrivateApp(async (app) => {
  const { company, domain, user } = await buildMailbox(app);
  await domain.update({ verifiedAt: year.from });
  const neighbour = await buildMailbox(app);
  await fill(app, String(company.id));
  await fillNeighbour(app, neighbour, user.email);
  const host: Scope = { kind: 'host' };
  const own: Scope = { kind: 'company', companyId: String(company.id) };
  const searches = [
    'p41000@c0.test',
    'user140@BIG.example',
    'noreply@news.example',
    'd0.example',
    'big.example',
    'news.example',
    `<${Math.floor(rows / 2)}@bench.test>`,
    `bench${Math.floor(rows / 2)}`,
    'nobody@nowhere.example',
    neighbour.user.email,
    neighbour.domain.domainName,
  ];
  for (const [name, scope] of Object.entries({ host, own })) {
    for (const search of searches) report(`${name} ${search}`, await measure(app, scope, { search }), mostMs);
    for (const search of ['p41000@c0.test', 'c0.test', 'big.example']) {
      report(`${name} to ${search}`, await measure(app, scope, { search, party: 'recipient' }), mostMs);
    }
    report(`${name} everything`, await measure(app, scope, {}), mostMs);
    const bounced = { states: ['bounced' as const] };
    report(
      `${name} bounced big.example`,
      await measure(app, scope, { search: 'big.example', ...bounced }),
      10 * mostMs,
    );
  }
});

function report(what: string, { ms, total }: { ms: number; total: number }, limit: number): void {
  print(`${what}: ${ms.toFixed(0)} ms, ${total} found (limit ${limit})`);
  if (ms <= limit) return;
  printError(`${what} takes more than ${limit} ms`);
  process.exitCode = 1;
}
