import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { receive } from '../mailstore/test-messages.ts';
import { metrics } from '../metrics.ts';
import { Delivery } from '../models/delivery.ts';
import { Message } from '../models/message.ts';
import { readLedgerDays } from './ledger-days.ts';
import { noteProofs } from './proof-metrics.ts';
import { proveNextSlice } from './prove-days.ts';

let app: App;
let ctx: Ctx;
let ana: Mailbox;
const hourMs = 3_600_000;
const at = (text: string) => Date.parse(`2025-${text}Z`);

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
  ana = await buildMailbox(app);
});

// What tests before have left is put after all days that the next one looks at
beforeEach(async () => {
  await app.db.query("UPDATE deliveries SET created_at = '2040-01-01'");
  await app.db.query("UPDATE messages SET created_at = '2040-01-01'");
  await app.db.query('DELETE FROM ledger_days');
});

/** A message with its row, as it is after it has come at a moment. */
async function receiveAt(moment: number): Promise<string> {
  const { messageId } = await receive(ctx, [ana]);
  const createdAt = new Date(moment);
  await Message.update({ createdAt }, { where: { id: messageId }, silent: true });
  await Delivery.update({ createdAt }, { where: { messageId }, silent: true });
  return messageId;
}

const fates = {
  relayed: { reason: 'remote_accepted', lastReply: '250 ok' },
  bounced: { reason: 'remote_refused', lastReply: '550 no' },
  queued: { reason: 'remote_deferred', nextAttemptAt: new Date('2039-01-01') },
  held: { reason: 'held_by_administrator' },
  cancelled: { reason: 'cancelled_by_sender' },
} as const;

/** One message that came, one for each fate of those that were sent, and a flood of refusals. */
async function fillDay(moment: number): Promise<void> {
  const messageId = await receiveAt(moment);
  const base = { messageId, mailId: 'm', recipient: 'x@y.test', recipientDomain: 'y.test', envelopeFrom: '' };
  for (const [index, [state, fate]] of Object.entries(fates).entries()) {
    const createdAt = new Date(moment + index * hourMs);
    await Delivery.create({ ...base, ...fate, direction: 'out', state: state as keyof typeof fates, createdAt });
  }
  await Message.update({ ledgerRows: 6 }, { where: { id: messageId }, silent: true });
  const flood = { ...base, messageId: null, direction: 'in', state: 'refused', reason: 'relay_denied' } as const;
  await Delivery.create({ ...flood, answers: 40, createdAt: new Date(moment + 6 * hourMs) });
}

/** Proves until no day waits; answers in how many slices. */
async function prove(now: number, mostRows = 10_000): Promise<number> {
  for (let slices = 0; ; slices += 1) if (!(await proveNextSlice(ctx, { now, mostRows }))) return slices;
}

const proved = async (now: number) =>
  (await readLedgerDays(ctx, now)).map((day) => [day.day.slice(5), day.proved?.difference ?? null]);

