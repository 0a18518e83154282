import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { openContentReader } from '@selvage/core/content/content-reader';
import { DnsError, type DnsResolver } from '@selvage/core/dns/resolver';
import { authenticateMessage } from '@selvage/core/mail/authenticate-message';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { damagedBlobs } from '@selvage/core/metrics';
import { Delivery } from '@selvage/core/models/delivery';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { User } from '@selvage/core/models/user';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import type { App } from '@selvage/core/context/app';
import type { Config } from '@selvage/core/process/config';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { afterEach, describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { blobPath } from '../../../tests/support/stored-bytes.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  // What a test leaves comes due in a minute, and would go to the server of another test
  await Delivery.destroy({ where: { state: 'queued' } });
});

/** Sends the mail of every domain to loopback, except domains that do not exist. */
function world(exchange = 'mx.remote.test'): DnsResolver {
  const known = (name: string) => (name.endsWith('nowhere.test') ? refuse('nxdomain', name) : Promise.resolve());
  return {
    mx: (name: string) => known(name).then(() => [{ exchange, priority: 10 }]),
    a: (name: string) => known(name).then(() => ['127.0.0.1']),
    aaaa: (name: string) => refuse('nodata', name),
  } as unknown as DnsResolver;
}

function refuse(problem: 'nxdomain' | 'nodata', name: string): Promise<never> {
  return Promise.reject(new DnsError(problem, problem === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA', name, 'MX'));
}

async function setUp(changes: Partial<Config> = {}, resolver = world()) {
  const host = await testApp();
  const app: App = Object.assign(Object.create(host), { resolver, config: { ...host.config, ...changes } });
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  return { app, ctx, mailbox, outbound: newRunner() };
}

function newRunner(changes: Partial<ConstructorParameters<typeof DeliveryRunner>[0]> = {}): DeliveryRunner {
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0, ...changes });
  closers.push(() => runner.close());
  return runner;
}

/** Gives the reading of a message the processor time that a slow machine needs for a large one. */
function allowSlowReading(app: App): void {
  app.content = openContentReader({ ...app.config, contentCpuSeconds: 60 }, app);
  closers.push(() => app.content.close());
}

/** Takes up what is due and waits for what came of it. */
async function passOver(runner: DeliveryRunner, ctx: Ctx): Promise<void> {
  await runner.pass(ctx);
  await runner.idle();
}

/** Sends a message of 200 KB. */
async function remote(options: NonNullable<Parameters<typeof startRemoteServer>[0]> = {}) {
  const server = await startRemoteServer(options);
  closers.push(() => server.stop());
  return server;
}

