import { randomUUID } from 'node:crypto';
import type mysql from 'mysql2';
import type { Sequelize } from 'sequelize';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { Delivery } from '../models/delivery.ts';
import { readFacts } from './message-facts.ts';
import { messageIdHash } from './message-id-hash.ts';
import { type Refusal, RefusalLedger } from './refusal-ledger.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

function refusal(source: string, overrides: Partial<Refusal> = {}): Refusal {
  return {
    source,
    companyId: null,
    mailId: randomUUID(),
    direction: 'in',
    recipient: 'nobody@host.test',
    envelopeFrom: 'a@remote.test',
    reason: 'unknown_recipient',
    lastReply: '550 5.1.1 no such mailbox',
    remoteHost: source,
    ...overrides,
  };
}

/** A database that can't be reached. */
const unreachable = { connectionManager: { getConnection: () => Promise.reject(new Error('away')) } };
const away = { app: { db: unreachable as unknown as Sequelize } };

type Connection = Pick<mysql.Connection, 'query'>;

/** A database that carries statements out and whose answers are lost. */
function losing({ db }: App): { app: { db: Sequelize } } {
  const { connectionManager } = db;
  const lossy = {
    getConnection: async (options: Parameters<typeof connectionManager.getConnection>[0]) => {
      const connection = await connectionManager.getConnection(options);
      const lost = Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
      const query = (sql: string, values: null, done: (error: Error) => void) =>
        (connection as Connection).query(sql, values, () => {
          connectionManager.releaseConnection(connection);
          done(lost);
        });
      return { query };
    },
    releaseConnection: () => undefined,
  };
  return { app: { db: { connectionManager: lossy } as unknown as Sequelize } };
}

const rowsOf = (remoteHost: string) => Delivery.findAll({ where: { remoteHost }, order: [['id', 'ASC']] });
const answersOf = async (remoteHost: string) =>
  (await rowsOf(remoteHost)).reduce((sum, { answers }) => sum + answers, 0);

