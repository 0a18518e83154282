import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { receive, recipientOf } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { deliverLocally } from './deliver-locally.ts';
import { findDue } from './find-due.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

describe('copies of one message that two people forward to a third one', () => {
  it('give that person the message once, also when they are delivered at the same time', async () => {
    const ctx = systemContext(app);
    const cai = await buildMailbox(app);
    const forwards = { user: { forwardTo: cai.user.email, forwardConfirmedAt: new Date() }, tenant: cai };
    const [ana, ben] = [await buildMailbox(app, forwards), await buildMailbox(app, forwards)];
    for (let n = 0; n < 8; n += 1) {
      const { messageId } = await receive(ctx, [ana, ben]);
      const copies = await Delivery.findAll({ where: { messageId, direction: 'out' } });
      const claims = { expired: true };
      const { due } = await findDue(ctx, claims);
      const own = due.filter(({ id }) => copies.some((copy) => String(copy.id) === String(id)));
      const room = { transfers: 2, reserved: 0, perDomain: 1000, forDown: 1000, isDown: () => false };
      const groups = await claimDeliveries(ctx, own, { claims, room });
      expect(groups).toHaveLength(2);
      await Promise.all(
        groups.map(async ({ message, deliveries: [delivery] }) => {
          if (!message || !delivery) throw new Error('nothing was claimed');
          return await deliverLocally(ctx, message, [{ delivery, recipients: [recipientOf(cai)] }]);
        }),
      );
      expect(await MailboxEntry.count({ where: { messageId, userId: String(cai.user.id) } })).toBe(1);
    }
  });
});
