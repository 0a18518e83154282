import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { Delivery } from '../models/delivery.ts';
import { OneTimeLink } from '../models/one-time-link.ts';
import { Session } from '../models/session.ts';
import { deleteOldRows, keptTables } from './retention.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);
let app: App;
let person: Mailbox;

beforeEach(async () => {
  app = await startTestApp(await testEnvironment({ LOG_LEVEL: 'silent' }));
  person = await buildMailbox(app);
}, 60_000);

/** Ledger rows that ended so many days ago, in this order. */
async function deliveries(daysAgo: number[], state = 'relayed'): Promise<void> {
  for (const days of daysAgo) {
    await app.db.query(
      `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
       VALUES (?, 'out', ?, 'x.test', '', ?, ?, ?)`,
      { replacements: [String(days), String(days), state, ago(days), ago(days)] },
    );
  }
}

async function kept(): Promise<number[]> {
  return (await Delivery.findAll({ order: [['id', 'ASC']] })).map(({ recipient }) => Number(recipient));
}

describe('deleteOldRows', () => {
  it('deletes ended deliveries that are too old, and no others', async () => {
    await deliveries([403], 'queued');
    await deliveries([402, 401, 399, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(2);
    expect(await kept()).toEqual([403, 399, 0]);
  });

  it('keeps everything with 0', async () => {
    await deliveries([3000, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 0 })).toBe(0);
    expect(await kept()).toEqual([3000, 0]);
  });

  it('deletes the oldest week in one pass, and the next one in the next', async () => {
    await deliveries([500, 495, 490, 450, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(2);
    expect(await kept()).toEqual([490, 450, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(1);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(1);
    expect(await kept()).toEqual([0]);
  });

  it('deletes nothing young when the clock jumps ahead by years', async () => {
    await deliveries([300, 200, 1]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400, now: ago(-1000) })).toBe(0);
  });

  it('deletes a week a pass when rows are written with such a clock', async () => {
    await deliveries([300, 298, 200, 1, -1000]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400, now: ago(-1000) })).toBe(2);
    expect(await kept()).toEqual([200, 1, -1000]);
  });

  it('deletes nothing when the clock jumps back', async () => {
    await deliveries([500, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400, now: ago(1000) })).toBe(0);
  });

  it('goes through more rows than one statement takes', async () => {
    await deliveries([401]);
    await app.db.query(
      `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
       SELECT mail_id, 'in', recipient, 'x.test', '', IF(seq % 2, 'stored', 'queued'), created_at, updated_at
         FROM deliveries JOIN seq_1_to_3000 WHERE recipient = '401'`,
    );
    await deliveries([0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(1501);
    expect(await Delivery.count()).toBe(1501);
  });

  it('goes on behind the rows of a clock that was ahead', async () => {
    await deliveries([-1000]);
    await app.db.query(
      `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
       SELECT mail_id, 'in', recipient, 'x.test', '', 'stored', created_at, updated_at
         FROM deliveries JOIN seq_1_to_3000 WHERE recipient = '-1000'`,
    );
    await deliveries([401, 0]);
    expect(await deleteOldRows({ app }, 'deliveries', { days: 400 })).toBe(1);
    expect(await Delivery.count({ where: { recipient: ['401', '0'] } })).toBe(1);
  });

  it('deletes old audit events', async () => {
    for (const days of [405, 399]) {
      await AuditEvent.create({ action: `x${days}`, address: '', details: null, createdAt: ago(days) });
    }
    await deliveries([0]);
    expect(await deleteOldRows({ app }, 'audit_events', { days: 400 })).toBe(1);
  });

  it('deletes sessions that ended or ran out long ago, and none that goes on', async () => {
    const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
    const session = (expires: number, ended: number | null) =>
      Session.create({
        ...owner,
        sessionKey: randomBytes(8).toString('hex'),
        refreshHash: randomBytes(8).toString('hex'),
        deviceIp: '',
        userAgent: String(ended),
        tokenVersion: 0,
        lastActive: ago(36),
        expiresAt: ago(expires),
        endedAt: ended === null ? null : ago(ended),
        createdAt: ago(36),
      });
    await session(-100, null);
    await session(31, null);
    await session(-100, 32);
    await session(29, null);
    await session(-100, 28);
    await deliveries([0]);
    expect(await deleteOldRows({ app }, 'sessions', { days: 30 })).toBe(2);
    expect((await Session.findAll()).map(({ userAgent }) => userAgent)).toEqual(['null', 'null', '28']);
  });

  it('deletes mailed links that were used or ran out long ago', async () => {
    const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
    for (const [index, [expires, used]] of (
      [
        [31, null],
        [-1, 31],
        [29, null],
        [-1, null],
      ] as const
    ).entries()) {
      await OneTimeLink.create({
        ...owner,
        purpose: 'set_password',
        tokenHash: String(index),
        address: 'x',
        expiresAt: ago(expires),
        usedAt: used === null ? null : ago(used),
        createdAt: ago(36),
      });
    }
    await deliveries([0]);
    expect(await deleteOldRows({ app }, 'one_time_links', { days: 30 })).toBe(2);
    expect((await OneTimeLink.findAll()).map(({ tokenHash }) => tokenHash)).toEqual(['2', '3']);
  });

  it('reads and deletes by the primary key, in its order', async () => {
    // Statistics that the engine takes by itself meanwhile could be of a table that is half filled
    for (const table of keptTables) await app.db.query(`ALTER TABLE ${table} STATS_AUTO_RECALC = 0`);
    await deliveries([402, 401, 0]);
    await app.db.query(
      `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
       SELECT mail_id, 'in', recipient, 'x.test', '', 'stored', created_at, updated_at
         FROM deliveries JOIN seq_1_to_3000 WHERE recipient = '0'`,
    );
    await app.db.query(`ANALYZE TABLE ${keptTables.join(', ')}`);
    for (const table of keptTables) {
      const { ctx, plans } = explaining(app);
      await deleteOldRows(ctx, table, { days: 400 });
      const steps = plans.flat().filter(({ table: name }) => name !== null && !name.startsWith('<'));
      // The newest rows of all tables, a page, and the rows to delete
      expect(steps.length).toBeGreaterThan(keptTables.length);
      for (const step of steps) {
        expect(step.key).toBe('PRIMARY');
        expect(step.type).not.toBe('ALL');
        expect(step.Extra).not.toContain('filesort');
      }
    }
  });
});
