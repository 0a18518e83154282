import { systemContext } from '@selvage/core/context/context';
import { beforeAll, expect, it } from 'vitest';
import { buildCompany } from '../../../tests/support/factories.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { readMailHours } from './mail-hours.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function newScene() {
  const { company } = await buildCompany(server.app);
  const companyId = String(company.id);
  const scope = { kind: 'company', companyId } as const;
  const ctx = systemContext(server.app);
  // In the middle of an hour, so that no hour begins while the test runs
  const now = Math.floor(Date.now() / hourMs) * hourMs + hourMs / 2;
  const store = async (hoursAgo: number): Promise<void> => {
    const at = new Date(now - hoursAgo * hourMs);
    await server.app.db.query(
      `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state,
         created_at, updated_at) VALUES (?, 'm', 'in', 'a@x.test', 'x.test', '', 'stored', ?, ?)`,
      { replacements: [companyId, at, at] },
    );
  };
  const received = async (later = 0, of = ctx): Promise<number[]> => {
    const hours = await readMailHours(of, scope, now + later);
    return hours.map((hour) => hour.received).toReversed();
  };
  return { companyId, ctx, store, received };
}

it('counts the latest two hours anew each time, and older ones again after a while', async () => {
  const { store, received } = await newScene();
  await store(5);
  expect((await received()).slice(0, 6)).toEqual([0, 0, 0, 0, 0, 1]);
  for (const hoursAgo of [0, 1, 5]) await store(hoursAgo);
  expect((await received()).slice(0, 6)).toEqual([1, 1, 0, 0, 0, 1]);
  expect((await received(11 * minuteMs)).slice(0, 6)).toEqual([1, 1, 0, 0, 0, 2]);
});

it('asks the database only for hours that are not kept', async () => {
  const { received, ctx } = await newScene();
  const watched = explaining(ctx.app);
  const readHours = async (later: number): Promise<number> => {
    const before = watched.plans.flat().length;
    expect(await received(later, watched.ctx)).toHaveLength(24);
    return watched.plans.flat().length - before;
  };
  const first = await readHours(0);
  expect(await readHours(0)).toBeLessThan(first / 4);
  // Half an hour later another hour begins
  expect(await readHours(31 * minuteMs)).toBeLessThan(first);
});

it('counts everything when what was kept is lost or broken', async () => {
  const { companyId, store, received, ctx } = await newScene();
  await store(7);
  await ctx.app.redis.set(`mail-hours:${companyId}`, '{broken');
  expect((await received())[7]).toBe(1);
});
