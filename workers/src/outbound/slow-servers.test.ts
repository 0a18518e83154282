import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { MemoryBudget } from '@selvage/core/memory-budget';
import { Delivery } from '@selvage/core/models/delivery';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Config } from '@selvage/core/process/config';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;

const slowAddress = '127.0.0.9';
const closers: (() => unknown)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).toReversed()) await close();
  await Delivery.destroy({ where: { state: 'queued' } });
});

/**
 * Mail to `slow.test`, to what is below it, and to `slow-….test` goes to a server that takes its
 * time.
 */
const resolver = {
  mx: async (name: string) => [{ exchange: `mx.${name}`, priority: 10 }],
  a: async (name: string) => [/[.]slow(-\d+)?[.]test$/.test(name) ? slowAddress : '127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

async function setUp(options: ServerOptions = {}, changes: Partial<Config> = {}) {
  const server = await startRemoteServer(options);
  closers.push(() => server.stop());
  const waiting: (() => void)[] = [];
  const slow = await startRemoteServer(
    {
      onData: (stream, _session, done) => {
        const later = Object.assign(new Error('4.7.1 later'), { responseCode: 451 });
        stream.resume().on('end', () => waiting.push(() => done(later)));
      },
    },
    server.port,
    slowAddress,
  );
  closers.push(() => slow.stop());
  const host = await testApp();
  const config = { ...host.config, outboundSmtpPort: server.port, ...changes };
  const app: App = Object.assign(Object.create(host) as App, { resolver, config });
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0 });
  closers.push(() => runner.close(0));
  return { app, ctx, mailbox, runner, waiting };
}

async function send(ctx: Ctx, { user }: Mailbox, recipient: string, lines = 1) {
  const body = `${randomUUID()}\r\n`.repeat(lines);
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\n${body}`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients: [recipient] });
  const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  return { mailId, row };
}

/**
 * Queues messages that are due before all that is sent later.
 * @param domain in SQL, by `seq`
 */
async function queueMany(
  { app, ctx, mailbox }: Pick<Awaited<ReturnType<typeof setUp>>, 'app' | 'ctx' | 'mailbox'>,
  { count, domain, envelopeFrom }: { count: number; domain: string; envelopeFrom: string },
): Promise<void> {
  const { mailId, row } = await send(ctx, mailbox, 'a@slow.test');
  const name = randomUUID();
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('${name}-', seq), blob_key, size, trace_headers, thread_key, envelope_from, from_address, to_list, cc_list, created_at, updated_at
       FROM messages JOIN seq_1_to_${count} WHERE mail_id = '${mailId}'`,
  );
  await app.db.query(
    `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, next_attempt_at, created_at, updated_at)
     SELECT d.company_id, m.id, m.mail_id, 'out', CONCAT('x@', ${domain}), ${domain}, '${envelopeFrom}', 'queued', '2020-01-01', d.created_at, d.updated_at
       FROM seq_1_to_${count} JOIN messages m ON m.mail_id = CONCAT('${name}-', seq) JOIN deliveries d ON d.mail_id = '${mailId}'`,
  );
  await row.destroy();
}

/** Runs the only due delivery. Its server defers it after more than two minutes, as it seems. */
async function takeMinutes({
  ctx,
  runner,
  waiting,
}: Pick<Awaited<ReturnType<typeof setUp>>, 'ctx' | 'runner' | 'waiting'>) {
  await runner.pass(ctx);
  await until('it is under way', () => waiting.length === 1);
  const startedAt = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => startedAt + 121_000);
  waiting.splice(0).forEach((answer) => answer());
  await runner.idle();
}

/** Passes over the queue until a delivery has that state. */
async function untilState(
  { ctx, runner }: Pick<Awaited<ReturnType<typeof setUp>>, 'ctx' | 'runner'>,
  of: Delivery,
  state: string,
) {
  await until(
    () => `the delivery to ${of.recipient} is ${state}; it is ${of.state}`,
    async () => {
      await runner.pass(ctx);
      return (await of.reload()).state === state;
    },
    10_000,
  );
}

