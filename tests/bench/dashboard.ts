/**
 * Measures how long the calls of the home page take on a large host; see `./ops/bench/dashboard`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '@selvage/core/context/app';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { configureLog } from '@selvage/core/log';
import { createApp } from '../../admin-api/src/create-app.ts';
import { print, printError } from '../../ops/print.ts';
import { ApiClient } from '../support/api-client.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const rows = Number(process.env['ROWS'] ?? 10_000_000);
/** Over how many days the rows of the ledger are spread. */
const days = Number(process.env['DAYS'] ?? 60);
const people = Number(process.env['PEOPLE'] ?? 500_000);
const companies = 1000;
/** Refused logins of the last day, as in a flood. */
const refusedSignIns = 200_000;
const atOnce = 500_000;
const rounds = 9;
const mostMs = 100;

/**
 * A fifth of the people and of the mail belongs to the first company, so that its administrator has
 * much data as well. The other companies share the rest.
 */
const companyOf = (first: string): string => `${first} + IF(seq % 5 = 0, 0, 1 + seq % ${companies - 1})`;

async function fill(app: App, first: string): Promise<void> {
  const run = (statement: string) => app.db.query(statement);
  await run(`INSERT INTO companies (id, name, email, industry, storage_limit, created_at, updated_at)
    SELECT ${first} + seq, CONCAT('Mill ', seq), CONCAT('office@mill', seq, '.test'), 'Cotton', 1e11, NOW(3), NOW(3)
      FROM seq_1_to_${companies - 1}`);
  await run(`INSERT INTO clients (company_id, fname, lname, personal_email, business_email, created_at, updated_at)
    SELECT id, 'Meera', 'Shah', email, email, NOW(3) - INTERVAL id % 1000 DAY, NOW(3) FROM companies WHERE industry = 'Cotton'`);
  await run(`INSERT INTO domains (company_id, domain_name, verified_at, health, checked_at, next_check_at, created_at, updated_at)
    SELECT id, CONCAT('mill', id, '.test'), NOW(3), id % 5, NOW(3), NOW(3), NOW(3), NOW(3) FROM companies WHERE industry = 'Cotton'`);
  await run(`INSERT INTO domain_health (domain_id, facts, watches, problems, created_at, updated_at)
    SELECT id, '{}', '{}', '[{"code":"no_mx","level":"error","text":"No MX record"}]', NOW(3), NOW(3)
      FROM domains WHERE domain_name LIKE 'mill%'`);
  await inParts('people', people, async (from, to) => {
    await run(`INSERT INTO users (company_id, role_id, email, password_hash, fname, lname, created_at, updated_at)
      SELECT ${companyOf(first)}, (SELECT MIN(id) FROM roles), CONCAT('p', seq, '@bench.test'), '', 'Ana', CONCAT('Family', seq % 977),
             NOW(3) - INTERVAL (seq * 189) SECOND, NOW(3) FROM seq_${from}_to_${to}`);
  });
  for (const role of ['inbox', 'sent']) {
    await run(`INSERT INTO folders (company_id, user_id, role, uid_validity, bytes)
      SELECT company_id, id, '${role}', 1, 1000 + id * 7919 % 5000000 FROM users WHERE email LIKE '%@bench.test'`);
  }
  await run(`INSERT INTO company_use (company_id, bytes, fill, counted_at)
    SELECT company_id, SUM(bytes), SUM(bytes) / 1e8, NOW(3) FROM folders GROUP BY company_id`);
  await fillGrowth(app);
  await run(`INSERT INTO audit_events (company_id, action, address, created_at)
    SELECT IF(seq % 3 = 0, NULL, ${companyOf(first)}), ELT(1 + seq % 4, 'session:refused', 'session:refused', 'mail-login:refused', 'session:start'),
           CONCAT('192.0.', seq % 200, '.', seq % 251), NOW(3) - INTERVAL (seq * 86400 / ${refusedSignIns}) SECOND
      FROM seq_1_to_${Math.ceil((refusedSignIns * 4) / 3)}`);
  await inParts('rows of the ledger', rows, async (from, to) => {
    await run(`INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason, answers,
                                       next_attempt_at, created_at, updated_at)
      SELECT ${companyOf(first)}, CONCAT('bench', seq), IF(seq % 10 < 2, 'out', 'in'), CONCAT('p', seq % 50000, '@c', seq % 1000, '.test'),
             CONCAT('c', seq % 1000, '.test'), CONCAT('u', seq % 300000, '@d', seq % 5000, '.example'),
             CASE WHEN seq % 10 = 2 THEN 'refused' WHEN seq % 10 > 2 THEN 'stored' WHEN seq % 300 = 0 THEN 'bounced'
                  WHEN seq > ${rows} * 0.99 AND seq % 20 = 0 THEN 'queued' WHEN seq % 5000 = 0 THEN 'held' ELSE 'relayed' END,
             'stored_locally', 1 + seq % 3,
             IF(seq > ${rows} * 0.99 AND seq % 20 = 0, NOW(3), NULL),
             NOW(3) - INTERVAL ((${rows} - seq) / ${rows} * ${days} * 86400) SECOND, NOW(3)
        FROM seq_${from}_to_${to}`);
  });
  await run(`INSERT INTO ledger_days (day, accounts, problems, difference, proofs, proved_at)
    SELECT CURRENT_DATE - INTERVAL seq DAY, '{"in":{},"out":{}}', '[]', 0, 1, NOW(3) FROM seq_1_to_30`);
  await run(
    'ANALYZE TABLE companies, clients, domains, users, folders, company_use, growth_slots, audit_events, deliveries',
  );
}

