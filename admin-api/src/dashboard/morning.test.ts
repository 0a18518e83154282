import { randomUUID } from 'node:crypto';
import { noteBackup } from '@selvage/core/backup/last-backup';
import type { LedgerProofDto } from '@selvage/core/contracts/ledger-proof';
import type { HostHealthDto, RefusedSignInsDto, StorageUseDto } from '@selvage/core/contracts/morning';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { systemContext } from '@selvage/core/context/context';
import { loadActor } from '@selvage/core/access/load-actor';
import { type ProgramName, writeProcess } from '@selvage/core/environment/host-state';
import { readRefusedLogins } from '@selvage/core/access/refused-logins';
import { countWaiting, latestHours, mailOfHours } from '@selvage/core/ledger/mail-by-hour';
import { proveNextSlice } from '@selvage/core/ledger/prove-days';
import { countCompanies } from '@selvage/core/mailstore/count-companies';
import { fullestCompanies, fullestMailboxes, readCompanyUse } from '@selvage/core/mailstore/fullest';
import { receive } from '@selvage/core/mailstore/test-messages';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import { ensureCertificate } from '@selvage/core/secrets/certificate';
import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../../../tests/support/factories.ts';
import { actorContext } from '../http/request-context.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { readGrowth } from './growth.ts';
import { readHostHealth } from './host-health.ts';
import { readLedgerProof } from './ledger-proof.ts';

let server: TestServer;
let staff: string;
let provider: Tenant;
const dayMs = 86_400_000;

beforeAll(async () => {
  server = await startTestServer();
  provider = await buildCompany(server.app, { isProvider: true });
  staff = await tokenOf(provider, builtInRole.superAdmin);
});

async function tokenOf(tenant: Tenant, roleNumber: number = builtInRole.admin): Promise<string> {
  const { user, password } = await buildMailbox(server.app, { tenant, roleNumber });
  return (await server.signIn(user.email, password)).token;
}

async function ask<T>(what: string, token: string): Promise<T> {
  const { status, body } = await server.call('GET', `/superadmin/dashboard/${what}`, { token });
  expect(status).toBe(200);
  return body.data as T;
}

const ctx = () => systemContext(server.app);

describe('the sum of each day', () => {
  it('is shown to people of the provider with what does not add up, and to no tenant', async () => {
    expect(await ask<LedgerProofDto>('ledger', staff)).toEqual({ days: [], waiting: null });
    const { messageId } = await receive(ctx(), [await buildMailbox(server.app)]);
    const createdAt = new Date(Math.floor(Date.now() / dayMs) * dayMs - 1.5 * dayMs);
    await Message.update({ createdAt }, { where: { id: messageId }, silent: true });
    await Delivery.update({ createdAt, reason: null }, { where: { messageId }, silent: true });
    const day = createdAt.toISOString().slice(0, 10);
    expect(await ask<LedgerProofDto>('ledger', staff)).toMatchObject({ days: [] });
    while (await proveNextSlice(ctx()));
    const { days, waiting } = await ask<LedgerProofDto>('ledger', staff);
    const { mailId } = (await Message.findByPk(messageId)) ?? {};
    expect(waiting).toBeNull();
    expect(days.find((one) => one.day === day)).toMatchObject({
      in: { accepted: 1, stored: 1 },
      out: { accepted: 0 },
      difference: 1,
      problems: [{ kind: 'no_reason', count: 1, examples: [mailId] }],
    });
    const tenant = await tokenOf(await buildCompany(server.app), builtInRole.superAdmin);
    expect((await server.call('GET', '/superadmin/dashboard/ledger', { token: tenant })).status).toBe(403);
  });
});

/** A mailbox with so many bytes in its inbox. */
async function fill(tenant: Tenant, bytes: number, storageLimit: number | null): Promise<Mailbox> {
  const mailbox = await buildMailbox(server.app, { tenant });
  await receive(ctx(), [mailbox]);
  await mailbox.user.update({ storageLimit: storageLimit === null ? null : String(storageLimit) });
  const replacements = { bytes, id: String(mailbox.user.id) };
  await server.app.db.query("UPDATE folders SET bytes = :bytes WHERE user_id = :id AND role = 'inbox'", {
    replacements,
  });
  return mailbox;
}

