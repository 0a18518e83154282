import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Delivery } from '@selvage/core/models/delivery';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { User } from '@selvage/core/models/user';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { App } from '@selvage/core/context/app';
import { DnsError, type DnsResolver } from '@selvage/core/dns/resolver';
import type { Config } from '@selvage/core/process/config';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { afterEach, describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { freePorts } from '../../../tests/support/free-ports.ts';
import { speak, startOddServer } from '../../../tests/support/odd-server.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;

/** Containers often have no IPv6, not even on their loopback. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  // What a test leaves comes due in a minute, and would go to the server of another test
  await Delivery.destroy({ where: { state: 'queued' } });
});

/** Mail of `dead.test` goes to an address of its own, all other mail to 127.0.0.1. */
const deadAddress = '127.0.3.1';
const resolver = {
  mx: async (name: string) => [{ exchange: `mx.${name}`, priority: 10 }],
  a: async (name: string) => [name === 'mx.dead.test' ? deadAddress : '127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

/** Answers with these addresses. */
const only = (a: string[], aaaa: string[]) => ({ ...resolver, a: async () => a, aaaa: async () => aaaa });

async function setUp(options: ServerOptions = {}, changes: Partial<Config> = {}) {
  const server = await startRemoteServer(options);
  closers.push(() => server.stop());
  const host = await testApp();
  const config = { ...host.config, outboundSmtpPort: server.port, ...changes };
  const app: App = Object.assign(Object.create(host) as App, { resolver, config });
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  return { app, ctx, mailbox, server, runner: newRunner() };
}

function newRunner(changes: Partial<ConstructorParameters<typeof DeliveryRunner>[0]> = {}): DeliveryRunner {
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 20, takeOverAfterMs: 0, ...changes });
  closers.push(() => runner.close(0));
  return runner;
}

function withResolver({ app }: Ctx, changed: DnsResolver): Ctx {
  return systemContext(Object.assign(Object.create(app) as App, { resolver: changed }));
}

async function passOver(runner: DeliveryRunner, ctx: Ctx): Promise<void> {
  await runner.pass(ctx);
  await runner.idle();
}

async function send(ctx: Ctx, { user }: Mailbox, recipients: string[]) {
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext ${Math.random()}\r\n`);
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const rows = () => Delivery.findAll({ where: { mailId: sent.mailId }, order: ['id'] });
  const states = async () => (await rows()).map(({ state, reason }) => `${state} ${reason}`);
  return { ...sent, rows, states };
}

const at = (domain: string, count: number) => Array.from({ length: count }, (_, index) => `r${index}@${domain}`);

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

async function reports(app: App, user: User): Promise<string[]> {
  const entries = await MailboxEntry.findAll({ where: { userId: user.id, receivedStatus: true } });
  const found = await Message.findAll({ where: { id: entries.map(({ messageId }) => messageId), envelopeFrom: '' } });
  return await Promise.all(
    found.map(async ({ blobKey }) => Buffer.concat(await app.blobs.get(blobKey).toArray()).toString()),
  );
}

describe('recipients at one domain', () => {
  it('share one transfer, and those at another domain have their own', async () => {
    const { ctx, mailbox, server, runner } = await setUp();
    const sent = await send(ctx, mailbox, [...at('one.test', 99), 'a@two.test']);
    await passOver(runner, ctx);
    expect(server.received.map(({ to }) => to.length).toSorted((one, two) => one - two)).toEqual([1, 99]);
    expect(new Set(await sent.states())).toEqual(new Set(['relayed remote_accepted']));
    expect((await MailboxEntry.findByPk(sent.entryId))?.deliveryState).toBe('relayed');
  });

  it.each(['domain', 'company'] as const)(
    'that was deleted here with its %s get their mail where the DNS says, as it may have moved',
    async (part) => {
      const { app, ctx, mailbox, server, runner } = await setUp();
      const left = await buildMailbox(app);
      const person = await buildMailbox(app, { tenant: left, user: { deletedAt: new Date() } });
      const { domainName } = left.domain;
      const here = await send(ctx, mailbox, [person.user.email]);
      await passOver(runner, ctx);
      // Only the own company is told that there was a mailbox
      expect(await here.states()).toEqual(['bounced unknown_recipient']);
      const within = await send(ctx, left, [person.user.email]);
      await passOver(runner, ctx);
      expect(await within.states()).toEqual(['bounced deleted_mailbox']);
      const deletion = { deletedAt: new Date() };
      await (part === 'domain' ? left.domain.update(deletion) : left.company.update(deletion));
      const moved = await send(ctx, mailbox, [left.user.email, person.user.email, `new@${domainName}`]);
      await passOver(runner, ctx);
      expect(new Set(await moved.states())).toEqual(new Set(['relayed remote_accepted']));
      expect(server.received.flatMap(({ to }) => to)).toHaveLength(3);
      // One that was deleted and did not move
      const mx = async () => [{ exchange: app.config.hostname, priority: 10 }];
      const inward = systemContext(
        Object.assign(Object.create(app) as App, {
          resolver: { ...resolver, mx },
          config: { ...app.config, smtpPort: app.config.outboundSmtpPort },
        }),
      );
      const stayed = await send(inward, mailbox, [left.user.email]);
      await passOver(runner, inward);
      expect(await stayed.states()).toEqual(['bounced loop']);
    },
  );

  it('go to the mail hosts that are preferred to this one, never to its equals', async () => {
    const { app, mailbox, server, runner } = await setUp();
    const inward = (preferred: { exchange: string; priority: number }[]) => {
      const equals = Array.from({ length: 8 }, (_, n) => ({ exchange: `mx${n}.shared.test`, priority: 10 }));
      const mx = async () => [{ exchange: app.config.hostname, priority: 10 }, ...equals, ...preferred];
      const a = async (name: string) => {
        if (name === 'silent.shared.test') throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' });
        return ['127.0.0.1'];
      };
      const changes = { smtpPort: app.config.outboundSmtpPort, bindAddress: '127.0.3.2' };
      return systemContext(
        Object.assign(Object.create(app) as App, {
          resolver: { ...resolver, mx, a, aaaa: async () => [] },
          config: { ...app.config, ...changes },
        }),
      );
    };
    const between = inward([]);
    const sent = await send(between, mailbox, at('shared.test', 1));
    await passOver(runner, between);
    expect(await sent.states()).toEqual(['bounced loop']);
    expect(server.received).toEqual([]);
    const behind = inward([{ exchange: 'best.shared.test', priority: 5 }]);
    const onward = await send(behind, mailbox, at('shared.test', 1));
    await passOver(runner, behind);
    expect((await onward.rows()).map(({ state, remoteHost }) => [state, remoteHost])).toEqual([
      ['relayed', 'best.shared.test'],
    ]);
    const unsure = inward([{ exchange: 'silent.shared.test', priority: 5 }]);
    const waiting = await send(unsure, mailbox, at('shared.test', 1));
    await passOver(runner, unsure);
    expect(await waiting.states()).toEqual(['queued dns_failure']);
  });

  it('are at most a hundred in one transfer', async () => {
    const { ctx, mailbox, server, runner } = await setUp({}, { maxRecipients: 150 });
    await send(ctx, mailbox, at('many.test', 130));
    await passOver(runner, ctx);
    await passOver(runner, ctx);
    expect(server.received.map(({ to }) => to.length)).toEqual([100, 30]);
  });

  it('get each their own answer to RCPT, and the report names those who were refused', async () => {
    const { app, ctx, mailbox, server, runner } = await setUp({
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith('r0')) return done(answer(550, '5.1.1 unknown here'));
        if (address.startsWith('r1')) return done(answer(550, '5.7.1 not you'));
        done(address.startsWith('r2') ? answer(451, '4.7.1 later') : null);
      },
    });
    const sent = await send(ctx, mailbox, at('mixed.test', 5));
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual([
      'bounced remote_refused',
      'bounced remote_refused',
      'queued remote_deferred',
      'relayed remote_accepted',
      'relayed remote_accepted',
    ]);
    expect(server.received.map(({ to }) => to)).toEqual([['r3@mixed.test', 'r4@mixed.test']]);
    const [report = '', ...more] = await reports(app, mailbox.user);
    expect(more).toEqual([]);
    expect(report.match(/^Final-Recipient: .*$/gm)).toEqual([
      'Final-Recipient: rfc822; r0@mixed.test',
      'Final-Recipient: rfc822; r1@mixed.test',
    ]);
    expect(report).toContain('Diagnostic-Code: smtp; 550 5.7.1 not you');
    expect((await MailboxEntry.findByPk(sent.entryId))?.deliveryState).toBe('bounced');
  });

  it('who have the message never get it again because the report of others could not be stored', async () => {
    const { app, ctx, mailbox, server, runner } = await setUp({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('r0') ? answer(550, '5.1.1 no') : null),
    });
    const sent = await send(ctx, mailbox, at('report.test', 2));
    const { blobs } = app;
    app.blobs = blobStoreWith(blobs, {
      put: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    });
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual(['queued accepted', 'relayed remote_accepted']);
    app.blobs = blobs;
    await Delivery.update({ nextAttemptAt: new Date(), leaseUntil: null }, { where: { mailId: sent.mailId } });
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual(['bounced remote_refused', 'relayed remote_accepted']);
    expect(server.received.map(({ to }) => to)).toEqual([['r1@report.test']]);
    expect(await reports(app, mailbox.user)).toHaveLength(1);
  });

  it('are reported with the code of a reply alone when an address in it looks like an enhanced code', async () => {
    const { app, ctx, mailbox, runner } = await setUp({
      hideENHANCEDSTATUSCODES: true,
      onRcptTo: (_address, _session, done) => done(answer(550, 'your address 81.5.7.1 is listed')),
    });
    await send(ctx, mailbox, at('listed.test', 1));
    await passOver(runner, ctx);
    const [report = ''] = await reports(app, mailbox.user);
    expect(report).toContain('Diagnostic-Code: smtp; 550 your address 81.5.7.1 is listed');
    expect(report).toContain('Status: 5.0.0');
  });

  it('who were deferred are tried again together, without the others', async () => {
    let isReady = false;
    const { ctx, mailbox, server, runner } = await setUp(
      {
        onRcptTo: ({ address }, _session, done) =>
          done(isReady || address.startsWith('r0') ? null : answer(451, '4.7.1 later')),
      },
      { retryScheduleSeconds: [0, 0] },
    );
    const sent = await send(ctx, mailbox, at('greylist.test', 3));
    await passOver(runner, ctx);
    isReady = true;
    await passOver(runner, ctx);
    expect(server.received.map(({ to }) => to)).toEqual([
      ['r0@greylist.test'],
      ['r1@greylist.test', 'r2@greylist.test'],
    ]);
    expect(new Set(await sent.states())).toEqual(new Set(['relayed remote_accepted']));
  });

  it.each<[number, string]>([
    [554, 'bounced remote_refused'],
    [451, 'queued remote_deferred'],
  ])('share the answer %i to the message', async (code, expected) => {
    const onData: ServerOptions['onData'] = (stream, _session, done) =>
      void stream.resume().on('end', () => done(answer(code, 'no')));
    const { ctx, mailbox, runner } = await setUp({ onData });
    const sent = await send(ctx, mailbox, at(`data-${code}.test`, 3));
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual([expected, expected, expected]);
  });

  it.each(['452 4.5.3 too many recipients', '452 too many', '552 5.5.3 too many', '451 4.5.3 many', '550 5.5.3 many'])(
    'who are too many for one transaction follow at once in the next: %s',
    async (reply) => {
      const [code = '', ...words] = reply.split(' ');
      const { ctx, mailbox, server, runner } = await setUp({
        hideENHANCEDSTATUSCODES: true,
        onRcptTo: (_address, { envelope }, done) =>
          done(envelope.rcptTo.length < 2 ? null : answer(Number(code), words.join(' '))),
      });
      const sent = await send(ctx, mailbox, at('two-at-most.test', 5));
      await passOver(runner, ctx);
      expect(server.received.map(({ to }) => to.length)).toEqual([2, 2, 1]);
      const rows = await sent.rows();
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(rows.map(() => ['relayed', 1]));
    },
  );

  it('who are too many for one transaction wait with the others when the message is put off', async () => {
    const { ctx, mailbox, runner } = await setUp({
      hideENHANCEDSTATUSCODES: true,
      onRcptTo: (_address, { envelope }, done) =>
        done(envelope.rcptTo.length < 2 ? null : answer(552, '5.5.3 too many')),
      onData: (stream, _session, done) => void stream.resume().on('end', () => done(answer(451, 'later'))),
    });
    const sent = await send(ctx, mailbox, at('two-at-most-later.test', 4));
    await passOver(runner, ctx);
    expect(new Set(await sent.states())).toEqual(new Set(['queued remote_deferred']));
  });

  it('wait for their next time when their mailbox is full, with the same code', async () => {
    const { ctx, mailbox, runner } = await setUp({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('r0') ? null : answer(452, '4.2.2 full')),
    });
    const sent = await send(ctx, mailbox, at('full.test', 2));
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual(['relayed remote_accepted', 'queued remote_deferred']);
  });

  it('are all tried again when the connection breaks after the message, but for those who were refused', async () => {
    const { ctx, mailbox, runner } = await setUp({}, { outboundSmtpPort: (await freePorts(1))[0] ?? 0 });
    const polite = { EHLO: '250 mx.odd.test', MAIL: '250 ok', DATA: '354 go on' };
    const odd = await startOddServer(ctx.app.config.outboundSmtpPort, '127.0.0.1', (socket) => {
      let asked = 0;
      socket.on('data', (chunk: Buffer) => {
        if (!chunk.toString().startsWith('RCPT')) return;
        socket.write(asked++ === 0 ? '550 5.1.1 no\r\n' : '250 ok\r\n');
      });
      speak(socket, polite, () => socket.destroy());
    });
    closers.push(() => odd);
    const sent = await send(ctx, mailbox, at('broken.test', 3));
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual([
      'bounced remote_refused',
      'queued connection_failed',
      'queued connection_failed',
    ]);
  });

  it('of this host are stored together', async () => {
    const { app, ctx, mailbox, server, runner } = await setUp();
    const other = await buildMailbox(app, { tenant: mailbox });
    const gone = `nobody@${mailbox.domain.domainName}`;
    const sent = await send(ctx, mailbox, [mailbox.user.email, other.user.email, gone]);
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual([
      'stored stored_locally',
      'stored stored_locally',
      'bounced unknown_recipient',
    ]);
    expect(server.received).toEqual([]);
    const where = { messageId: sent.messageId, receivedStatus: true };
    expect(await MailboxEntry.count({ where })).toBe(2);
  });
});

describe('the signing key', () => {
  it('that is newer waits until it is active, and signs from the next message on', async () => {
    const { ctx, mailbox, server, runner } = await setUp();
    const domainId = String(mailbox.domain.id);
    const selectors: (string | undefined)[] = [];
    const next = async () => {
      await send(ctx, mailbox, ['a@keys.test']);
      await passOver(runner, ctx);
      selectors.push(/ s=([a-z0-9]+);/.exec(server.received.at(-1)?.raw.toString() ?? '')?.[1]);
    };
    await next();
    await makeDkimKey(ctx, { domainId, selector: 's2' });
    await next();
    await DkimKey.update({ isActive: true }, { where: { domainId, selector: 's2' } });
    await next();
    await DkimKey.update({ isActive: false }, { where: { domainId, selector: 's2' } });
    await next();
    expect(selectors).toEqual(['s1', 's1', 's2', 's1']);
  });
});

describe('mail hosts', () => {
  it('with private addresses alone are not followed, and the sender is told why', async () => {
    const { app, ctx, mailbox, server, runner } = await setUp({}, { outboundAllowPrivate: false });
    const sent = await send(ctx, mailbox, ['a@inside.test']);
    await passOver(runner, ctx);
    expect(await sent.states()).toEqual(['bounced private_address']);
    expect(server.received).toEqual([]);
    const [report = ''] = await reports(app, mailbox.user);
    expect(report).toContain('554 5.4.4 every mail host of the domain has a private address');
    expect(report.replaceAll(/\s+/g, ' ')).toContain('only a private network can reach');
  });

  it('with private addresses are passed over for one that has another', async () => {
    const { ctx, mailbox, runner } = await setUp({}, { outboundAllowPrivate: false, outboundTimeoutSeconds: 1 });
    // RFC 6890: not a private range, and still nothing answers in it
    const mixed = { ...resolver, a: async () => ['127.0.0.1', '192.88.99.1'] };
    const sent = await send(ctx, mailbox, ['a@both.test']);
    await passOver(runner, withResolver(ctx, mixed));
    const [row] = await sent.rows();
    expect(row).toMatchObject({ state: 'queued', lastReply: expect.stringContaining('[192.88.99.1]') });
  });

  it.runIf(hasIpv6)('are asked by IPv6', async () => {
    const { ctx, mailbox, server, runner } = await setUp();
    const six = await startRemoteServer({}, server.port, '::1');
    closers.push(() => six.stop());
    await send(ctx, mailbox, ['a@six.test']);
    await passOver(runner, withResolver(ctx, only([], ['::1'])));
    expect(six.received).toHaveLength(1);
  });

  it.runIf(hasIpv6)('are asked by IPv4, since the name of this host leads to no IPv6 address of it', async () => {
    const { ctx, mailbox, server, runner } = await setUp();
    const six = await startRemoteServer({}, server.port, '::1');
    closers.push(() => six.stop());
    await send(ctx, mailbox, ['a@both-families.test']);
    await passOver(runner, withResolver(ctx, only(['127.0.0.1'], ['::1'])));
    expect([server.received.length, six.received.length]).toEqual([1, 0]);
  });

  it.runIf(hasIpv6)('are not asked by IPv6 after IPv4 has put a message off', async () => {
    const { ctx, mailbox, server, runner } = await setUp({
      onMailFrom: (_address, _session, done) => done(answer(451, '4.7.1 greylisted')),
    });
    const refused = answer(550, '5.7.25 no PTR record');
    const six = await startRemoteServer(
      { onMailFrom: (_address, _session, done) => done(refused) },
      server.port,
      '::1',
    );
    closers.push(() => six.stop());
    const sent = await send(ctx, mailbox, ['a@both-families.test']);
    await passOver(runner, withResolver(ctx, only(['127.0.0.1'], ['::1'])));
    expect(await sent.states()).toEqual(['queued remote_deferred']);
  });

  it('are not asked by IPv6 while the name servers do not say whether they have IPv4', async () => {
    const { ctx, mailbox, runner } = await setUp();
    const silent = async (name: string) => Promise.reject(new DnsError('temporary', 'ETIMEOUT', name, 'A'));
    const sent = await send(ctx, mailbox, ['a@both-families.test']);
    await passOver(runner, withResolver(ctx, { ...only([], ['::1']), a: silent }));
    expect(await sent.states()).toEqual(['queued dns_failure']);
  });

  it('are asked by IPv4 where IPv6 leads nowhere', async () => {
    const { ctx, mailbox, server, runner } = await setUp();
    await send(ctx, mailbox, ['a@both-families.test']);
    await passOver(runner, withResolver(ctx, only(['127.0.0.1'], ['::1'])));
    expect(server.received).toHaveLength(1);
  });
});

describe('a domain whose servers hang', () => {
  it('with thousands of messages holds up no other', { timeout: 60_000 }, async () => {
    const { app, ctx, mailbox, server, runner } = await setUp();
    let hanging = 0;
    const dead = createServer((socket) => {
      hanging += 1;
      socket.on('error', () => undefined);
      closers.push(() => socket.destroy());
    });
    await new Promise<void>((resolve) => dead.listen(server.port, deadAddress, resolve));
    closers.push(() => dead.close());
    const first = await send(ctx, mailbox, ['a@dead.test']);
    await copyDelivery(app, first.mailId, 6000);
    const other = await send(ctx, mailbox, ['a@alive.test']);
    await until('the other has left', async () => {
      await runner.pass(ctx);
      return (await other.states())[0] === 'relayed remote_accepted';
    });
    expect(hanging).toBeLessThanOrEqual(5);
    await Delivery.destroy({ where: { recipientDomain: 'dead.test' } });
    await runner.close(0);
  });

  /** Rows of messages of their own, all due before the next one that is sent. */
  async function copyDelivery({ db }: App, mailId: string, count: number): Promise<void> {
    await db.query(
      `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, to_list, cc_list, created_at, updated_at)
       SELECT CONCAT('copy-', seq), blob_key, size, trace_headers, thread_key, envelope_from, from_address, to_list, cc_list, created_at, updated_at
         FROM messages JOIN seq_1_to_${count} WHERE mail_id = '${mailId}'`,
    );
    await db.query(
      `INSERT INTO deliveries (company_id, message_id, mail_id, direction, recipient, recipient_domain, envelope_from, state, next_attempt_at, created_at, updated_at)
       SELECT d.company_id, m.id, m.mail_id, 'out', d.recipient, d.recipient_domain, d.envelope_from, 'queued', d.next_attempt_at, d.created_at, d.updated_at
         FROM deliveries d JOIN messages m ON m.mail_id LIKE 'copy-%' WHERE d.mail_id = '${mailId}'`,
    );
  }
});
