import { beforeAll, describe, expect, it } from 'vitest';
import { explaining, type PlanStep } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { type DueDelivery, findDueByDomain, findDueHere, queueAndFindDue } from './find-due.ts';
import { submitMessage } from './submit-message.ts';

const claims = { withRunOutLeases: true };
const rows = 2000;
let app: App;

beforeAll(async () => {
  app = await testApp();
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext\r\n`);
  const recipients = ['a@busy.test', 'a@zoo.test', 'a@alpha.test'];
  const { mailId } = await submitMessage(systemContext(app), { user, raw, door: 'web', bcc: [], recipients });
  // The busy domain has been due for long, and thousands of deliveries have ended
  await app.db.query(
    `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, next_attempt_at, created_at, updated_at)
     SELECT company_id, message_id, mail_id, 'out', recipient, recipient_domain, envelope_from,
            IF(seq % 2, 'queued', 'relayed'), IF(seq % 2, '2020-01-01', NULL), created_at, updated_at
       FROM deliveries JOIN seq_1_to_${rows * 2} WHERE mail_id = '${mailId}' AND recipient_domain = 'busy.test'`,
  );
  await app.db.query('ANALYZE TABLE deliveries');
});

/**
 * Every step but the putting together of parts reads a few rows by an index. Companies are read by
 * their ids.
 */
function expectIndexed(plans: PlanStep[][], keys: string[]): void {
  const steps = plans.flat().filter(({ table }) => table !== null && !table.startsWith('<'));
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) {
    expect(step.table === 'c' ? ['PRIMARY'] : keys).toContain(step.key);
    expect(step.Extra).not.toContain('filesort');
    expect(step.type).not.toBe('ALL');
  }
}

describe('queueAndFindDue', () => {
  it('finds the longest due ones, and says that there is more', async () => {
    const { due, isCutOff } = await queueAndFindDue(systemContext(app), claims);
    expect(isCutOff).toBe(true);
    expect(new Set(due.map(({ recipientDomain }) => recipientDomain))).toEqual(new Set(['busy.test']));
  });

  it('reads by the index of the due time, in its order', async () => {
    const { ctx, plans } = explaining(app);
    await queueAndFindDue(ctx, claims);
    expectIndexed(plans, ['deliveries_due', 'domains_owned']);
  });

  it('says when the next one is due', async () => {
    const [future, past] = [new Date(Date.now() + 90_000), new Date(Date.now() - 1000)];
    future.setMilliseconds(0);
    await Delivery.update({ nextAttemptAt: future }, { where: { recipientDomain: 'alpha.test' } });
    expect((await queueAndFindDue(systemContext(app), claims)).nextAt).toEqual(future);
    await Delivery.update({ nextAttemptAt: past }, { where: { recipientDomain: 'alpha.test' } });
  });
});

describe('findDueByDomain', () => {
  const step = { after: '', most: 10, isFull: (domain: string) => domain === 'busy.test' };

  it('passes a full domain over, however much is due for it', async () => {
    const seen: string[] = [];
    let after = '';
    do {
      const found = await findDueByDomain(systemContext(app), claims, { ...step, after });
      seen.push(...found.due.map(({ recipientDomain }) => recipientDomain));
      after = found.after;
    } while (after !== '');
    expect(seen).toEqual(['alpha.test', 'zoo.test']);
  });

  it('goes on behind a domain that fills a whole page of the index', async () => {
    const first = await findDueByDomain(systemContext(app), claims, { ...step, after: 'alpha.test' });
    expect(first).toEqual({ due: [], after: 'busy.test' });
  });

  it('goes on after the last domain that it took', async () => {
    const first = await findDueByDomain(systemContext(app), claims, { ...step, most: 1, isFull: () => false });
    expect(first).toMatchObject({ due: [{ recipientDomain: 'alpha.test' }], after: 'alpha.test' });
    const next = await findDueByDomain(systemContext(app), claims, { ...step, most: 1, after: 'busy.test' });
    expect(next).toMatchObject({ due: [{ recipientDomain: 'zoo.test' }], after: '' });
  });

  it('reads by the index of the domains, in its order', async () => {
    const { ctx, plans } = explaining(app);
    await findDueByDomain(ctx, claims, { ...step, isFull: () => false });
    expect(plans[0]?.[0]?.Extra).toContain('Using index');
    expectIndexed(plans, ['deliveries_domain', 'domains_owned']);
  });
});

describe('automatic messages that have to wait', () => {
  const answered = ['answered1.test', 'answered2.test', 'answered3.test'];
  const withAutomatic = false;
  const step = { after: 'answered', most: 1, isFull: (_domain: string, isAutomatic: boolean) => isAutomatic };

  beforeAll(async () => {
    // To each of these domains, 300 answers have been due for longer than anything else
    const domain = `CONCAT('answered', 1 + seq % ${answered.length}, '.test')`;
    await app.db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, next_attempt_at, created_at, updated_at)
       SELECT company_id, message_id, mail_id, 'out', recipient, ${domain}, '', 'queued', '2019-01-01', created_at, updated_at
         FROM deliveries JOIN seq_1_to_${answered.length * 300} WHERE recipient_domain = 'alpha.test'`,
    );
    await app.db.query(
      `UPDATE deliveries SET envelope_from = 'a@here.test', next_attempt_at = '2020-02-01'
        WHERE recipient_domain = 'answered2.test' ORDER BY id LIMIT 1`,
    );
    await app.db.query('ANALYZE TABLE deliveries');
  });

  it('hide no other mail', async () => {
    const ctx = systemContext(app);
    const whole = await queueAndFindDue(ctx, claims);
    expect(whole.due.filter(({ isAutomatic }) => !isAutomatic)).toEqual([]);
    const { due, isCutOff } = await queueAndFindDue(ctx, claims, { withAutomatic });
    expect(due.filter(({ isAutomatic }) => isAutomatic)).toEqual([]);
    expect([due.length, isCutOff]).toEqual([200, true]);
  });

  it('hide no other mail to the same domain, and their domains do not end a step', async () => {
    const found = await findDueByDomain(systemContext(app), claims, step);
    expect(found).toMatchObject({ due: [{ recipientDomain: 'answered2.test', isAutomatic: false }] });
    expect(found.after).toBe('answered2.test');
    const next = await findDueByDomain(systemContext(app), claims, { ...step, after: found.after });
    expect(new Set(next.due.map(({ recipientDomain }) => recipientDomain))).toEqual(new Set(['busy.test']));
  });

  it('are found where they are for domains that are hosted here, or for the host itself', async () => {
    const { user } = await buildMailbox(app);
    const names = [user.email.split('@')[1] ?? '', app.config.hostname];
    for (const name of names)
      await app.db.query(
        `UPDATE deliveries SET recipient_domain = '${name}', next_attempt_at = '2018-01-01'
          WHERE recipient_domain = 'answered1.test' ORDER BY id LIMIT 1`,
      );
    const { due } = await queueAndFindDue(systemContext(app), claims, { withAutomatic });
    const found = due.filter(({ isAutomatic }) => isAutomatic).map(({ recipientDomain }) => recipientDomain);
    expect(found.toSorted()).toEqual(names.toSorted());
    for (const recipientDomain of names) await Delivery.destroy({ where: { recipientDomain } });
  });

  it('are passed over by the same indexes, in their order', async () => {
    const { ctx, plans } = explaining(app);
    await queueAndFindDue(ctx, claims, { withAutomatic });
    expectIndexed(plans.splice(0), ['deliveries_due', 'domains_owned']);
    await findDueByDomain(ctx, claims, step);
    expectIndexed(plans, ['deliveries_domain', 'domains_owned']);
  });
});

