/** Measures the cost of reading a long outgoing queue; see `./ops/bench/outbound-queue`. */
import type { Scope } from '@selvage/core/context/actor';
import { systemContext } from '@selvage/core/context/context';
import { findDueByDomain, queueAndFindDue } from '@selvage/core/outbound/find-due';
import { findQueueGroups } from '@selvage/core/outbound/queue-groups';
import { print } from '../../ops/print.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const rows = Number(process.env['ROWS'] ?? 1_000_000);
const domains = Number(process.env['DOMAINS'] ?? 20_000);
const repeats = 9;

async function timed(what: string, look: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < repeats; i += 1) {
    const begin = performance.now();
    await look();
    times.push(performance.now() - begin);
  }
  const middle = median(times);
  print(`${what}: ${middle.toFixed(1)} ms`);
}

await withPrivateApp(async (app) => {
  const busy = 1;
  const fill = (count: number, domain: string, due: string) =>
    app.db.query(
      `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, next_attempt_at,
                               created_at, updated_at)
       SELECT IF(seq % 10 > 0, ${busy}, ${busy} + 1 + seq % 1000), 'bench', 'out', CONCAT('u', seq, '@bench.test'), ${domain}, 'a@bench.test', 'queued', ${due}, NOW(3), NOW(3) FROM seq_1_to_${count}`,
    );
  await fill(rows, "'dead.test'", "'2020-01-01'");
  await fill(domains, "CONCAT('waiting', seq, '.test')", "'2099-01-01'");
  await fill(domains, "CONCAT('due', seq, '.test')", "'2021-01-01'");
  await app.db.query('ANALYZE TABLE deliveries');
  const ctx = systemContext(app);
  const isFull = (domain: string) => domain === 'dead.test';
  await timed('the longest due ones', () => queueAndFindDue(ctx, { withRunOutLeases: true }));
  await timed('a step from domain to domain', () =>
    findDueByDomain(ctx, { withRunOutLeases: true }, { after: '', most: 20, isFull }),
  );

  await timed('a step among domains that are not due yet', async () => {
    await findDueByDomain(ctx, { withRunOutLeases: true }, { after: 'waiting', most: 20, isFull });
  });
  const companies = {
    'the whole host': null,
    'the company that has most': busy,
    'a company that has little': busy + 11,
  };
  for (const [whose, id] of Object.entries(companies)) {
    const scope: Scope = id === null ? { kind: 'host' } : { kind: 'company', companyId: String(id) };
    await timed(`the queue of ${whose}`, () => findQueueGroups(ctx, scope, { limit: 10, offset: 0 }));
  }
});