describe('the ledger of refusals', () => {
  it('has one row for each of them, with the peer and the reply', async () => {
    const ledger = new RefusalLedger(() => ({ app }));
    ledger.note(refusal('192.0.2.1'));
    ledger.note(refusal('192.0.2.1', { reason: 'malformed_message', recipient: 'ana@host.test' }));
    await ledger.flush();
    expect(await rowsOf('192.0.2.1')).toMatchObject([
      { state: 'refused', reason: 'unknown_recipient', recipient: 'nobody@host.test', answers: 1 },
      { state: 'refused', reason: 'malformed_message', recipient: 'ana@host.test', answers: 1 },
    ]);
  });

  it('counts the rest of a flood in one row for each reason', async () => {
    const ledger = new RefusalLedger(() => ({ app }));
    for (let n = 0; n < 500; n += 1) ledger.note(refusal('192.0.2.2'));
    for (let n = 0; n < 7; n += 1) ledger.note(refusal('192.0.2.2', { reason: 'relay_denied' }));
    ledger.note(refusal('192.0.2.3'));
    await ledger.flush();
    const rows = await rowsOf('192.0.2.2');
    expect(rows.length).toBeLessThanOrEqual(33);
    expect(rows.filter(({ answers }) => answers > 1).map(({ reason, recipient }) => [reason, recipient])).toEqual(
      expect.arrayContaining([
        ['unknown_recipient', ''],
        ['relay_denied', ''],
      ]),
    );
    expect(await answersOf('192.0.2.2')).toBe(507);
    expect(await rowsOf('192.0.2.3')).toHaveLength(1);
  });

  it('leaves a single refusal beyond the limit whole, with its sender and recipient', async () => {
    const messageIdHeader = '<Only@remote.test>';
    const ledger = new RefusalLedger(() => ({ app }));
    for (let n = 0; n < 31; n += 1)
      ledger.note(refusal('192.0.2.10', { recipient: `r${n}@host.test`, messageIdHeader }));
    await ledger.flush();
    const rows = await rowsOf('192.0.2.10');
    const { envelopeFrom } = refusal('192.0.2.10');
    expect(rows.map(({ recipient }) => recipient)).toEqual(rows.map((_, n) => `r${n}@host.test`));
    expect(rows).toHaveLength(31);
    for (const row of rows) {
      expect(row).toMatchObject({ envelopeFrom, answers: 1 });
      expect(row.messageIdHash).not.toBeNull();
    }
  });

  it('keeps what was known of each of them, and of a counted flood nothing', async () => {
    const arrival = {
      helo: 'mx.remote.test',
      address: '192.0.2.6',
      protocol: 'ESMTPS',
      isEncrypted: true,
      tls: 'TLSv1.3',
    };
    const facts = { arrival, checks: null, placement: null };
    const ledger = new RefusalLedger(() => ({ app }));
    for (let n = 0; n < 40; n += 1) ledger.note(refusal('192.0.2.6', { facts, messageIdHeader: '<One@remote.test>' }));
    await ledger.flush();
    const rows = await rowsOf('192.0.2.6');
    const single = rows.filter(({ answers }) => answers === 1);
    expect(single.length).toBeGreaterThan(0);
    for (const row of single) {
      expect(readFacts(row.facts ?? '')).toEqual(facts);
      expect(String(row.messageIdHash)).toBe(messageIdHash('one@remote.test'));
    }
    const counted = rows.filter(({ answers }) => answers > 1);
    expect(counted.length).toBeGreaterThan(0);
    for (const row of counted) expect(row).toMatchObject({ facts: null, messageIdHash: null });
  });

  it('counts the flood of one source for each company on its own', async () => {
    const ledger = new RefusalLedger(() => ({ app }));
    for (let n = 0; n < 400; n += 1) {
      const companyId = ['101', '102', '103', null][n % 4] ?? null;
      ledger.note(refusal('192.0.2.5', { companyId }));
    }
    await ledger.flush();
    const rows = await rowsOf('192.0.2.5');
    expect(rows.length).toBeLessThanOrEqual(34);
    const counted = Map.groupBy(rows, ({ companyId }) => (companyId === null ? 'none' : String(companyId)));
    for (const company of ['101', '102', '103', 'none']) {
      const answers = (counted.get(company) ?? []).reduce((sum, row) => sum + row.answers, 0);
      expect([company, answers]).toEqual([company, 100]);
    }
  });

  it('writes the count of a minute once the minute is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ledger = new RefusalLedger(() => ({ app }));
    for (let n = 0; n < 40; n += 1) ledger.note(refusal('192.0.2.4'));
    vi.setSystemTime(Date.now() + 61_000);
    ledger.note(refusal('192.0.2.4'));
    await expect.poll(() => answersOf('192.0.2.4')).toBe(41);
  });

  it('has the moment of the answer, also where a row was written hours later', async () => {
    const night = Date.parse('2026-11-26T22:30:10Z');
    vi.useFakeTimers({ toFake: ['Date'], now: night });
    onTestFinished(() => void vi.useRealTimers());
    let isAway = true;
    const ledger = new RefusalLedger(() => (isAway ? away : { app }));
    for (let n = 0; n < 40; n += 1) ledger.note(refusal('192.0.2.8'));
    await ledger.flush();
    vi.setSystemTime(night + 60_000);
    for (let n = 0; n < 50; n += 1) ledger.note(refusal('192.0.2.8'));
    await ledger.flush();
    vi.setSystemTime(night + 3 * 3_600_000);
    isAway = false;
    await ledger.flush();
    const byMoment = Map.groupBy(await rowsOf('192.0.2.8'), ({ createdAt }) => createdAt.toISOString());
    const answers = [...byMoment].map(([at, rows]) => [at, rows.reduce((sum, row) => sum + row.answers, 0)]);
    expect(answers.toSorted()).toEqual([
      ['2026-11-26T22:30:10.000Z', 40],
      ['2026-11-26T22:31:10.000Z', 50],
    ]);
  });

  it('has each refusal once when the answer of the database to a write was lost', async () => {
    let isLossy = true;
    const ledger = new RefusalLedger(() => (isLossy ? losing(app) : { app }));
    for (let n = 0; n < 35; n += 1) ledger.note(refusal('192.0.2.9'));
    await ledger.flush();
    expect(await answersOf('192.0.2.9')).toBe(35);
    ledger.note(refusal('192.0.2.9'));
    isLossy = false;
    await ledger.flush();
    expect(await answersOf('192.0.2.9')).toBe(36);
  });

  it('keeps all refusals of a time without a database, in bounded memory, and writes them later', async () => {
    let isAway = true;
    const ledger = new RefusalLedger(() => (isAway ? away : { app }));
    const hosts = Array.from({ length: 3000 }, (_, n) => `198.51.${n >> 8}.${n & 255}`);
    for (const host of hosts) ledger.note(refusal(host, { reason: 'internal_error' }));
    await ledger.flush();
    expect(await Delivery.count({ where: { reason: 'internal_error' } })).toBe(0);
    isAway = false;
    await ledger.flush();
    const rows = await Delivery.findAll({ where: { reason: 'internal_error' } });
    expect(rows.length).toBeLessThanOrEqual(2010);
    expect(rows.reduce((sum, { answers }) => sum + answers, 0)).toBe(3000);
  });
});
