import { type Ctx, systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { DeliveryRunner } from './delivery-runner.ts';

/** Sends a message of over 2 KB to people of this host, and makes one attempt at each delivery. */
async function deliver(ctx: Ctx, { user }: Mailbox, to: readonly Mailbox[]): Promise<Delivery[]> {
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: large\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(20)}`);
  const recipients = to.map((one) => one.user.email);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0 });
  await runner.pass(ctx);
  await runner.idle();
  await runner.close();
  const rows = await Delivery.findAll({ where: { mailId, direction: 'out' } });
  return recipients.flatMap((recipient) => rows.filter((row) => row.recipient === recipient));
}

it('refuses a message at once that is larger than the mailbox of a colleague may ever hold', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const sender = await buildMailbox(app);
  const small = await buildMailbox(app, { tenant: sender, user: { storageLimit: '2000' } });
  const other = await buildMailbox(app, { tenant: sender });
  const [refused, stored] = await deliver(ctx, sender, [small, other]);
  expect(refused).toMatchObject({
    state: 'bounced',
    reason: 'message_too_large',
    lastReply: 'host.test: 552 5.2.3 The message is larger than the mailbox may hold',
  });
  expect(stored).toMatchObject({ state: 'stored' });
  const entries = await MailboxEntry.findAll({ where: { userId: sender.user.id, receivedStatus: true } });
  const reports = await Message.findAll({ where: { id: entries.map(({ messageId }) => messageId) } });
  expect(reports.map(({ subject }) => subject)).toEqual(['Undelivered Mail Returned to Sender']);
});
