import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { MemoryBudget, tooMuchAtOnce } from '@selvage/core/memory-budget';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Config } from '@selvage/core/process/config';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await Delivery.destroy({ where: { state: 'queued' } });
});

const resolver = {
  mx: async () => [{ exchange: 'mx.remote.test', priority: 10 }],
  a: async () => ['127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

/** A worker whose messages may take a million bytes. */
async function setUp(outboundSmtpPort: number, memoryPatienceMs: number, changes: Partial<Config> = {}) {
  const host = await testApp();
  const memory = new MemoryBudget({ bytes: 1_000_000, bytesPerSource: 1_000_000, slots: 10, slotsPerSource: 10 });
  const config = { ...host.config, outboundSmtpPort, ...changes };
  const app: App = Object.assign(Object.create(host) as App, { resolver, config, memory });
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  return { ctx, mailbox, memory, outbound: newRunner(memoryPatienceMs) };
}

function newRunner(memoryPatienceMs = 60_000): DeliveryRunner {
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0, memoryPatienceMs });
  closers.push(() => runner.close());
  return runner;
}

/** A message of so many lines of 38 bytes. */
async function send(ctx: Ctx, { user }: Mailbox, to: string, lines: number): Promise<Delivery> {
  const raw = Buffer.from(`From: ${user.email}\r\nTo: ${to}\r\n\r\n${`${randomUUID()}\r\n`.repeat(lines)}`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  return await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
}

/** The subjects of the reports in a person's inbox. */
async function reports({ user }: Mailbox): Promise<string[]> {
  const entries = await MailboxEntry.findAll({ where: { userId: user.id, receivedStatus: true } });
  const ids = entries.map(({ messageId }) => messageId);
  const messages = await Message.findAll({ where: { id: ids, envelopeFrom: '' }, order: ['id'] });
  return messages.map(({ subject }) => subject);
}

/** Takes up what is due and waits for what came of it. */
async function passOver(runner: DeliveryRunner, ctx: Ctx): Promise<void> {
  await runner.pass(ctx);
  await runner.idle();
}

describe('the memory for messages', () => {
  it('lets a large message wait until there is room for it, and is free once it has left', async () => {
    const server = await startRemoteServer();
    closers.push(() => server.stop());
    const { ctx, mailbox, memory, outbound } = await setUp(server.port, 60_000);
    const delivery = await send(ctx, mailbox, 'bob@remote.test', 5300);
    const small = await send(ctx, mailbox, 'bob@small.test', 1);
    const taken = memory.take('other', 900_000);
    await outbound.pass(ctx);
    await until('the small one has left', async () => (await small.reload()).state === 'relayed');
    expect((await delivery.reload()).state).toBe('queued');
    taken.release();
    await outbound.idle();
    expect((await delivery.reload()).state).toBe('relayed');
    expect(memory.bytes).toBe(0);
  });

  it('gives a delivery back when its process ends before there was room', async () => {
    const server = await startRemoteServer();
    closers.push(() => server.stop());
    const { ctx, mailbox, memory, outbound } = await setUp(server.port, 60_000);
    const delivery = await send(ctx, mailbox, 'bob@remote.test', 5300);
    // The wait after its next attempt is a day
    await delivery.update({ attempts: 9, reason: 'timeout' });
    const taken = memory.take('other', 900_000);
    await outbound.pass(ctx);
    await outbound.close(0);
    taken.release();
    expect(server.received).toHaveLength(0);
    expect(memory.bytes).toBe(0);
    expect(await delivery.reload()).toMatchObject({
      state: 'queued',
      attempts: 9,
      reason: 'timeout',
      leaseUntil: null,
    });
    await passOver(newRunner(), ctx);
    expect((await delivery.reload()).state).toBe('relayed');
  });

  it.each([
    ['there is no room', 0],
    ['too many wait for room', 60_000],
  ])('lets others have the transfer when %s, and uses up no attempt', async (why, memoryPatienceMs) => {
    const server = await startRemoteServer();
    closers.push(() => server.stop());
    const { ctx, mailbox, memory, outbound } = await setUp(server.port, memoryPatienceMs);
    const delivery = await send(ctx, mailbox, 'bob@remote.test', 5300);
    const taken = memory.take('other', 900_000);
    if (why.startsWith('too many')) vi.spyOn(memory, 'wait').mockRejectedValueOnce(tooMuchAtOnce());
    const before = Date.now();
    await passOver(outbound, ctx);
    expect(await delivery.reload()).toMatchObject({
      state: 'queued',
      attempts: 0,
      leaseUntil: null,
      reason: 'accepted',
    });
    expect(delivery.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + 60_000);
    taken.release();
    await delivery.update({ nextAttemptAt: new Date() });
    await passOver(newRunner(), ctx);
    expect(await delivery.reload()).toMatchObject({ state: 'relayed', attempts: 1 });
    expect(memory.bytes).toBe(0);
  });

  it('counts as an attempt when a late message finds none, so that its sender hears of it and it ends', async () => {
    const changes = { retryScheduleSeconds: [0], delayReportAfterSeconds: 0 };
    const { ctx, mailbox, memory, outbound } = await setUp(1, 0, changes);
    const delivery = await send(ctx, mailbox, 'bob@remote.test', 5300);
    const taken = memory.take('other', 900_000);
    closers.push(() => taken.release());
    await passOver(outbound, ctx);
    const reason = 'rate_limited';
    const lastReply = '452 4.3.1 Too much mail at once';
    expect(await delivery.reload()).toMatchObject({
      state: 'queued',
      attempts: 1,
      reason,
      lastReply,
      remoteHost: null,
    });
    expect(await reports(mailbox)).toEqual(['Delayed Mail (still being retried)']);
    await passOver(outbound, ctx);
    expect(await delivery.reload()).toMatchObject({ state: 'bounced', attempts: 2, reason: 'expired', lastReply });
    expect(await reports(mailbox)).toHaveLength(2);
  });
});