describe('mail to a domain that was hosted here', () => {
  it.each([
    ['it', ({ domain }: Mailbox) => domain.update({ deletedAt: new Date() })],
    ['its company', ({ company }: Mailbox) => company.update({ deletedAt: new Date() })],
  ])('counts as mail to another host once %s is deleted', async (_what, remove) => {
    const mailbox = await buildMailbox(app);
    const { user } = mailbox;
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\nto myself\r\n`);
    const ctx = systemContext(app);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients: [user.email] });
    await Delivery.update({ nextAttemptAt: new Date('2018-01-01') }, { where: { mailId } });
    const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
    const own = ({ due }: { due: DueDelivery[] }) =>
      due.flatMap(({ id, isHosted }) => (String(id) === String(row.id) ? [isHosted] : []));
    expect(own(await queueAndFindDue(ctx, claims))).toEqual([true]);
    expect(own(await findDueHere(ctx, claims, ''))).toEqual([true]);
    await remove(mailbox);
    expect(own(await queueAndFindDue(ctx, claims))).toEqual([false]);
    expect(own(await findDueHere(ctx, claims, ''))).toEqual([]);
    await row.destroy();
  });
});

describe('findDueHere', () => {
  it('finds what is due to hosted domains alone, one after the other, however much waits for others', async () => {
    const { user } = await buildMailbox(app);
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\nto myself\r\n`);
    const ctx = systemContext(app);
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients: [user.email] });
    const [row] = await Delivery.findAll({ where: { mailId } });
    const found = await findDueHere(ctx, claims, '', new Date(Date.now() + 1000));
    expect(found.after).toBe('');
    expect(found.due.map(({ id, isHosted }) => [String(id), isHosted])).toEqual([[String(row?.id), true]]);
    const domain = user.email.split('@')[1] ?? '';
    expect(await findDueHere(ctx, claims, domain)).toEqual({ due: [], after: '' });
  });

  it('reads the rows of hosted domains alone, by the index of the domains', async () => {
    const { ctx, plans } = explaining(app);
    await findDueHere(ctx, claims, '');
    expect(plans[0]?.[1]).toMatchObject({ table: 'deliveries', ref: 'const,const,func' });
    expectIndexed(plans, ['deliveries_domain', 'domains_owned']);
  });
});
