import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { Scope } from '../context/actor.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { addLedgerRows, type LedgerEntry } from '../ledger/add-ledger-rows.ts';
import { Delivery } from '../models/delivery.ts';
import { findDeliveries, type TraceQuestion } from './find-deliveries.ts';

const many = 51_000;
const domain = 'crowded.test';
const host: Scope = { kind: 'host' };
const dayMs = 86_400_000;
let app: App;
let ana: Mailbox;
let scope: Scope;
/** The ids of what waits for the domain, by reason. */
const ids: Record<string, string> = {};

const period = () => ({ from: new Date(Date.now() - 30 * dayMs), to: new Date(Date.now() + dayMs) });
const entryOf = (overrides: Partial<LedgerEntry>): LedgerEntry => ({
  companyId: String(ana.company.id),
  messageId: null,
  mailId: 'crowd',
  direction: 'out',
  recipient: `a@${domain}`,
  envelopeFrom: ana.user.email,
  state: 'relayed',
  reason: 'remote_accepted',
  ...overrides,
});

beforeAll(async () => {
  app = await testApp();
  ana = await buildMailbox(app);
  scope = { kind: 'company', companyId: String(ana.company.id) };
  const later = new Date(Date.now() + dayMs);
  const waiting: LedgerEntry[] = [
    entryOf({ state: 'queued', reason: 'remote_deferred', nextAttemptAt: later }),
    entryOf({ state: 'held', reason: 'held_by_administrator' }),
    entryOf({ state: 'held', reason: 'scheduled', nextAttemptAt: later }),
  ];
  const found = await addLedgerRows(systemContext(app), waiting);
  for (const [index, { reason }] of waiting.entries()) ids[reason] = found[index] ?? '';
  await Delivery.update({ createdAt: new Date(Date.now() - dayMs) }, { where: { id: found }, silent: true });
  await app.db.query(
    `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                             created_at, updated_at)
     SELECT company_id, mail_id, 'out', recipient, recipient_domain, envelope_from, 'relayed', 'remote_accepted',
            NOW(3), NOW(3)
       FROM deliveries JOIN seq_1_to_${many} WHERE id = ${found[0]}`,
  );
  await app.db.query('ANALYZE TABLE deliveries');
});

async function find(asked: Partial<TraceQuestion>, { as = scope, ctx = systemContext(app) } = {}): Promise<string[]> {
  const { rows } = await findDeliveries(ctx, as, { ...period(), ...asked }, { offset: 0, limit: 10 });
  return rows.map(({ id }) => String(id));
}

describe('what waits for a domain with very much mail', () => {
  const search = { search: domain, party: 'recipient' } as const;

  it('is found by its state, for a company and for the host, with and without the domain', async () => {
    const { remote_deferred: queued, held_by_administrator: held, scheduled } = ids;
    for (const as of [scope, host]) {
      for (const asked of [search, {}]) {
        expect(await find({ ...asked, states: ['queued'] }, { as })).toEqual([queued]);
        expect(await find({ ...asked, states: ['held'] }, { as })).toEqual([scheduled, held]);
      }
    }
    const other: Scope = { kind: 'company', companyId: '999999' };
    expect(await find({ ...search, states: ['queued'] }, { as: other })).toEqual([]);
    const past = { from: new Date(Date.now() - 30 * dayMs), to: new Date(Date.now() - 2 * dayMs) };
    expect(await find({ ...search, ...past, states: ['queued'] })).toEqual([]);
  });

  it('is found, too, after a restore has taken the time from what is scheduled', async () => {
    const where = { id: ids['scheduled'] ?? '' };
    const { nextAttemptAt } = await Delivery.findOne({ where, rejectOnEmpty: true });
    await Delivery.update({ nextAttemptAt: null }, { where, silent: true });
    const { held_by_administrator: held, scheduled } = ids;
    for (const asked of [search, {}]) expect(await find({ ...asked, states: ['held'] })).toEqual([scheduled, held]);
    await Delivery.update({ nextAttemptAt }, { where, silent: true });
  });

  it('is found without a look at the others', async () => {
    const { ctx, plans } = explaining(app);
    for (const as of [scope, host]) {
      for (const states of [['queued'], ['held']] as const) await find({ ...search, states }, { as, ctx });
    }
    const steps = plans.flat().filter(({ table }) => ['d', 'deliveries'].includes(table));
    const used = new Set(steps.map(({ key }) => key));
    // A domain may also be meant as a mail id
    expect(used).toEqual(new Set(['deliveries_waiting', 'deliveries_domain', 'deliveries_mail', 'PRIMARY']));
    for (const { rows, key } of steps) expect([key, Number(rows) < 10]).toEqual([key, true]);
    for (const { Extra } of steps.filter(({ key }) => key === 'deliveries_waiting')) {
      expect(Extra).toContain('Using index');
    }
  });

  it('of another state is not searched for among more rows than can be looked at', async () => {
    const tooWide = expect.objectContaining({ status: 422, code: 'trace_too_wide' });
    for (const asked of [search, {}]) {
      await expect(find({ ...asked, states: ['bounced'] })).rejects.toEqual(tooWide);
    }
    // A thousand that fit are all that is ever shown
    expect(await find({ ...search, states: ['relayed'] })).toHaveLength(10);
    const early = { from: new Date(Date.now() - 30 * dayMs), to: new Date(Date.now() - dayMs / 2) };
    expect(await find({ ...search, ...early, states: ['bounced'] })).toEqual([]);
  });

  it('of another state is not searched for either where a newer row may be beyond those of one way to match', async () => {
    // Beside the many of the recipient, the sender alone has as many of the state as are shown
    await app.db.query(
      `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                               created_at, updated_at)
       SELECT company_id, mail_id, 'out', 'b@elsewhere.test', 'elsewhere.test', 'c@${domain}', 'bounced', 'remote_refused',
              NOW(3) - INTERVAL 2 DAY, NOW(3)
         FROM deliveries JOIN seq_1_to_1000 WHERE id = ${ids['remote_deferred']}`,
    );
    const tooWide = expect.objectContaining({ status: 422, code: 'trace_too_wide' });
    for (const as of [scope, host]) {
      await expect(find({ search: domain, states: ['bounced'] }, { as })).rejects.toEqual(tooWide);
      expect(await find({ search: domain, party: 'sender', states: ['bounced'] }, { as })).toHaveLength(10);
    }
  });
});
