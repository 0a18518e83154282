/** Measures how long the lists of a large host take; see `./ops/bench/console`. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadActor } from '@selvage/core/access/load-actor';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { listClients } from '@selvage/core/contracts/clients';
import { listCompanies } from '@selvage/core/contracts/companies';
import { listRoles } from '@selvage/core/contracts/roles';
import { listUsers } from '@selvage/core/contracts/users';
import { Domain } from '@selvage/core/models/domain';
import { findClients } from '../../admin-api/src/clients/clients.ts';
import { findCompanies } from '../../admin-api/src/companies/companies.ts';
import { actorContext, type SignedIn } from '../../admin-api/src/http/request-context.ts';
import { findRoles } from '../../admin-api/src/roles/find-roles.ts';
import { findUsers } from '../../admin-api/src/users/find-users.ts';
import { importUsers } from '../../admin-api/src/users/import-users.ts';
import { print, printError } from '../../ops/print.ts';
import { buildCompany, buildMailbox } from '../support/factories.ts';
import { withPrivateApp } from './private-app.ts';
import { median } from './rounds.ts';

const companies = Number(process.env['COMPANIES'] ?? 10_000);
const people = Number(process.env['PEOPLE'] ?? 50);
const repeats = 7;
const mostMs = 100;
const problems: string[] = [];

type Look = (query: Record<string, string>) => Promise<{ total: number }>;

async function timed(what: string, look: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round <= repeats; round += 1) {
    const begin = performance.now();
    await look();
    // The first round warms up
    if (round > 0) times.push(performance.now() - begin);
  }
  const middle = median(times);
  print(`${what}: ${middle.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} (limit ${mostMs})`);
  if (middle > mostMs) problems.push(`${what} takes more than ${mostMs} ms`);
}

/** Inserts companies with their clients, roles, domains and people, by a few statements. */
async function fill(app: App): Promise<void> {
  const now = 'NOW(3), NOW(3)';
  const statements = [
    `INSERT INTO companies (name, email, industry, city, created_at, updated_at)
     SELECT CONCAT(ELT(1 + seq % 5, 'Ambika', 'Surat', 'Weaver', 'Loom', 'Yarn'), ' Mills ', seq), CONCAT('office@mill', seq, '.test'),
            'Cotton', 'Surat', ${now} FROM seq_1_to_${companies}`,
    `INSERT INTO clients (company_id, fname, lname, personal_email, business_email, created_at, updated_at)
     SELECT id, 'Meera', 'Shah', CONCAT('m', id, '@home.example'), email, ${now} FROM companies WHERE NOT is_provider`,
    `INSERT INTO domains (company_id, domain_name, verified_at, created_at, updated_at)
     SELECT id, SUBSTRING_INDEX(email, '@', -1), NOW(3), ${now} FROM companies WHERE industry = 'Cotton'`,
    `INSERT INTO roles (company_id, role_id, role_name, created_at, updated_at)
     SELECT c.id, r.role_id, r.role_name, ${now} FROM companies c
       JOIN (SELECT DISTINCT role_id, role_name FROM roles) r WHERE c.industry = 'Cotton'`,
    `INSERT INTO users (company_id, role_id, domain_id, email, password_hash, fname, lname, created_at, updated_at)
     SELECT c.id, r.id, d.id, CONCAT('p', s.seq, '@', d.domain_name), '',
            ELT(1 + (s.seq * 7 + c.id) % 6, 'Ana', 'Meera', 'Kenji', 'Marta', 'Priya', 'João'), CONCAT('Family', (c.id * 13 + s.seq) % 977),
            NOW(3) - INTERVAL (c.id * ${people} + s.seq) SECOND, NOW(3)
       FROM companies c JOIN roles r ON r.company_id = c.id AND r.role_id = 2 JOIN domains d ON d.company_id = c.id
       JOIN seq_1_to_${people} s WHERE c.industry = 'Cotton'`,
    `INSERT INTO addresses (company_id, domain_id, address, kind, user_id, created_at, updated_at)
     SELECT company_id, domain_id, email, 'mailbox', id, created_at, updated_at FROM users
      WHERE id NOT IN (SELECT user_id FROM addresses WHERE user_id IS NOT NULL)`,
    'ANALYZE TABLE companies, clients, domains, roles, users',
  ];
  for (const statement of statements) await app.db.query(statement);
}

async function signInStaff(app: App): Promise<SignedIn> {
  const tenant = await buildCompany(app, { isProvider: true });
  const { user } = await buildMailbox(app, { tenant, roleNumber: builtInRole.superAdmin });
  const ctx = systemContext(app);
  const loaded = await loadActor(ctx, String(user.id), null);
  if (!loaded) throw new Error('the administrator can’t log in');
  return actorContext(ctx, loaded.actor);
}

async function measureList(name: string, look: Look, searches: string[]): Promise<void> {
  const { total } = await look({});
  await timed(`${name}: first page of ${total}`, () => look({}));
  await timed(`${name}: last page`, () => look({ page: String(Math.ceil(total / 10)) }));
  for (const search of searches) await timed(`${name}: search for ${search}`, () => look({ search }));
}

/**
 * Imports 10,000 people, and prints how long this takes and how long it blocks the event loop at
 * most.
 */
async function measureImport(ctx: SignedIn): Promise<void> {
  const { id, companyId, domainName } = (await Domain.findOne({ order: [['id', 'DESC']] })) ?? {};
  if (!companyId) throw new Error('the host has no domain');
  const lines = Array.from({ length: 10_000 }, (_, index) => `Ana,Weaver,import${index}@${domainName},,,,`);
  const path = join(ctx.app.config.dataDir, `import-${id}.csv`);
  await writeFile(path, ['First name,Last name,Email,Role,Phone,Designation,Country', ...lines].join('\r\n'));
  const { size } = await stat(path);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const begin = performance.now();
  const file = { field: 'file', path, name: 'people.csv', contentType: 'text/csv', size };
  const { people } = await importUsers(ctx, { companyId: String(companyId) }, [file]);
  const seconds = (performance.now() - begin) / 1000;
  const heldMs = delays.max / 1e6;
  print(
    `import of ${people} people: ${seconds.toFixed(1)} s (limit 60), event loop held ${heldMs.toFixed(0)} ms at most`,
  );
  if (seconds > 60) problems.push('an import takes more than 60 s');
  if (heldMs > mostMs) problems.push(`an import holds the event loop for more than ${mostMs} ms`);
}

await withPrivateApp(async (app) => {
  const ctx = await signInStaff(app);
  await fill(app);
  await measureList('companies', (query) => findCompanies(ctx, listCompanies.query!.parse(query)), ['Amb', 'lls 77']);
  await measureList('clients', (query) => findClients(ctx, listClients.query!.parse(query)), ['Mee', 'ill77']);
  await measureList('roles', (query) => findRoles(ctx, listRoles.query!.parse(query)), ['Adm', 'ser']);
  await measureImport(ctx);
  await measureList('users', (query) => findUsers(ctx, listUsers.query!.parse(query)), ['Mar', 'amily77', 'p7@mill77']);
});
for (const problem of problems) printError(problem);
process.exit(problems.length === 0 ? 0 : 1);
