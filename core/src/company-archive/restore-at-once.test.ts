import type { Transaction } from 'sequelize';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { builtInRole } from '../contracts/permissions.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Company } from '../models/company.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Module } from '../models/module.ts';
import { restoreCompany } from './restore-company.ts';
import { archiveCompany, eraseCompany } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await startTestApp(await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' }));
  ctx = systemContext(app);
});

/** The archive of a company that is gone, with a message of each of its two people. */
async function goneCompany(): Promise<{ name: string; path: string }> {
  const admin = await buildMailbox(app, { roleNumber: builtInRole.admin });
  const ana = await buildMailbox(app, { tenant: admin });
  await receive(ctx, [admin, ana]);
  const path = await archiveCompany(ctx, admin);
  await eraseCompany(ctx, admin);
  return { name: admin.company.name, path };
}

const refusal = 'another command is restoring this archive; wait until that one has ended';
const findCompanies = (name: string) => Company.findAll({ where: { name, erasedAt: null } });
/** How a restore ends, in its own words. */
const outcomeOf = (path: string) =>
  restoreCompany(ctx, { path }).then(
    () => 'restored',
    (error: Error) => error.message,
  );

describe('two restores of an archive at once', { timeout: 120_000 }, () => {
  it('are one: the second command says so and ends', async () => {
    const { name, path } = await goneCompany();
    // No company can be made as long as the modules are locked
    const held = await app.db.transaction();
    await Module.findAll({ transaction: held, lock: held.LOCK.UPDATE });
    const both = [outcomeOf(path), outcomeOf(path)];
    const first = await Promise.race(both);
    await held.rollback();
    expect(first).toBe(refusal);
    expect((await Promise.all(both)).sort()).toEqual([refusal, 'restored']);
    const [company, ...others] = await findCompanies(name);
    expect(others).toEqual([]);
    expect(await MailboxEntry.count({ where: { companyId: company?.id ?? '' } })).toBe(2);
  });

  it('bring nothing twice where the database forgot the lock', async () => {
    const { name, path } = await goneCompany();
    const stop = (text: string): void => {
      if (text.includes('@')) throw new Error('the power is gone');
    };
    await expect(restoreCompany(ctx, { path, say: stop })).rejects.toThrow('the power is gone');
    const [company] = await findCompanies(name);
    const companyId = String(company?.id);
    const move = (target: { app: App; tx?: Transaction }, by: number) =>
      changeRows(target, 'UPDATE company_restores SET position = position + ? WHERE company_id = ?', [by, companyId]);
    // The other restore is about to write the next file
    const other = await app.db.transaction();
    await move({ app, tx: other }, 512);
    const outcome = outcomeOf(path);
    const waiting = `SELECT id FROM information_schema.processlist
      WHERE db = DATABASE() AND info LIKE 'UPDATE company_restores SET position = %'`;
    await until('this one waits for that', async () => (await readRows(ctx, waiting, [])).length > 0);
    await other.commit();
    expect(await outcome).toBe(refusal);
    expect(await MailboxEntry.count({ where: { companyId } })).toBe(0);
    await move(ctx, -512);
    expect(await outcomeOf(path)).toBe('restored');
    expect(await MailboxEntry.count({ where: { companyId } })).toBe(2);
  });
});