/** Fills the growth counters as the migration that adds them counts existing rows. */
async function fillGrowth(app: App): Promise<void> {
  for (const company of ['0', 'company_id']) {
    for (const table of ['users', 'clients']) {
      await app.db.query(`INSERT INTO growth_slots (company_id, slot_at, ${table})
        SELECT ${company}, FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(created_at) / 900) * 900), COUNT(*)
          FROM ${table} WHERE deleted_at IS NULL GROUP BY 1, 2
        ON DUPLICATE KEY UPDATE ${table} = VALUES(${table})`);
    }
  }
}

async function inParts(what: string, all: number, work: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 1; from <= all; from += atOnce) {
    const to = Math.min(all, from + atOnce - 1);
    await work(from, to);
    print(`${to} of ${all} ${what} are there`);
  }
}

/** Runs work with an API whose caches are empty, as after a start, on a separate port. */
async function withApi<R>(app: App, work: (url: string) => Promise<R>): Promise<R> {
  const server = createServer((request, response) => void handle(request, response));
  const handle = createApp(app).callback();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const questions = {
  'growth of this month': '/superadmin/dashboard/growth?filter=month&time_zone=Asia/Kolkata',
  'growth of ten years': `/superadmin/dashboard/growth?filter=range&startDate=${dayAgo(3650)}&endDate=${dayAgo(0)}&time_zone=Asia/Kolkata`,
  'mail by hour': '/superadmin/dashboard/mail',
  storage: '/superadmin/dashboard/storage',
  'refused sign-ins': '/superadmin/dashboard/sign-ins',
  'domains with a problem': '/domain/health/get/all?health=error&limit=5',
};
const ofTheHost = { 'proof of the ledger': '/superadmin/dashboard/ledger', health: '/superadmin/dashboard/host' };

function dayAgo(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
}

async function measure(app: App, person: Mailbox, what: string, asked: Record<string, string>): Promise<boolean> {
  const client = await withApi(app, async (url) => {
    const one = new ApiClient({ app, url });
    await one.signIn(person.user.email, person.password);
    return one;
  });
  let isFast = true;
  for (const [name, path] of Object.entries(asked)) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const ms = await withApi(app, async (url) => {
        const caller = Object.assign(new ApiClient({ app, url }), { token: client.token });
        // Loads the person and opens the connection before the measurement
        await caller.data('GET', '/user/info');
        const begin = performance.now();
        await caller.data('GET', path);
        return performance.now() - begin;
      });
      times.push(ms);
    }
    // The first call finds a cold database and empty caches
    const first = times.shift() ?? 0;
    const middle = median(times);
    const [least, most] = [Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(1));
    print(
      `${what}, ${name}: ${middle.toFixed(1)} ms, ${least} to ${most}, at first ${first.toFixed(1)} (limit ${mostMs})`,
    );
    if (middle > mostMs) isFast = false;
    if (middle > mostMs) printError(`${what}, ${name} takes more than ${mostMs} ms`);
  }
  return isFast;
}

configureLog({ level: 'error', process: 'bench' });
await withPrivateApp(async (app) => {
  const tenant = await buildCompany(app, { isProvider: true });
  const staff = await buildMailbox(app, { tenant, roleNumber: builtInRole.superAdmin });
  const admin = await buildMailbox(app, { roleNumber: builtInRole.admin });
  await fill(app, String(admin.company.id));
  const fast = [
    await measure(app, staff, 'host', { ...questions, ...ofTheHost }),
    await measure(app, admin, 'a company with a fifth of it', questions),
  ];
  process.exitCode = fast.every(Boolean) ? 0 : 1;
});
// The API watches the files of the web app, which would keep the process running
process.exit();