describe('servers that hold every transfer for as long as they may', () => {
  it.each([
    ['answers of an absent person, to names below one domain', "CONCAT('a', seq, '.slow.test')", ''],
    ['answers of an absent person, to domains of many owners', "CONCAT('slow-', seq, '.test')", ''],
    ['messages to one domain', "'a.slow.test'", 'sender@here.test'],
  ])('hold up no other mail: %s', async (_title, domain, envelopeFrom) => {
    const host = await setUp();
    const { ctx, mailbox, runner, waiting } = host;
    await queueMany(host, { count: 300, domain, envelopeFrom });
    await runner.pass(ctx);
    await until('the slow server is busy', () => waiting.length > 0);
    const local = await send(ctx, mailbox, mailbox.user.email);
    const other = await send(ctx, mailbox, 'bob@other.test');
    await untilState(host, local.row, 'stored');
    await untilState(host, other.row, 'relayed');
  });

  it('hold up no mail for mailboxes of this host, also when every transfer goes to them', async () => {
    const host = await setUp();
    const { ctx, mailbox, runner, waiting } = host;
    await queueMany(host, { count: 300, domain: "CONCAT('slow-', seq, '.test')", envelopeFrom: 'sender@here.test' });
    await until('every transfer waits for them', async () => {
      await runner.pass(ctx);
      return waiting.length === 10;
    });
    const local = await send(ctx, mailbox, mailbox.user.email);
    await untilState(host, local.row, 'stored');
  });

  it.each([
    ['answers, whatever names below one domain they go to', ['a', 'b', 'c', 'd'], ''],
    ['messages of people to one name', ['a', 'a', 'a', 'a'], 'sender@here.test'],
  ])('get one transfer at a time once one took minutes, whatever they replied: %s', async (_title, names, from) => {
    const host = await setUp();
    const { ctx, runner } = host;
    const [first, ...others] = names.map((name) => ({ count: 1, domain: `'${name}.slow.test'`, envelopeFrom: from }));
    if (first) await queueMany(host, first);
    await takeMinutes(host);
    const [row] = await Delivery.findAll({ where: { state: 'queued' } });
    expect(row).toMatchObject({ reason: 'remote_deferred', attempts: 1 });
    for (const other of others) await queueMany(host, other);
    expect((await runner.pass(ctx)).begun).toBe(1);
  });

  it.each([
    ['of a person', 'sender@here.test'],
    ['an answer', ''],
  ])('hold up no mail to the domain above their name, after a message to it: %s', async (_title, envelopeFrom) => {
    const host = await setUp();
    const { ctx, mailbox, runner } = host;
    await queueMany(host, { count: 1, domain: "'a.slow.test'", envelopeFrom });
    await takeMinutes(host);
    // More than the first look at the queue reads
    await queueMany(host, { count: 300, domain: "'a.slow.test'", envelopeFrom: 'sender@here.test' });
    for (let n = 0; n < 3; n += 1) await send(ctx, mailbox, 'bob@slow.test');
    await runner.pass(ctx);
    const rows = await Delivery.findAll({ where: { recipientDomain: 'slow.test' } });
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });
});

describe('answers that have to wait', () => {
  it('hide no mail of people to the same domain, and are not looked for again at once', async () => {
    const host = await setUp();
    const { ctx, mailbox, runner, waiting } = host;
    await queueMany(host, { count: 2, domain: "CONCAT('slow-', seq, '.test')", envelopeFrom: '' });
    await runner.pass(ctx);
    await until('they have all their transfers', () => waiting.length === 2);
    await queueMany(host, { count: 300, domain: "'other.test'", envelopeFrom: '' });
    expect(await runner.pass(ctx)).toMatchObject({ begun: 0, hasMore: false });
    const { row } = await send(ctx, mailbox, 'bob@other.test');
    await runner.pass(ctx);
    expect((await row.reload()).attempts).toBe(1);
  });

  it.each([
    ['to the same domain', "'slow.test'", 'bob@slow.test'],
    ['to another one', "CONCAT('a', seq, '.slow.test')", 'bob@zoo.test'],
  ])('hide none while their domain is down and they have a transfer there: %s', async (_title, domain, recipient) => {
    const host = await setUp();
    const { ctx, mailbox, runner, waiting } = host;
    await queueMany(host, { count: 1, domain: "'a.slow.test'", envelopeFrom: '' });
    await takeMinutes(host);
    await queueMany(host, { count: 900, domain, envelopeFrom: '' });
    await runner.pass(ctx);
    await until('one of them is under way', () => waiting.length === 1);
    const { row } = await send(ctx, mailbox, recipient);
    await runner.pass(ctx);
    expect((await row.reload()).attempts).toBe(1);
  });
});

it('leave half of the memory to smaller messages, and their transfers too, when large ones go there', async () => {
  const { app, ctx, mailbox, waiting } = await setUp();
  const mega = 1_048_576;
  const limits = { bytes: 10 * mega, bytesPerSource: 6 * mega, slots: 10, slotsPerSource: 10 };
  Object.assign(app, { memory: new MemoryBudget(limits) });
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0, memoryPatienceMs: 0 });
  closers.push(() => runner.close(0));
  const [first, second] = [1, 2].map((n) => send(ctx, mailbox, `x@a.slow-${n}.test`, 130_000));
  const large = await Promise.all([first, second].flatMap((sent) => sent ?? []));
  await runner.pass(ctx);
  await until('one has memory, and the other is postponed', async () => {
    await Promise.all(large.map(({ row }) => row.reload()));
    return waiting.length === 1 && large.filter(({ row }) => row.attempts === 0).length === 1;
  });
  expect(large.filter(({ row }) => row.leaseUntil === null)).toHaveLength(1);
  const other = await send(ctx, mailbox, 'bob@other.test', 10_000);
  await untilState({ ctx, runner }, other.row, 'relayed');
});

it('take as long for a command as RFC 5321 grants them, from the second attempt on', async () => {
  const host = await setUp(
    { onRcptTo: (_address, _session, done) => void setTimeout(done, 2500) },
    { outboundTimeoutSeconds: 1, retryScheduleSeconds: [0, 0] },
  );
  const { row } = await send(host.ctx, host.mailbox, 'bob@other.test');
  await host.runner.pass(host.ctx);
  await host.runner.idle();
  expect(await row.reload()).toMatchObject({ state: 'queued', reason: 'timeout' });
  await untilState(host, row, 'relayed');
});
