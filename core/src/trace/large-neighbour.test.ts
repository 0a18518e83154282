import { beforeAll, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { addLedgerRows } from '../ledger/add-ledger-rows.ts';
import { Domain } from '../models/domain.ts';
import { findDeliveries, type TraceQuestion } from './find-deliveries.ts';

/** What the neighbour sent to others, all with one Message-ID. */
const many = 30_000;
const dayMs = 86_400_000;
const messageId = '<newsletter@large.test>';
let app: App;
let large: Mailbox;
let ana: Mailbox;

beforeAll(async () => {
  app = await testApp();
  [large, ana] = [await buildMailbox(app), await buildMailbox(app)];
  await Domain.update({ verifiedAt: new Date(Date.now() - dayMs) }, { where: { id: ana.domain.id } });
  const sent = {
    companyId: String(large.company.id),
    messageId: null,
    mailId: 'newsletter',
    direction: 'out',
    envelopeFrom: large.user.email,
    state: 'stored',
    reason: 'stored_locally',
    messageIdHeader: messageId,
  } as const;
  const [toOther = ''] = await addLedgerRows(systemContext(app), [{ ...sent, recipient: 'a@other.test' }]);
  await addLedgerRows(systemContext(app), [{ ...sent, recipient: ana.user.email }]);
  await app.db.query(
    `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason,
                             message_id_hash, created_at, updated_at)
     SELECT company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, reason, message_id_hash,
            NOW(3), NOW(3)
       FROM deliveries JOIN seq_1_to_${many} WHERE id = ${toOther}`,
  );
  await app.db.query('ANALYZE TABLE deliveries');
});

/** What the company of Ana finds, and over how many records of indexes the database stepped. */
async function trace(question: Partial<TraceQuestion>): Promise<{ recipients: string[]; read: number }> {
  const period = { from: new Date(Date.now() - 30 * dayMs), to: new Date(Date.now() + dayMs) };
  const scope = { kind: 'company', companyId: String(ana.company.id) } as const;
  // On one connection: other test files read in the same engine
  return await inTransaction(systemContext(app), async (ctx) => {
    const readSoFar = async () => {
      const statement = "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_prev')";
      const rows = await readRows<{ Value: string }>(ctx, statement, []);
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    const before = await readSoFar();
    const { rows } = await findDeliveries(ctx, scope, { ...period, ...question }, { offset: 0, limit: 10 });
    return { recipients: rows.map(({ recipient }) => recipient), read: (await readSoFar()) - before };
  });
}

it('passes over the mail that a large neighbour sent to others', async () => {
  const searches = [
    { search: large.user.email, party: 'sender' },
    { search: large.domain.domainName, party: 'sender' },
    { search: large.domain.domainName },
    { search: messageId },
  ] as const;
  for (const question of searches) {
    const { recipients, read } = await trace(question);
    expect([question, recipients]).toEqual([question, [ana.user.email]]);
    // 20,000 records of an index say that the sender has many rows
    expect([question, read < 20_000 + 500]).toEqual([question, true]);
  }
});

it('is too wide for a company that has more domains than one search can look through', async () => {
  const companyId = String(ana.company.id);
  await app.db.query(
    `INSERT INTO domains (company_id, domain_name, verified_at, created_at, updated_at)
     SELECT ${companyId}, CONCAT('d', seq, '.${ana.domain.domainName}'), NOW(3), NOW(3), NOW(3) FROM seq_1_to_1000`,
  );
  const tooWide = expect.objectContaining({ status: 422, code: 'trace_too_wide' });
  await expect(trace({ search: large.user.email, party: 'sender' })).rejects.toEqual(tooWide);
  expect((await trace({ search: ana.user.email, party: 'recipient' })).recipients).toEqual([ana.user.email]);
});