/** Sends one message to several people; answers their deliveries in their order. */
async function sendTo(ctx: Ctx, { user }: Mailbox, recipients: string[]) {
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: to all\r\n\r\n.text ${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const deliveries = await Delivery.findAll({ where: { mailId } });
  return recipients.map((to) => deliveries.find(({ recipient }) => recipient === to));
}

async function send(ctx: Ctx, { user }: Mailbox, to: string) {
  const raw = Buffer.from(`From: ${user.email}\r\nTo: ${to}\r\nSubject: hello\r\n\r\n.text ${randomUUID()}\r\n`);
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const delivery = await Delivery.findOne({ where: { mailId: sent.mailId }, rejectOnEmpty: true });
  return { ...sent, deliveryId: String(delivery.id), read: () => delivery.reload() };
}

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

async function damagedReads(): Promise<number> {
  const { values } = await damagedBlobs.get();
  return values.find(({ labels }) => labels.problem === 'read')?.value ?? 0;
}

/** The reports in a person's inbox. */
async function reports(user: User) {
  const entries = await MailboxEntry.findAll({ where: { userId: user.id, receivedStatus: true } });
  return await Message.findAll({ where: { id: entries.map(({ messageId }) => messageId), envelopeFrom: '' } });
}

describe('DeliveryRunner', () => {
  it('signs a message, hands it to the mail host of its recipient and records the reply', async () => {
    const server = await remote();
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({
      state: 'relayed',
      reason: 'remote_accepted',
      remoteHost: 'mx.remote.test',
      lastReply: expect.stringMatching(/^mx\.remote\.test: 250 /),
      attempts: 1,
      leaseUntil: null,
      nextAttemptAt: null,
      tls: 'encrypted',
      tlsProtocol: 'TLSv1.3',
    });
    const raw = server.received[0]?.raw.toString() ?? '';
    expect(raw).toMatch(
      new RegExp(`^DKIM-Signature: [^]*d=${mailbox.domain.domainName};[^]*\r\nReceived: by host.test`),
    );
    expect(raw.endsWith('\r\n')).toBe(true);
    expect((await MailboxEntry.findByPk(sent.entryId))?.deliveryState).toBe('relayed');
  });

  describe('when the mail host does not take 8-bit text', () => {
    const cyrillic = 'Привет, мир!';

    /** Sends a message and gives it as the mail host received it. */
    async function sendThere(header: string, body: string, options: Parameters<typeof remote>[0] = {}) {
      const server = await remote({ hide8BITMIME: true, ...options });
      const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
      const { user } = mailbox;
      const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n${header}\r\n${body}\r\n`);
      const sent = await submitMessage(ctx, { user, raw, door: 'submission', bcc: [] });
      await passOver(outbound, ctx);
      const delivery = await Delivery.findOne({ where: { mailId: sent.mailId }, rejectOnEmpty: true });
      return { delivery, mailbox, received: server.received.map((message) => message.raw), raw };
    }

    it('encodes the text before it signs it', async () => {
      const header = 'Subject: s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n';
      const { delivery, mailbox, received } = await sendThere(header, cyrillic);
      expect(delivery).toMatchObject({ state: 'relayed' });
      const [raw = Buffer.alloc(0)] = received;
      expect(isAscii(raw)).toBe(true);
      expect((await parseMessage(raw)).text?.trim()).toBe(cyrillic);
      const key = await DkimKey.findOne({ where: { domainId: String(mailbox.domain.id) }, rejectOnEmpty: true });
      const about = { ip: '127.0.0.1', helo: 'host.test', mailFrom: '', mta: 'mx.remote.test' };
      const resolver = (name: string) =>
        name === `s1._domainkey.${mailbox.domain.domainName}`
          ? Promise.resolve([[`v=DKIM1; p=${key.publicKey}`]])
          : Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
      const { dkim } = await authenticateMessage(raw, { ...about, resolver });
      expect(dkim).toMatchObject([{ result: 'pass', domain: mailbox.domain.domainName }]);
    });

    it('leaves the header as it is', async () => {
      const { received } = await sendThere('Subject: Olé\r\n', 'plain');
      expect(received.map(String)).toEqual([expect.stringContaining('\r\nSubject: Olé\r\n')]);
    });

    it('sends back with 5.6.3 what is signed already', async () => {
      const header = 'MIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary=b\r\n';
      const { delivery, received } = await sendThere(header, `--b\r\n\r\n${cyrillic}\r\n--b--`);
      expect(received).toEqual([]);
      expect(delivery).toMatchObject({
        state: 'bounced',
        reason: 'remote_lacks_extension',
        remoteHost: null,
        lastReply: expect.stringMatching(/^550 5\.6\.3 mx\.remote\.test takes no 8-bit text: .*signature/),
      });
    });

    it.each([
      ['text', Buffer.from(`${'Привет, мир! '.repeat(30)}\r\n`)],
      ['dots', Buffer.from('é\r\n.\r\n.\r\n')],
    ])(
      'holds the event loop in no turn for 33 MB of %s',
      async (_what, lines) => {
        const hears = (stream: Readable, _session: unknown, done: () => void) => stream.on('end', done).resume();
        const server = await remote({ hide8BITMIME: true, onData: hears });
        const { app, ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
        allowSlowReading(app);
        const { user } = mailbox;
        const header = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\nSubject: s\r\n\r\n`);
        const raw = Buffer.concat([header, Buffer.alloc(33 * 1_048_576, lines), Buffer.from('\r\n')]);
        const sent = await submitMessage(ctx, { user, raw, door: 'submission', bcc: [] });
        expect(await longestTurn(() => passOver(outbound, ctx))).toBeLessThan(100);
        expect(await Delivery.findOne({ where: { mailId: sent.mailId } })).toMatchObject({ state: 'relayed' });
      },
      120_000,
    );

    it('sends the same text as it is to a mail host that takes it', async () => {
      const { received } = await sendThere('Subject: s\r\n', cyrillic, { hide8BITMIME: false });
      expect(received.map(String)).toEqual([expect.stringContaining(cyrillic)]);
    });
  });

  it('delivers once however many workers are woken', async () => {
    const server = await remote();
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    await send(ctx, mailbox, 'bob@remote.test');
    const others = Array.from({ length: 4 }, () => newRunner());
    await Promise.all([outbound, ...others].map((runner) => passOver(runner, ctx)));
    await passOver(outbound, ctx);
    expect(server.received).toHaveLength(1);
  });

  it('notes that a message went in the clear, and forgets it when the next attempt reaches no server', async () => {
    const server = await remote({
      disabledCommands: ['AUTH', 'STARTTLS'],
      hideSTARTTLS: true,
      onRcptTo: (_address, _session, done) => done(answer(451, '4.7.1 later')),
    });
    const changes = { outboundSmtpPort: server.port, retryScheduleSeconds: [0, 0] };
    const { app, ctx, mailbox, outbound } = await setUp(changes);
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'queued', tls: 'none', tlsProtocol: null });
    app.config.outboundSmtpPort = 1;
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ reason: 'connection_failed', tls: null, tlsProtocol: null });
  });

  it('stores mail for a mailbox of this host once and without SMTP', async () => {
    const { app, ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: 1 });
    const { user } = await buildMailbox(Object.getPrototypeOf(app) as App);
    const sent = await send(ctx, mailbox, user.email);
    await passOver(outbound, ctx);
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'stored', reason: 'stored_locally' });
    const entries = await MailboxEntry.findAll({ where: { userId: user.id } });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ messageId: sent.messageId, folder: 'inbox', bccList: null });
  });

  it("stores mail for the postmaster of the host's own name, which is no mail domain", async () => {
    const { ctx, mailbox, outbound } = await setUp({ hostname: 'mx.remote.test' });
    const [toPostmaster, toBob] = [
      await send(ctx, mailbox, 'postmaster@mx.remote.test'),
      await send(ctx, mailbox, 'bob@mx.remote.test'),
    ];
    await passOver(outbound, ctx);
    expect(await toPostmaster.read()).toMatchObject({ state: 'stored', reason: 'stored_locally' });
    expect(await toBob.read()).toMatchObject({ state: 'bounced', reason: 'loop' });
  });

  it('tells the sender once, in their inbox, when the remote host refuses', async () => {
    const server = await remote({ onRcptTo: (_address, _session, done) => done(answer(550, '5.1.1 nobody here')) });
    const { app, ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    const sent = await send(ctx, mailbox, 'nobody@remote.test');
    await Promise.all([outbound, newRunner()].map((runner) => passOver(runner, ctx)));
    expect(await sent.read()).toMatchObject({ state: 'bounced', reason: 'remote_refused' });
    const [report, ...more] = await reports(mailbox.user);
    expect(more).toHaveLength(0);
    const raw = Buffer.concat(await app.blobs.get(report?.blobKey ?? '').toArray()).toString();
    expect(raw).toContain('Final-Recipient: rfc822; nobody@remote.test');
    expect(raw).toContain('Status: 5.1.1');
    expect(raw).toContain('Diagnostic-Code: smtp; 550 5.1.1 nobody here');
    expect((await parseMessage(Buffer.from(raw))).text).toContain('nobody@remote.test');
    expect((await MailboxEntry.findByPk(sent.entryId))?.deliveryState).toBe('bounced');
  });

  it('tells the sender at once of a message that takes too much to sign', async () => {
    const server = await remote();
    const { app, ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    const raw = Buffer.from(`From: ${mailbox.user.email}\r\n\r\n${'a line\r\n'.repeat(150_000)}`);
    const recipients = ['bob@remote.test', 'ben@remote.test'];
    const sent = await submitMessage(ctx, { user: mailbox.user, raw, door: 'web', bcc: [], recipients });
    // Since it was accepted, the operator has allowed messages less memory
    app.content = openContentReader({ ...app.config, contentMemoryMegabytes: 8 }, app);
    closers.push(() => app.content.close());
    await passOver(outbound, ctx);
    const rows = await Delivery.findAll({ where: { mailId: sent.mailId } });
    const settled = rows.map(({ state, reason, lastReply, attempts }) => ({ state, reason, lastReply, attempts }));
    const lastReply = 'host.test: 554 5.6.0 The message is too complex to be signed';
    expect(settled).toEqual(
      recipients.map(() => ({ state: 'bounced', reason: 'too_complex', lastReply, attempts: 1 })),
    );
    expect(server.received).toEqual([]);
    const [report, ...more] = await reports(mailbox.user);
    expect(more).toHaveLength(0);
    const text = Buffer.concat(await app.blobs.get(report?.blobKey ?? '').toArray()).toString();
    for (const to of recipients) expect(text).toContain(`Final-Recipient: rfc822; ${to}`);
    expect(text).toContain('Status: 5.6.0');
    expect((await MailboxEntry.findByPk(sent.entryId))?.deliveryState).toBe('bounced');
  });

  it('tries again after a 4xx, reports the delay once, and gives up with a report when the schedule ends', async () => {
    const server = await remote({ onRcptTo: (_address, _session, done) => done(answer(451, '4.7.1 later')) });
    const changes = { outboundSmtpPort: server.port, retryScheduleSeconds: [0, 0], delayReportAfterSeconds: 0 };
    const { ctx, mailbox, outbound } = await setUp(changes);
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({
      state: 'queued',
      reason: 'remote_deferred',
      attempts: 1,
      leaseUntil: null,
    });
    await passOver(outbound, ctx);
    expect((await reports(mailbox.user)).map(({ subject }) => subject)).toEqual(['Delayed Mail (still being retried)']);
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'bounced', reason: 'expired', attempts: 3 });
    expect((await sent.read()).lastReply).toContain('451 4.7.1 later');
    expect(await reports(mailbox.user)).toHaveLength(2);
  });

  it.each([
    ['missing', (path: string) => unlink(path)],
    ['changed', async (path: string) => writeFile(path, (await readFile(path, 'latin1')).replace('.text', '.tixt'))],
  ])('never sends a message whose bytes are %s, and tells its sender in the end', async (_name, damage) => {
    const server = await remote();
    const { app, ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port, retryScheduleSeconds: [0] });
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    const { blobKey } = await Message.findByPk(sent.messageId, { rejectOnEmpty: true });
    await damage(blobPath(app, blobKey));
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'queued', reason: 'internal_error' });
    const before = await damagedReads();
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'bounced', reason: 'expired' });
    expect(await reports(mailbox.user)).toHaveLength(1);
    // Once for the attempt, and once for the header in the report
    expect(await damagedReads()).toBe(before + 2);
    expect(server.received).toHaveLength(0);
  });

  it('waits for its next time after a failed attempt', async () => {
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: 1, retryScheduleSeconds: [60] });
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    const before = Date.now();
    await passOver(outbound, ctx);
    const row = await sent.read();
    expect(row).toMatchObject({ state: 'queued', reason: 'connection_failed', attempts: 1 });
    expect(row.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(before + 54_000);
    await passOver(outbound, ctx);
    expect((await sent.read()).attempts).toBe(1);
  });

  it('finds in the database what no job announced, also what a dead worker had claimed', async () => {
    const server = await remote();
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port, retryScheduleSeconds: [0, 0] });
    const waiting = await send(ctx, mailbox, 'bob@remote.test');
    const orphan = await send(ctx, mailbox, 'carl@remote.test');
    const longAgo = new Date(Date.now() - 60_000);
    await Delivery.update({ nextAttemptAt: longAgo }, { where: { id: orphan.deliveryId } });
    expect(await claimOne(ctx, orphan.deliveryId, longAgo)).not.toBeNull();
    await outbound.pass(ctx);
    await until('both are relayed', async () => {
      const rows = await Promise.all([waiting.read(), orphan.read()]);
      return rows.every(({ state }) => state === 'relayed');
    });
    expect((await orphan.read()).attempts).toBe(2);
  });

  it('goes on finding mail while a server is slow', async () => {
    const answers: (() => void)[] = [];
    const server = await remote({
      onRcptTo: ({ address }, _session, done) => (address.startsWith('slow') ? answers.push(done) : done()),
    });
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    const slow = await send(ctx, mailbox, 'slow@tarpit.test');
    await outbound.pass(ctx);
    await until('the slow server is asked', () => answers.length > 0);
    const quick = await send(ctx, mailbox, 'bob@remote.test');
    await outbound.pass(ctx);
    await until('the other is relayed', async () => (await quick.read()).state === 'relayed');
    expect((await slow.read()).state).toBe('queued');
    for (const done of answers) done();
    await until('the slow one is relayed', async () => (await slow.read()).state === 'relayed');
  });

  it('leaves alone what another worker holds', async () => {
    const server = await remote();
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port, retryScheduleSeconds: [0] });
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    expect(await claimOne(ctx, sent.deliveryId)).not.toBeNull();
    await passOver(outbound, ctx);
    await outbound.pass(ctx);
    await outbound.close();
    expect(server.received).toHaveLength(0);
  });

  it('returns mail for a domain that does not exist, and for one that points back to this host', async () => {
    const gone = await setUp();
    const lost = await send(gone.ctx, gone.mailbox, 'bob@nowhere.test');
    await passOver(gone.outbound, gone.ctx);
    const unsaid = { lastReply: '550 5.1.2 there is no such domain', remoteHost: null };
    expect(await lost.read()).toMatchObject({ state: 'bounced', reason: 'no_such_domain', ...unsaid });
    const self = await setUp({ outboundSmtpPort: 2525, smtpPort: 2525 }, world('host.test'));
    const round = await send(self.ctx, self.mailbox, 'bob@round.test');
    await passOver(self.outbound, self.ctx);
    expect(await round.read()).toMatchObject({ state: 'bounced', reason: 'loop' });
  });

  it('keeps mail for a domain that points here and that its company has not proved yet', async () => {
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: 2525, smtpPort: 2525 }, world('host.test'));
    await Domain.create({ companyId: String(mailbox.company.id), domainName: 'soon.test' });
    const sent = await send(ctx, mailbox, 'bob@Soon.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'queued', reason: 'unproved_domain' });
    expect(await reports(mailbox.user)).toEqual([]);
  });

  it('keeps mail for a domain that its company proves while the attempt is under way', async () => {
    const here = world('host.test');
    const proving = async (name: string) => {
      await Domain.update({ verifiedAt: new Date() }, { where: { domainName: name } });
      return await here.mx(name);
    };
    const resolver = { ...here, mx: proving };
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: 2525, smtpPort: 2525 }, resolver);
    await Domain.create({ companyId: String(mailbox.company.id), domainName: 'just.test' });
    const sent = await send(ctx, mailbox, 'bob@just.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'queued', reason: 'unproved_domain' });
    expect(await reports(mailbox.user)).toEqual([]);
  });

  it('defers mail for an inactive mailbox and returns mail for a mailbox that does not exist', async () => {
    const { app, ctx, mailbox, outbound } = await setUp();
    const { user } = await buildMailbox(Object.getPrototypeOf(app) as App, { user: { activeStatus: false } });
    const later = await send(ctx, mailbox, user.email);
    await passOver(outbound, ctx);
    expect(await later.read()).toMatchObject({ state: 'queued', reason: 'inactive_mailbox' });
    const never = await send(ctx, mailbox, `nobody@${mailbox.domain.domainName}`);
    await passOver(outbound, ctx);
    expect(await never.read()).toMatchObject({ state: 'bounced', reason: 'unknown_recipient' });
  });

  it('defers mail for a full mailbox alone, and delivers it once there is room', async () => {
    const { app, ctx, mailbox, outbound } = await setUp();
    const tenant = { company: mailbox.company, domain: mailbox.domain, roles: mailbox.roles };
    const host = Object.getPrototypeOf(app) as App;
    const full = await buildMailbox(host, { tenant });
    const other = await buildMailbox(host, { tenant });
    const [first] = await sendTo(ctx, mailbox, [full.user.email]);
    await passOver(outbound, ctx);
    const { size } = await Message.findByPk(first?.messageId ?? '', { rejectOnEmpty: true });
    await full.user.update({ storageLimit: String(size) });
    const [kept, stored] = await sendTo(ctx, mailbox, [full.user.email, other.user.email]);
    await passOver(outbound, ctx);
    expect(await kept?.reload()).toMatchObject({
      state: 'queued',
      reason: 'mailbox_full',
      lastReply: 'host.test: 452 4.2.2 The mailbox is full',
    });
    expect(await stored?.reload()).toMatchObject({ state: 'stored' });
    await full.user.update({ storageLimit: null });
    await Delivery.update({ nextAttemptAt: new Date() }, { where: { id: kept?.id ?? '' } });
    await passOver(outbound, ctx);
    expect(await kept?.reload()).toMatchObject({ state: 'stored' });
  });

  it('delivers one of several messages that come at once and have room only alone', async () => {
    const { app, ctx, mailbox, outbound } = await setUp();
    const { user } = await buildMailbox(Object.getPrototypeOf(app) as App, { user: { storageLimit: '400' } });
    const sent = await Promise.all(Array.from({ length: 4 }, () => send(ctx, mailbox, user.email)));
    await passOver(outbound, ctx);
    const rows = await Promise.all(sent.map(({ read }) => read()));
    const outcomes = rows.map(({ state, reason }) => `${state} ${reason}`).toSorted();
    expect(outcomes).toEqual([...Array<string>(3).fill('queued mailbox_full'), 'stored stored_locally']);
  });

  it('delivers a notice of the host into a full mailbox', async () => {
    const { app, ctx, outbound } = await setUp();
    const { user, company } = await buildMailbox(Object.getPrototypeOf(app) as App, { user: { storageLimit: '10' } });
    const companyId = String(company.id);
    await sendNotice(ctx, { companyId, to: user.email, subject: 'Notice', text: 'Text' });
    await passOver(outbound, ctx);
    expect(await Delivery.findOne({ where: { recipient: user.email } })).toMatchObject({ state: 'stored' });
  });

  it('reports to a sender whose own mailbox is full', async () => {
    const { ctx, mailbox, outbound } = await setUp();
    const never = await send(ctx, mailbox, `nobody@${mailbox.domain.domainName}`);
    await mailbox.user.update({ storageLimit: '10' });
    await passOver(outbound, ctx);
    expect(await never.read()).toMatchObject({ state: 'bounced' });
    const where = { userId: String(mailbox.user.id), receivedStatus: true };
    expect(await MailboxEntry.count({ where })).toBe(1);
  });

  it('waits for the key of a new domain rather than send unsigned', async () => {
    const server = await remote();
    const { ctx, mailbox, outbound } = await setUp({ outboundSmtpPort: server.port });
    await DkimKey.destroy({ where: { domainId: mailbox.domain.id } });
    const sent = await send(ctx, mailbox, 'bob@remote.test');
    await passOver(outbound, ctx);
    expect(await sent.read()).toMatchObject({ state: 'queued', reason: 'waiting_for_key', attempts: 0 });
    expect(server.received).toHaveLength(0);
  });
});