describe('what is stored', () => {
  it('is that of the own company, with its fullest mailboxes first', async () => {
    const mill = await buildCompany(server.app);
    const [half, free] = [await fill(mill, 500, 1000), await fill(mill, 3000, null)];
    const nearly = await fill(mill, 90, 100);
    const gone = await fill(mill, 100, 100);
    await gone.user.update({ deletedAt: new Date() });
    await mill.company.update({ storageLimit: '10000' });
    await fill(await buildCompany(server.app), 77_777, 1);
    const { company, mailboxes, companies, disk } = await ask<StorageUseDto>('storage', await tokenOf(mill));
    expect(company).toEqual({ used: 3690, limit: 10_000 });
    expect(mailboxes?.map(({ email, used, limit }) => [email, used, limit])).toEqual([
      [nearly.user.email, 90, 100],
      [half.user.email, 500, 1000],
      [free.user.email, 3000, expect.toSatisfy((limit) => limit === null || limit > 3000)],
    ]);
    expect([companies, disk]).toEqual([null, null]);
  });

  it('names to people of the provider the fullest companies and the disk', async () => {
    const small = await buildCompany(server.app);
    await fill(small, 999_000, null);
    await small.company.update({ storageLimit: '1000' });
    const deleted = await buildCompany(server.app);
    await fill(deleted, 5000, null);
    await deleted.company.update({ storageLimit: '1', deletedAt: new Date() });
    for (let after: string | null = '0'; after !== null; ) after = await countCompanies(ctx(), after);
    const { company, mailboxes, companies, disk } = await ask<StorageUseDto>('storage', staff);
    expect([company, mailboxes]).toEqual([null, null]);
    expect(companies?.[0]).toEqual({
      _id: String(small.company.id),
      name: small.company.name,
      used: 999_000,
      limit: 1000,
    });
    expect(companies?.length).toBeLessThanOrEqual(5);
    expect(companies?.some(({ _id }) => _id === String(deleted.company.id))).toBe(false);
    expect(disk?.total).toBeGreaterThan(disk?.free ?? Infinity);
  });

  it('leaves out the company for people who may not see it, and is closed to those without users', async () => {
    const mill = await buildCompany(server.app);
    const role = await buildRole(mill, { permissions: [{ model: 'user', view: true }] });
    mill.roles.set(role.roleId, role);
    expect((await ask<StorageUseDto>('storage', await tokenOf(mill, role.roleId))).company).toBeNull();
    const token = await tokenOf(mill, builtInRole.user);
    for (const what of ['storage', 'sign-ins', 'host', 'ledger']) {
      expect((await server.call('GET', `/superadmin/dashboard/${what}`, { token })).status).toBe(403);
    }
  });
});

describe('sign-ins that were refused', () => {
  const event = (companyId: string | null, action: string, address: string, hours = 1) =>
    AuditEvent.create({
      companyId,
      action,
      address,
      details: null,
      createdAt: new Date(Date.now() - hours * 3_600_000),
    });

  it('are counted for the company, with the addresses they came from most', async () => {
    const mill = await buildCompany(server.app);
    const id = String(mill.company.id);
    for (const action of ['session:refused', 'session:refused', 'two-factor:refused'])
      await event(id, action, '192.0.2.1');
    await AuditEvent.update({ times: 7 }, { where: { id: (await event(id, 'mail-login:refused', '192.0.2.5')).id } });
    // One passkey that seems to be a copy, which leaves two events
    for (const action of ['passkey:copied', 'passkey:refused']) await event(id, action, '2001:db8::7');
    await event(id, 'recovery-otp:refused', '192.0.2.5');
    await event(id, 'session:start', '192.0.2.9');
    await event(id, 'session:refused', '192.0.2.8', 25);
    await event(null, 'session:refused', '192.0.2.66');
    const own = await ask<RefusedSignInsDto>('sign-ins', await tokenOf(mill));
    expect(own).toEqual({
      refused: 12,
      is_more: false,
      addresses: [
        { address: '192.0.2.5', count: 8 },
        { address: '192.0.2.1', count: 3 },
        { address: '2001:db8::7', count: 1 },
      ],
    });
    const all = await ask<RefusedSignInsDto>('sign-ins', staff);
    expect(all.refused).toBe(13);
    expect(all.addresses.map(({ address }) => address)).toContain('192.0.2.66');
  });
});

describe('a flood of refused sign-ins', () => {
  const read = (companyId: string) => readRefusedLogins(ctx(), { kind: 'company', companyId }, 5, 10);

  it('says that there are more than were counted only where there are', async () => {
    const { company } = await buildCompany(server.app);
    const id = String(company.id);
    const add = (action: string, events: number) =>
      AuditEvent.bulkCreate(
        Array.from({ length: events }, () => ({
          companyId: id,
          action,
          address: '192.0.2.1',
          details: null,
          createdAt: new Date(),
        })),
      );
    // Together more than the limit of one action
    for (const action of ['session:refused', 'two-factor:refused', 'mail-login:refused']) await add(action, 9);
    expect(await read(id)).toMatchObject({ refused: 27, isMore: false });
    await add('session:refused', 1);
    expect(await read(id)).toMatchObject({ refused: 28, isMore: false });
    await add('session:refused', 1);
    expect(await read(id)).toMatchObject({ refused: 28, isMore: true });
    await add('session:refused', 10);
    expect(await read(id)).toMatchObject({ refused: 28, isMore: true });
  });
});

