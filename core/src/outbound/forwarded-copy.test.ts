import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, forwardingTo, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { AuditEvent } from '../models/audit-event.ts';
import { Delivery } from '../models/delivery.ts';
import { checkForwarding } from './forwarded-copy.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

async function buildForwarder(to: string): Promise<Mailbox> {
  return await buildMailbox(app, { user: await forwardingTo(to) });
}

const check = ({ user }: Mailbox, to: string) => checkForwarding(systemContext(app), user.email, to);
const noticesTo = ({ user }: Mailbox) => Delivery.count({ where: { recipient: user.email, direction: 'out' } });

describe('a copy that a mailbox forwards', () => {
  it('may leave for an address of this host or another one while its owner stays the same', async () => {
    const ben = await buildMailbox(app, { local: 'ben' });
    const tagged = `ben+copies@${ben.domain.domainName}`;
    const ana = await buildForwarder(ben.user.email);
    expect(await check(ana, ben.user.email)).toBe(true);
    await ben.user.update({ deletedAt: new Date() });
    expect(await check(ana, ben.user.email)).toBe(true);
    await ana.user.update({ forwardTo: tagged });
    expect(await check(ana, tagged)).toBe(true);
    expect(await check(ana, ben.user.email)).toBe(false);
    await ana.user.update(await forwardingTo('ben@elsewhere.test'));
    expect(await check(ana, 'ben@elsewhere.test')).toBe(true);
    expect(await noticesTo(ana)).toBe(0);
  });

  it('does not leave once another person has the address: the forwarding ends, and its owner is told once', async () => {
    const ben = await buildMailbox(app);
    const ana = await buildForwarder(ben.user.email);
    await ben.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(systemContext(app), String(ben.user.id));
    await buildMailbox(app, { tenant: ben, local: ben.user.email.split('@')[0] ?? '' });
    expect(await Promise.all([check(ana, ben.user.email), check(ana, ben.user.email)])).toEqual([false, false]);
    expect(await ana.user.reload()).toMatchObject({ forwardTo: null, forwardConfirmedAt: null });
    expect(await noticesTo(ana)).toBe(1);
    const events = await AuditEvent.findAll({ where: { entityId: String(ana.user.id) } });
    expect(events.map(({ action, actorId, details }) => [action, actorId, details])).toEqual([
      ['forwarding:stopped', null, { email: ana.user.email, to: ben.user.email }],
    ]);
  });

  it('does not leave once the domain of its address has left this host', async () => {
    const ben = await buildMailbox(app);
    const ana = await buildForwarder(ben.user.email);
    await ben.domain.update({ deletedAt: new Date() });
    expect(await check(ana, ben.user.email)).toBe(false);
    expect(await ana.user.reload()).toMatchObject({ forwardTo: null });
    expect(await noticesTo(ana)).toBe(1);
  });

  it('does not leave for an address that the host has taken over since', async () => {
    const ben = await buildMailbox(app);
    const address = `sales@${ben.domain.domainName}`;
    const ana = await buildForwarder(address);
    expect(await check(ana, address)).toBe(true);
    await buildAlias(ben, 'sales');
    expect(await check(ana, address)).toBe(false);
  });
});