describe('the proof of the days', () => {
  it('counts every fate of a day once, in however many slices', async () => {
    await fillDay(at('03-01T02:00'));
    const now = at('03-02T01:00');
    expect(await prove(now, 2)).toBeGreaterThan(2);
    const [day] = await readLedgerDays(ctx, now);
    expect(day?.proved?.problems).toEqual([]);
    expect(day?.proved?.accounts.in).toMatchObject({ accepted: 1, stored: 1, refused: 40, isBalanced: true });
    expect(day?.proved?.accounts.out).toEqual({
      accepted: 4,
      stored: 0,
      relayed: 1,
      bounced: 1,
      held: 1,
      queued: 1,
      refused: 0,
      cancelled: 1,
      isBalanced: true,
    });
    expect(await prove(at('03-03T00:29'))).toBe(0);
  });

  it('waits for the end of a day, and for what is committed soon after it', async () => {
    await receiveAt(at('03-01T23:59'));
    expect(await prove(at('03-02T00:29'))).toBe(0);
    expect(await prove(at('03-02T00:30'))).toBe(1);
  });

  it('finds nothing to prove before the first message', async () => {
    expect(await prove(at('03-02T01:00'))).toBe(0);
    expect(await proved(at('03-02T01:00'))).toEqual([]);
  });

  it('catches up on the days that were missed, the latest first and thirty at most', async () => {
    await receiveAt(at('01-03T10:00'));
    await prove(at('01-04T01:00'));
    await receiveAt(at('02-20T10:00'));
    const now = at('03-01T01:00');
    await proveNextSlice(ctx, { now });
    expect((await proved(now)).slice(0, 2)).toEqual([
      ['02-28', 0],
      ['02-27', null],
    ]);
    expect(await prove(now)).toBe(29);
    const days = await proved(now);
    expect([days.length, days[0], days.at(-1)]).toEqual([30, ['02-28', 0], ['01-30', 0]]);
    expect(days.every(([, difference]) => difference === 0)).toBe(true);
  });

  it('names a forged difference, and looks again after an hour and each night', async () => {
    const messageId = await receiveAt(at('03-01T10:00'));
    const { mailId } = (await Message.findByPk(messageId)) ?? {};
    const rows = await Delivery.findAll({ where: { messageId }, raw: true });
    await Delivery.destroy({ where: { messageId } });
    const now = at('03-02T00:40');
    await prove(now);
    const [day] = await readLedgerDays(ctx, now);
    expect(day?.proved).toMatchObject({
      difference: 1,
      problems: [{ kind: 'message_without_rows', count: 1, examples: [mailId] }],
    });
    await noteProofs(ctx);
    expect(await prove(at('03-02T01:30'))).toBe(0);
    expect(await prove(at('03-02T01:50'))).toBe(1);
    expect(await prove(at('03-03T00:20'))).toBe(0);
    await Delivery.bulkCreate(rows);
    expect(await prove(at('03-03T00:40'))).toBe(2);
    expect(await proved(at('03-03T00:40'))).toEqual([
      ['03-02', 0],
      ['03-01', 0],
    ]);
    expect(await prove(at('03-03T23:00'))).toBe(0);
  });

  it('keeps the last result while a day is proved again', async () => {
    await fillDay(at('03-01T02:00'));
    await Delivery.update({ reason: null }, { where: { state: 'bounced' } });
    await prove(at('03-02T00:40'), 2);
    const later = at('03-03T00:40');
    await proveNextSlice(ctx, { now: later, mostRows: 2 });
    await proveNextSlice(ctx, { now: later, mostRows: 2 });
    expect(await proved(later)).toEqual([
      ['03-02', 0],
      ['03-01', 1],
    ]);
    const [, again] = await readLedgerDays(ctx, later);
    expect(again?.walk?.to.getTime()).toBeGreaterThan(at('03-01T00:00'));
  });

  it('counts a slice once when several workers prove at once', async () => {
    await fillDay(at('03-01T02:00'));
    const now = at('03-02T01:00');
    await Promise.all([1, 2, 3].map(() => prove(now, 2)));
    const [day] = await readLedgerDays(ctx, now);
    expect(day?.proofs).toBe(1);
    expect(day?.proved).toMatchObject({
      difference: 0,
      accounts: { in: { accepted: 1, refused: 40 }, out: { accepted: 4 } },
    });
  });

  it('proves the days behind one whose proof can’t be gone on with', async () => {
    await receiveAt(at('03-09T12:00:00'));
    await receiveAt(at('03-10T12:00:00'));
    const statement = 'INSERT INTO ledger_days (day, walked_to, walk) VALUES (?, ?, ?)';
    await changeRows(ctx, statement, ['2025-03-10', new Date(at('03-10T06:00:00')), '{}']);
    const now = at('03-11T01:00:00');
    await expect(prove(now)).rejects.toThrow();
    const days = await readLedgerDays(ctx, now);
    expect(days.map(({ day, proved: found }) => [day, found?.difference])).toEqual([
      ['2025-03-10', undefined],
      ['2025-03-09', 0],
    ]);
  });

  it('proves a day again that a clock which was ahead has proved', async () => {
    await receiveAt(at('03-01T10:00'));
    await prove(at('03-09T01:00'));
    const now = at('03-04T01:00');
    expect((await proved(now)).map(([, difference]) => difference)).toEqual([null, null, null]);
    expect(await prove(now)).toBe(3);
  });

  it('looks at no day whose rows are deleted by their age', async () => {
    await receiveAt(at('03-01T10:00'));
    const kept = { ...app.config, keptDays: { ...app.config.keptDays, ledger: 2 } };
    const days = await readLedgerDays({ ...ctx, app: { ...app, config: kept } }, at('03-05T01:00'));
    expect(days.map(({ day }) => day)).toEqual(['2025-03-04']);
  });

  it('reads by indexes, whatever else is in the ledger', async () => {
    await fillDay(at('03-01T02:00'));
    await changeRows(
      ctx,
      `INSERT INTO deliveries (mail_id, direction, recipient, recipient_domain, envelope_from, state, reason, created_at, updated_at)
       SELECT 'x', 'in', 'r', 'd', '', 'stored', 'stored_locally', '2040-01-01', '2040-01-01' FROM seq_1_to_20000`,
      [],
    );
    await app.db.query('ANALYZE TABLE deliveries, messages');
    const watched = explaining(app);
    await proveNextSlice(watched.ctx, { now: at('03-02T01:00') });
    // The table of the days has forty rows at most in its range
    const steps = watched.plans.flat().filter(({ table }) => table !== null && !/^<|^ledger_days$/.test(table));
    expect(steps.length).toBeGreaterThan(5);
    for (const { table, type, key, rows } of steps) {
      expect({ table, type, key }).not.toMatchObject({ type: 'ALL' });
      expect(key).not.toBeNull();
      // The ends of an index are asked for with a LIMIT of one row
      if (type !== 'index') expect(Number(rows)).toBeLessThan(2000);
    }
  });
});

const dayMs = 24 * hourMs;
const startOfToday = () => Math.floor(Date.now() / dayMs) * dayMs;

async function ageOfProof(): Promise<number | undefined> {
  await noteProofs(ctx);
  return (await metrics.getSingleMetric('selvage_ledger_proof_age_seconds')?.get())?.values[0]?.value;
}

it('shows how old the last proof is, and what does not add up', async () => {
  const messageId = await receiveAt(startOfToday() - 36 * hourMs);
  await Delivery.destroy({ where: { messageId } });
  await prove(Date.now());
  const age = await ageOfProof();
  expect(age).toBeLessThan(25 * 3600);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(await metrics.metrics()).toMatch(/^selvage_ledger_difference 1$/m);
});

it('shows how old the last proof is however long ago it was, and on a host that never had one', async () => {
  await receiveAt(startOfToday() - 40 * dayMs + hourMs);
  expect(await ageOfProof()).toBeGreaterThanOrEqual(40 * 24 * 3600);
  await prove(startOfToday() - 39 * dayMs + hourMs);
  const age = await ageOfProof();
  expect(age).toBeGreaterThanOrEqual(39 * 24 * 3600);
  expect(age).toBeLessThan(40 * 24 * 3600);
});
