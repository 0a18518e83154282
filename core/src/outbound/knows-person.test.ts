import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { knowsPerson } from './knows-person.ts';
import { submitMessage } from './submit-message.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

async function write({ user }: Mailbox, to: string, from = user.email): Promise<string> {
  const raw = Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: hello\r\n\r\ntext\r\n`);
  return (await submitMessage(ctx, { user, raw, door: 'web', bcc: [] })).mailId;
}

describe('the people that a person knows', () => {
  it('are those of the company, by any of their addresses, and no people of another one', async () => {
    const ana = await buildMailbox(app);
    const bob = await buildMailbox(app, { tenant: ana });
    const { address } = await buildAlias(bob);
    expect(await knowsPerson(ctx, ana.user, bob.user.email)).toBe(true);
    expect(await knowsPerson(ctx, ana.user, address)).toBe(true);
    expect(await knowsPerson(ctx, ana.user, (await buildMailbox(app)).user.email)).toBe(false);
    expect(await knowsPerson(ctx, ana.user, 'stranger@remote.test')).toBe(false);
  });

  it('are those that were written to, whatever the case, also as an alias', async () => {
    const ana = await buildMailbox(app);
    const { address } = await buildAlias(ana);
    await write(ana, 'Friend@Remote.test');
    await write(ana, 'other@remote.test', address);
    expect(await knowsPerson(ctx, ana.user, 'friend@remote.test')).toBe(true);
    expect(await knowsPerson(ctx, ana.user, 'other@remote.test')).toBe(true);
  });

  it('are not those that colleagues wrote to, nor those whose message was taken back', async () => {
    const ana = await buildMailbox(app);
    const bob = await buildMailbox(app, { tenant: ana });
    await write(bob, 'customer@remote.test');
    const mailId = await write(ana, 'undone@remote.test');
    await Delivery.update({ state: 'cancelled' }, { where: { mailId } });
    expect(await knowsPerson(ctx, ana.user, 'customer@remote.test')).toBe(false);
    expect(await knowsPerson(ctx, ana.user, 'undone@remote.test')).toBe(false);
  });

  it('are found without reading what others have sent', async () => {
    const [ana, busy] = [await buildMailbox(app), await buildMailbox(app)];
    const mailId = await write(busy, 'popular@remote.test');
    await app.db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, created_at, updated_at)
       SELECT company_id, message_id, mail_id, 'out', CONCAT('p', seq, '@remote.test'), recipient_domain, envelope_from,
              'relayed', created_at, updated_at
         FROM deliveries JOIN seq_1_to_3000 WHERE mail_id = '${mailId}'`,
    );
    await app.db.query('ANALYZE TABLE deliveries');
    await write(ana, 'p7@remote.test');
    const { ctx: explained, plans } = explaining(app);
    expect(await knowsPerson(explained, ana.user, 'p7@remote.test')).toBe(true);
    const steps = plans.flat().filter(({ key }) => key === 'deliveries_recipient');
    expect(steps.length).toBeGreaterThan(0);
    expect(plans.flat().filter(({ table, type }) => table === 'deliveries' && type === 'ALL')).toEqual([]);
    expect(Math.max(...plans.flat().map(({ rows }) => Number(rows)))).toBeLessThan(50);
  });
});
