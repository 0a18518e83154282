import { beforeAll, describe, expect, it } from 'vitest';
import { ampleRoom } from '../../../tests/support/claim-one.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf, rawMessage, receive, recipientOf } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Vacation } from '../models/vacation.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { deliverLocally } from './deliver-locally.ts';
import { queueAndFindDue } from './find-due.ts';
import { replyForReader } from './reply-on-vacation.ts';
import { sendNotice } from './send-notice.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

/** What leaves of a message, as a worker claims it. */
async function claimAll(messageId: string) {
  const rows = await Delivery.findAll({ where: { messageId, direction: 'out' } });
  const claims = { withRunOutLeases: true };
  const { due } = await queueAndFindDue(ctx, claims);
  const own = due.filter(({ id }) => rows.some((row) => String(row.id) === String(id)));
  return await claimDeliveries(ctx, own, { claims, room: ampleRoom });
}

/** Delivers all of it at the same time; answers how many of each delivery lacked room. */
async function deliverAll(messageId: string, to: Mailbox): Promise<number[]> {
  const groups = await claimAll(messageId);
  return await Promise.all(
    groups.map(async ({ message, deliveries: [delivery] }) => {
      if (!message || !delivery) throw new Error('nothing was claimed');
      return (await deliverLocally(ctx, message, [{ delivery, recipients: [recipientOf(to)] }])).length;
    }),
  );
}

const entriesOf = (messageId: string, { user }: Mailbox) =>
  MailboxEntry.count({ where: { messageId, userId: String(user.id) } });
const forwardsTo = (to: Mailbox) => ({
  tenant: to,
  user: { forwardTo: to.user.email, forwardConfirmedAt: new Date() },
});

describe('copies of one message that two people forward to a third one', () => {
  it('give that person the message once, also when they are delivered at the same time', async () => {
    const cai = await buildMailbox(app);
    const [ana, ben] = [await buildMailbox(app, forwardsTo(cai)), await buildMailbox(app, forwardsTo(cai))];
    for (let n = 0; n < 8; n += 1) {
      const { messageId } = await receive(ctx, [ana, ben]);
      expect(await deliverAll(messageId, cai)).toEqual([0, 0]);
      expect(await entriesOf(messageId, cai)).toBe(1);
    }
  });
});

describe('a mailbox without room', () => {
  it.each(['bea@sender.test', ''])('takes no forwarded copy of what the sender "%s" wrote', async (envelopeFrom) => {
    const cai = await buildMailbox(app, { user: { storageLimit: '1000' } });
    const ana = await buildMailbox(app, forwardsTo(cai));
    const raw = rawMessage({ body: 'x'.repeat(2000) });
    const { messageId } = await storeInbound(ctx, { ...inboundOf(raw, [ana]), envelopeFrom });
    expect(await deliverAll(messageId, cai)).toEqual([1]);
    expect(await entriesOf(messageId, cai)).toBe(0);
  });

  it('takes no answer of a person who is away, which is mail as any other', async () => {
    const [cai, ana] = [await buildMailbox(app, { user: { storageLimit: '1000' } }), await buildMailbox(app)];
    await Vacation.create({
      companyId: String(ana.company.id),
      userId: String(ana.user.id),
      isOn: true,
      subject: 'Away',
      body: 'x'.repeat(2000),
      firstDay: null,
      lastDay: null,
      timeZone: 'UTC',
    });
    await ana.user.update({ hasVacation: true });
    const from = cai.user.email;
    const raw = Buffer.from(`From: ${from}\r\nTo: ${ana.user.email}\r\nSubject: Wool\r\n\r\nText\r\n`);
    const { entryIds } = await storeInbound(ctx, { ...inboundOf(raw, [ana]), envelopeFrom: from });
    expect(await replyForReader(ctx, entryIds[0] ?? '')).toBe('replied');
    const row = await Delivery.findOne({ where: { recipient: from }, rejectOnEmpty: true });
    expect(await deliverAll(row.messageId ?? '', cai)).toEqual([1]);
  });

  it('takes a notice of the host', async () => {
    const cai = await buildMailbox(app, { user: { storageLimit: '1000' } });
    const notice = { to: cai.user.email, subject: 'Notice', text: 'x'.repeat(2000) };
    await sendNotice(ctx, { ...notice, companyId: String(cai.company.id) });
    const row = await Delivery.findOne({ where: { recipient: notice.to }, rejectOnEmpty: true });
    const messageId = row.messageId ?? '';
    expect(await deliverAll(messageId, cai)).toEqual([0]);
    expect(await entriesOf(messageId, cai)).toBe(1);
  });
});
