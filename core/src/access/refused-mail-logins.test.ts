import type { Sequelize } from 'sequelize';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { RefusedMailLogins } from './refused-mail-logins.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

/** An account that no other test has. */
async function account() {
  const { user } = await buildMailbox(app);
  return { id: String(user.id), companyId: String(user.companyId) };
}

const eventsOf = async (entityId: string) =>
  (await AuditEvent.findAll({ where: { entityId, action: 'mail-login:refused' }, order: [['id', 'ASC']] })).map(
    ({ address, times, companyId, details }) => ({ address, times, companyId, details }),
  );

describe('refused logins of mail programs', () => {
  it('leave an event each account and peer at once, and one for all others of ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const logins = new RefusedMailLogins(app);
    const [ana, ben] = [await account(), await account()];
    const note = (user: typeof ana, address: string, times: number) => {
      for (let n = 0; n < times; n += 1) logins.note({ user, address });
    };
    note(ana, '192.0.2.1', 1);
    note(ben, '192.0.2.1', 1);
    await expect.poll(() => eventsOf(ana.id)).toHaveLength(1);
    note(ana, '192.0.2.1', 3);
    note(ana, '2001:db8::1', 1);
    note(ana, '2001:db8::2', 1);
    await expect.poll(() => eventsOf(ana.id)).toHaveLength(2);
    vi.setSystemTime(Date.now() + 600_000);
    await expect.poll(() => eventsOf(ana.id)).toHaveLength(3);
    const company = { companyId: ana.companyId };
    expect(await eventsOf(ana.id)).toEqual([
      { ...company, address: '192.0.2.1', times: 1, details: null },
      { ...company, address: '2001:db8:0:0::/64', times: 2, details: { times: 2 } },
      { ...company, address: '192.0.2.1', times: 3, details: { times: 3 } },
    ]);
    expect(await eventsOf(ben.id)).toHaveLength(1);
    // A new window begins
    note(ana, '192.0.2.1', 1);
    await logins.flush();
    expect(await eventsOf(ana.id)).toHaveLength(4);
  });

  it('are all counted at the end of the process, and no more accounts are told apart than a limit', async () => {
    const logins = new RefusedMailLogins(app);
    const before = await AuditEvent.sum('times', { where: { action: 'mail-login:refused' } });
    for (let n = 0; n < 2000; n += 1) {
      logins.note({ user: null, address: `198.51.${Math.floor(n / 250)}.${n % 250}` });
    }
    await logins.flush();
    const where = { action: 'mail-login:refused', companyId: null, entityId: null };
    expect(await AuditEvent.count({ where })).toBe(501);
    expect(await AuditEvent.sum('times', { where: { action: 'mail-login:refused' } })).toBe(before + 2000);
  });

  it('wait while the database is away', async () => {
    let isAway = true;
    const away = { connectionManager: { getConnection: () => Promise.reject(new Error('away')) } };
    const logins = new RefusedMailLogins({
      ...app,
      get db() {
        return isAway ? (away as unknown as Sequelize) : app.db;
      },
    });
    const ana = await account();
    logins.note({ user: ana, address: '192.0.2.1' });
    await logins.flush();
    logins.note({ user: ana, address: '192.0.2.1' });
    isAway = false;
    await logins.flush();
    expect(await eventsOf(ana.id)).toMatchObject([{ times: 2 }]);
  });
});