describe('the health of the host', () => {
  it('is told to a Super Admin of the provider', async () => {
    await ensureCertificate(server.app.config);
    const { messageId } = await receive(ctx(), [await buildMailbox(server.app)]);
    const due = { direction: 'out', state: 'queued', nextAttemptAt: new Date(Date.now() - 600_000) } as const;
    await Delivery.update(due, { where: { messageId } });
    expect((await ask<HostHealthDto>('host', staff)).last_backup).toBeNull();
    const takenAt = new Date(Date.now() - 7_200_000);
    await noteBackup(server.app.config.dataDir, takenAt);
    const health = await ask<HostHealthDto>('host', staff);
    expect(health).toMatchObject({
      last_backup: takenAt.toISOString(),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: expect.stringMatching(/MariaDB/),
      redis: expect.stringMatching(/\d/),
      certificate: { is_self_signed: true },
    });
    expect(health.queue_late_seconds).toBeGreaterThanOrEqual(600);
    expect(Date.parse(health.certificate?.valid_to ?? '')).toBeGreaterThan(Date.now());
    expect(Date.parse(health.since)).toBeLessThanOrEqual(Date.now());
  });

  it('runs since its oldest process was started', async () => {
    const write = (program: ProgramName, ageSeconds: number) =>
      writeProcess(
        server,
        { id: randomUUID(), program, machine: 'elsewhere', pid: 1, revision: 0, restart: 0, hasPrimary: false },
        ageSeconds,
      );
    for (const [program, hours] of [
      ['workers', 2],
      ['inbound', 50],
      ['api', 1],
    ] as const)
      await write(program, hours * 3600);
    const { since } = await ask<HostHealthDto>('host', staff);
    const age = Date.now() - Date.parse(since);
    expect(age).toBeGreaterThanOrEqual(50 * 3_600_000 - 1000);
    expect(age).toBeLessThan(51 * 3_600_000);
  });

  it('is not told to other people of the provider, nor to tenants', async () => {
    const tenant = await tokenOf(await buildCompany(server.app), builtInRole.superAdmin);
    for (const token of [await tokenOf(provider, builtInRole.admin), tenant]) {
      expect((await server.call('GET', '/superadmin/dashboard/host', { token })).status).toBe(403);
    }
  });
});

/** Tables of a few rows, however large the host is. */
const small = new Set(['host_processes', 'host_state']);

it('reads all of it by indexes', async () => {
  const { db } = server.app;
  const mill = await buildCompany(server.app);
  await fill(mill, 500, 1000);
  const id = String(mill.company.id);
  await db.query(
    `INSERT INTO audit_events (action, address, created_at)
     SELECT 'session:start', '', UTC_TIMESTAMP(3) FROM seq_1_to_20000`,
  );
  // Refused at another company, whose events the first one's question must not look at
  await db.query(
    `INSERT INTO audit_events (company_id, action, address, created_at)
     SELECT 4000000000, 'session:refused', '', UTC_TIMESTAMP(3) - INTERVAL 2 DAY FROM seq_1_to_20000`,
  );
  await db.query(
    `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
     SELECT 'm', 'in', 'a@x.test', 'x.test', '', 'stored', UTC_TIMESTAMP(3) - INTERVAL 2880 + seq MINUTE,
            UTC_TIMESTAMP(3) FROM seq_1_to_20000`,
  );
  await db.query(
    `INSERT INTO growth_slots (company_id, slot_at, users)
     SELECT 4000000000, UTC_TIMESTAMP() - INTERVAL seq DAY, 1 FROM seq_1_to_2000`,
  );
  await db.query(
    'ANALYZE TABLE audit_events, folders, company_use, companies, users, deliveries, growth_slots, messages',
  );
  const watched = explaining(server.app);
  const host = { kind: 'host' } as const;
  const own = { kind: 'company', companyId: id } as const;
  await readRefusedLogins(watched.ctx, host, 5);
  await readRefusedLogins(watched.ctx, own, 5);
  await fullestMailboxes(watched.ctx, id, 5);
  await fullestCompanies(watched.ctx, 5);
  await readCompanyUse(watched.ctx, id);
  const counted = watched.plans.length;
  await mailOfHours(watched.ctx, host, latestHours(24, Date.now()));
  const ofHours = watched.plans.slice(counted).flat();
  await mailOfHours(watched.ctx, own, latestHours(24, Date.now()));
  await countWaiting(watched.ctx, host);
  await countWaiting(watched.ctx, own);
  const { user } = await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  const loaded = await loadActor(ctx(), String(user.id), null);
  const signedIn = actorContext(watched.ctx, loaded!.actor);
  await readGrowth(signedIn, { filter: 'all', time_zone: 'Asia/Kolkata' });
  await readLedgerProof(signedIn);
  await readHostHealth(signedIn);
  const steps = watched.plans
    .flat()
    .filter(({ table }) => table !== null && !/^<|^largest$|^f$|^few$|^refused$/.test(table) && !small.has(table));
  expect(steps.length).toBeGreaterThan(60);
  for (const { table, type, key, rows } of steps) {
    expect({ table, type, key }).not.toMatchObject({ type: 'ALL' });
    expect(key).not.toBeNull();
    expect(Number(rows)).toBeLessThan(1000);
  }
  const ofDeliveries = ofHours.filter(({ table }) => table === 'deliveries');
  expect(ofDeliveries).toHaveLength(24);
  for (const { Extra } of ofDeliveries) expect(Extra).toContain('Using index');
});
