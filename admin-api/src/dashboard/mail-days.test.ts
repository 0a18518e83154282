import type { MailDayDto } from '@selvage/core/contracts/dashboard';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { beforeAll, expect, it } from 'vitest';
import { buildCompany, buildMailbox, type Tenant } from '../../../tests/support/factories.ts';
import { untilHourLasts } from '../../../tests/support/rest-of-day.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let mill: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  mill = await buildCompany(server.app);
});

async function tokenOf(tenant: Tenant, roleNumber: number = builtInRole.admin): Promise<string> {
  const { user, password } = await buildMailbox(server.app, { tenant, roleNumber });
  return (await server.signIn(user.email, password)).token;
}

async function addRows(
  tenant: Tenant | null,
  rows: [direction: string, state: string, hoursAgo: number, answers?: number, reason?: string][],
) {
  for (const [direction, state, hoursAgo, answers = 1, reason = null] of rows) {
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    await server.app.db.query(
      `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, answers,
         reason, created_at, updated_at) VALUES (?, 'm', ?, 'a@x.test', 'x.test', '', ?, ?, ?, ?, ?)`,
      { replacements: [tenant ? tenant.company.id : null, direction, state, answers, reason, at, at] },
    );
  }
}

const read = async (token: string): Promise<MailDayDto> =>
  (await server.call('GET', '/superadmin/dashboard/mail', { token })).body.data as MailDayDto;

it('counts the mail of a company by the hour, and that of no other', { timeout: 120_000 }, async () => {
  await untilHourLasts();
  const other = await buildCompany(server.app);
  await addRows(mill, [
    ['in', 'stored', 0, 2],
    ['in', 'refused', 0, 40],
    ['in', 'stored', 5],
    ['in', 'stored', 30],
    ['out', 'relayed', 1],
    ['out', 'bounced', 1],
    ['out', 'cancelled', 1],
    ['out', 'queued', 40],
    ['out', 'held', 2, 1, 'held_by_administrator'],
    // Its sender still has these, so they don't wait
    ['out', 'held', 30, 1, 'scheduled'],
    ['out', 'held', 30, 1, 'held_for_undo'],
  ]);
  await addRows(other, [
    ['in', 'stored', 0],
    ['out', 'queued', 0],
  ]);
  await addRows(null, [['in', 'refused', 0, 7]]);
  const { hours, waiting } = await read(await tokenOf(mill));
  const counts = hours.map(({ at: _at, ...hour }) => hour);
  const none = { received: 0, sent: 0, refused: 0, bounced: 0 };
  expect(hours).toHaveLength(24);
  expect(counts[23]).toEqual({ ...none, received: 2, refused: 40 });
  expect(counts[22]).toEqual({ ...none, sent: 2, bounced: 1 });
  expect(counts[21]).toEqual({ ...none, sent: 1 });
  expect(counts[18]).toEqual({ ...none, received: 1 });
  expect(waiting).toBe(2);
  expect(Date.parse(hours[23]?.at ?? '')).toBe(Math.floor(Date.now() / 3_600_000) * 3_600_000);

  const provider = await buildCompany(server.app, { isProvider: true });
  const host = await read(await tokenOf(provider, builtInRole.superAdmin));
  expect(host.hours[23]).toMatchObject({ received: 3, refused: 47 });
  expect(host.waiting).toBe(3);
});

it('is not for people who keep no domains', async () => {
  const token = await tokenOf(mill, builtInRole.user);
  expect((await server.call('GET', '/superadmin/dashboard/mail', { token })).status).toBe(403);
});
