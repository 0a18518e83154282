import { describe, expect, it } from 'vitest';
import { ampleRoom } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { claimDeliveries, type DeliveryGroup } from './claim-deliveries.ts';
import { type DueDelivery, queueAndFindDue } from './find-due.ts';
import { type Settled, settleDeliveries } from './settle-deliveries.ts';
import { submitMessage } from './submit-message.ts';

const claims = { withRunOutLeases: false };

/** A message to so many recipients of one domain, as a look at the queue finds it. */
async function sendToMany(count: number) {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user } = await buildMailbox(app);
  const recipients = Array.from({ length: count }, (_, index) => `r${index}@many.test`);
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: to many\r\n\r\ntext of ${user.email}\r\n`);
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const { due } = await queueAndFindDue(ctx, claims, { now: new Date(Date.now() + 1000) });
  const own = due.filter(({ messageId }) => messageId === sent.messageId);
  const rows = () => Delivery.findAll({ where: { mailId: sent.mailId }, order: [['id', 'ASC']] });
  return { ctx, sent, due: own, rows };
}

const claim = (ctx: Ctx, due: readonly DueDelivery[]): Promise<DeliveryGroup[]> =>
  claimDeliveries(ctx, due, { claims, room: ampleRoom, now: new Date(Date.now() + 1000) });

describe('a message to many recipients of one domain', () => {
  it('keeps for each of them what became of it, whether many or few have the same', async () => {
    const { ctx, due, rows } = await sendToMany(40);
    const [group] = await claim(ctx, due);
    const deliveries = group?.deliveries ?? [];
    expect(deliveries).toHaveLength(40);
    const told = new Date('2026-02-03T04:05:06.789Z');
    const outcomeOf = (index: number): Omit<Settled, 'delivery'> => {
      const remoteHost = 'mx.many.test';
      if (index < 20) {
        const tls = { state: 'encrypted', protocol: 'TLSv1.3' } as const;
        return { state: 'relayed', reason: 'remote_accepted', lastReply: '250 queued', remoteHost, tls };
      }
      const later = { state: 'queued', reason: 'remote_deferred', remoteHost } as const;
      if (index < 36) return { ...later, lastReply: '451 it said "later"', delayReportedAt: told };
      return { ...later, lastReply: `451 come back for ${index}` };
    };
    const settled = deliveries.map((delivery, index) => ({ delivery, ...outcomeOf(index) }));
    const written = await inTransaction(ctx, (tx) => settleDeliveries(tx, settled));
    expect(written.size).toBe(40);
    const kept = await rows();
    expect(kept).toHaveLength(40);
    kept.forEach((row, index) => {
      const { delayReportedAt = null, tls, ...outcome } = outcomeOf(index);
      const nextAttemptAt = index < 20 ? null : deliveries[index]?.nextAttemptAt;
      const reached = { tls: tls?.state ?? null, tlsProtocol: tls?.protocol ?? null };
      expect(row).toMatchObject({ ...outcome, ...reached, delayReportedAt, nextAttemptAt, leaseUntil: null });
      expect(row).toMatchObject({ recipient: `r${index}@many.test`, attempts: 1 });
    });
  });

  it.each([0, 11])('leaves with its text where another worker holds one of them (%i)', async (held) => {
    const { ctx, sent, due } = await sendToMany(12);
    const [others] = await claim(ctx, due.slice(held, held + 1));
    expect(others?.message?.id).toBe(sent.messageId);
    const [group, ...more] = await claim(ctx, due);
    expect(more).toEqual([]);
    expect(group?.deliveries.map(({ id }) => id)).toEqual(due.filter((_, at) => at !== held).map(({ id }) => id));
    expect(group?.message).toEqual(others?.message);
    expect(group?.message?.traceHeaders).toContain(sent.mailId);
  });
});
