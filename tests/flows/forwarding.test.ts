import { systemContext } from '@selvage/core/context/context';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { signMessage } from '@selvage/core/mail/sign-message';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, forwardingTo, type Mailbox } from '../support/factories.ts';
import { prepareSigning, verifySignatures } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let tenant: Mailbox;

beforeAll(async () => {
  host = await startTestHost();
  tenant = await buildMailbox(host.app);
  await prepareSigning(host, tenant);
});

const sender = 'foreign@remote.test';

/** A person who forwards their mail to an address that has agreed. */
async function buildForwarder(to: string): Promise<Mailbox> {
  return await buildMailbox(host.app, { tenant, user: await forwardingTo(to) });
}

async function deliver(to: string, message: string, from = sender): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(from, [to], message);
  peer.close();
  return reply;
}

async function messageOf(subject: string): Promise<Message> {
  return await Message.findOne({ where: { subject }, order: [['id', 'DESC']], rejectOnEmpty: true });
}

/** The rows of the ledger for a message, once none of them waits. */
async function endOf({ id }: Message): Promise<(string | null)[][]> {
  const rows = () => Delivery.findAll({ where: { messageId: String(id) }, order: [['id', 'ASC']] });
  await until('its deliveries to end', async () =>
    (await rows()).every(({ state }) => state !== 'queued' && state !== 'held'),
  );
  return (await rows()).map((row) => [row.direction, row.recipient, row.state, row.reason, row.forwardedFor]);
}

const copiesFor = (address: string) => host.remote.received.filter(({ to }) => to.includes(address));

async function copyFor(address: string) {
  await until(`a copy for ${address}`, () => copiesFor(address).length > 0);
  const [copy] = copiesFor(address);
  if (!copy) throw new Error('no copy');
  return { ...copy, text: copy.raw.toString() };
}

/** Subjects in a person's inbox. */
async function inboxOf({ user }: Mailbox): Promise<string[]> {
  const entries = await MailboxEntry.findAll({ where: { userId: String(user.id), folder: 'inbox' } });
  const messages = await Message.findAll({ where: { id: entries.map(({ messageId }) => String(messageId)) } });
  return messages.map(({ subject }) => subject).toSorted();
}

describe('mail of a person who forwards it', () => {
  it('stays in the mailbox and goes to the address byte for byte, in the name of the mailbox', async () => {
    const target = 'whole@remote.test';
    const ana = await buildForwarder(target);
    expect(await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'whole' }))).toMatch(
      /^250 /,
    );
    const copy = await copyFor(target);
    const message = await messageOf('whole');
    const own = await readBlob(host.app.blobs, message.blobKey);
    expect(copy.from).toBe(ana.user.email);
    expect(copy.raw.subarray(-own.length).equals(own)).toBe(true);
    expect(copy.text.startsWith(`Delivered-To: ${ana.user.email}\r\n`)).toBe(true);
    expect(copy.text).toContain('Received: ');
    expect(copy.text).not.toMatch(/^Return-Path:/im);
    expect(copy.text).not.toMatch(/^DKIM-Signature:/im);
    expect(await endOf(message)).toEqual([
      ['in', ana.user.email, 'stored', 'stored_locally', null],
      ['out', target, 'relayed', 'remote_accepted', ana.user.email],
    ]);
    expect(await inboxOf(ana)).toEqual(['whole']);
  });

  it('leaves without the results that its sender wrote in the name of this host, and still signed', async () => {
    const target = 'unforged@remote.test';
    const ana = await buildForwarder(target);
    const { hostname } = host.app.config;
    const forged = `authentication-results: (x) ${hostname.toUpperCase()} 1;\r\n\tdmarc=pass header.from=bank.test\r\n`;
    const others = 'Authentication-Results: other.test; spf=pass\r\n';
    const keys = await generateDkimKeyPair();
    const plain = plainMessage({ from: sender, to: ana.user.email, subject: 'unforged' });
    const signature = signMessage(Buffer.from(plain), {
      domain: 'remote.test',
      selector: 's',
      privateKey: keys.privateKeyPem,
    });
    for (const text of ['', 'é']) {
      const body = text === '' ? plain : plain.replace('Subject: unforged', `X-Name: ${text}\r\nSubject: unforged`);
      expect(await deliver(ana.user.email, `${forged}${others}${forged}${signature}${body}`)).toMatch(/^250 /);
    }
    await until('both copies', () => copiesFor(target).length === 2);
    for (const { raw } of copiesFor(target)) {
      const header = raw.toString().split('\r\n\r\n')[0] ?? '';
      expect(header).not.toContain('bank.test');
      expect(header).not.toMatch(new RegExp(`\\(x\\) ${hostname}`, 'i'));
      expect(header).toContain(others.trim());
    }
    // What the sender signed is all there, as it was
    const copies = copiesFor(target).map(({ raw }) => raw.toString().trimEnd());
    const whole = `\r\n${others}${signature}${plain}`.trimEnd();
    expect(copies.filter((copy) => copy.endsWith(whole))).toHaveLength(1);
  });

  it('is not forwarded before the address has agreed', async () => {
    const ana = await buildForwarder('unasked@remote.test');
    await ana.user.update({ forwardConfirmedAt: null });
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'unasked' }));
    expect(await endOf(await messageOf('unasked'))).toEqual([['in', ana.user.email, 'stored', 'stored_locally', null]]);
  });

  it('is signed when a colleague sent it, who sees nothing of the forwarding', async () => {
    const target = 'signed@remote.test';
    const ana = await buildForwarder(target);
    const raw = Buffer.from(plainMessage({ from: tenant.user.email, to: ana.user.email, subject: 'from a colleague' }));
    const sent = await submitMessage(systemContext(host.app), { user: tenant.user, raw, door: 'web', bcc: [] });
    const copy = await copyFor(target);
    expect(copy.from).toBe(ana.user.email);
    expect(await verifySignatures(host, copy.raw)).toEqual([{ result: 'pass', domain: tenant.domain.domainName }]);
    await endOf(await messageOf('from a colleague'));
    const rows = await Delivery.findAll({ where: { entryId: sent.entryId, direction: 'out' } });
    expect(rows.map(({ recipient, state }) => [recipient, state])).toEqual([[ana.user.email, 'stored']]);
  });

  it('is not signed when a stranger wrote an address of the host into From', async () => {
    const target = 'spoofed@remote.test';
    const ana = await buildForwarder(target);
    const message = plainMessage({ from: tenant.user.email, to: ana.user.email, subject: 'spoofed' });
    expect(await deliver(ana.user.email, message)).toMatch(/^250 /);
    expect((await copyFor(target)).text).not.toMatch(/^DKIM-Signature:/im);
  });

  it('is forwarded once, when the address sends it back', async () => {
    const target = 'mirror@remote.test';
    const ana = await buildForwarder(target);
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'round' }));
    const { text } = await copyFor(target);
    expect(await deliver(ana.user.email, text, target)).toMatch(/^250 /);
    expect(await endOf(await messageOf('round'))).toEqual([
      ['in', ana.user.email, 'stored', 'stored_locally', null],
      ['out', target, 'cancelled', 'forwarding_loop', ana.user.email],
    ]);
    expect(copiesFor(target)).toHaveLength(1);
    expect(await inboxOf(ana)).toEqual(['round', 'round']);
  });

  it('ends after ten forwarding mailboxes, whatever they are', async () => {
    const ana = await buildForwarder('deep@remote.test');
    const hops = Array.from({ length: 10 }, (_, index) => `Delivered-To: hop${index}@elsewhere.test\r\n`).join('');
    const message = hops + plainMessage({ from: sender, to: ana.user.email, subject: 'deep' });
    await deliver(ana.user.email, message);
    expect((await endOf(await messageOf('deep'))).at(-1)?.slice(2, 4)).toEqual(['cancelled', 'forwarding_loop']);
  });

  it('reaches each of two people once who forward to one another', async () => {
    const ana = await buildMailbox(host.app, { tenant });
    const ben = await buildForwarder(ana.user.email);
    await ana.user.update(await forwardingTo(ben.user.email));
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'to and fro' }));
    expect(await endOf(await messageOf('to and fro'))).toEqual([
      ['in', ana.user.email, 'stored', 'stored_locally', null],
      ['out', ben.user.email, 'stored', 'stored_locally', ana.user.email],
      ['out', ana.user.email, 'stored', 'stored_locally', ben.user.email],
    ]);
    expect([await inboxOf(ana), await inboxOf(ben)]).toEqual([['to and fro'], ['to and fro']]);
  });

  it('reaches a third person once whom two people forward to at the same time', async () => {
    const cai = await buildForwarder('third@remote.test');
    const [ana, ben] = [await buildForwarder(cai.user.email), await buildForwarder(cai.user.email)];
    for (let n = 0; n < 5; n += 1) {
      const subject = `from two sides ${n}`;
      const peer = await SmtpPeer.open(host.ports.smtp);
      const to = [ana.user.email, ben.user.email];
      await peer.deliver(sender, to, plainMessage({ from: sender, to: to.join(', '), subject }));
      peer.close();
      await endOf(await messageOf(subject));
    }
    const subjects = [0, 1, 2, 3, 4].map((n) => `from two sides ${n}`);
    expect(await inboxOf(cai)).toEqual(subjects);
    expect(copiesFor('third@remote.test')).toHaveLength(5);
  });

  it('leaves no more once the forwarding has ended, also what waits', async () => {
    const ana = await buildForwarder('slow@silent.test');
    host.dns.addRecords('silent.test', 'SERVFAIL');
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'waits' }));
    const message = await messageOf('waits');
    const copy = () => Delivery.findOne({ where: { messageId: String(message.id), direction: 'out' } });
    await until('an attempt', async () => ((await copy())?.attempts ?? 0) > 0);
    await ana.user.update({ forwardTo: null, forwardConfirmedAt: null });
    expect((await endOf(message)).at(-1)?.slice(2, 4)).toEqual(['cancelled', 'forwarding_ended']);
  });

  it('goes to no other person who is given the address, and the forwarding ends', async () => {
    const [ben, cai] = [await buildMailbox(host.app, { tenant }), await buildMailbox(host.app, { tenant })];
    const alias = await buildAlias(ben);
    const ana = await buildForwarder(alias.address);
    await alias.destroy();
    await buildAlias(cai, alias.address.split('@')[0]);
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'to whom' }));
    expect((await endOf(await messageOf('to whom'))).at(-1)?.slice(1, 4)).toEqual([
      alias.address,
      'cancelled',
      'forwarding_ended',
    ]);
    await until('the notice', async () => (await inboxOf(ana)).includes('Your mail is no longer forwarded'));
    expect(await inboxOf(cai)).toEqual([]);
    expect(await ana.user.reload()).toMatchObject({ forwardTo: null, forwardConfirmedAt: null });
  });

  it('does not include what the host itself mails to the person, such as links', async () => {
    const ana = await buildForwarder('links@remote.test');
    const notice = { companyId: String(ana.company.id), to: ana.user.email, subject: 'a link', text: 'secret\n' };
    await sendNotice(systemContext(host.app), notice);
    await until('the notice', async () => (await inboxOf(ana)).includes('a link'));
    expect((await endOf(await messageOf('a link'))).map(([direction, recipient]) => [direction, recipient])).toEqual([
      ['out', ana.user.email],
    ]);
  });

  it('keeps the null sender of a report, so that no report is made of it', async () => {
    const target = 'report@remote.test';
    const ana = await buildForwarder(target);
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'a report' }), '');
    expect((await copyFor(target)).from).toBe('');
  });

  it('leaves in the name of each person of a group who forwards it', async () => {
    const people = [await buildForwarder('first@remote.test'), await buildForwarder('second@remote.test')];
    const group = await buildGroup(tenant, { local: 'forwarders', members: people });
    const address = `forwarders@${tenant.domain.domainName}`;
    expect(group).toBeDefined();
    await deliver(address, plainMessage({ from: sender, to: address, subject: 'to many' }));
    const copies = [await copyFor('first@remote.test'), await copyFor('second@remote.test')];
    expect(copies.map(({ from, to }) => [from, to])).toEqual([
      [people[0]?.user.email, ['first@remote.test']],
      [people[1]?.user.email, ['second@remote.test']],
    ]);
  });

  it('is reported to the person, and to no other, when the address takes none', async () => {
    const ana = await buildForwarder('nobody@refused.test');
    host.dns.addRecords('refused.test', { MX: [{ preference: 0, exchange: '.' }] });
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'to none' }));
    expect((await endOf(await messageOf('to none'))).at(-1)?.slice(1, 4)).toEqual([
      'nobody@refused.test',
      'bounced',
      'null_mx',
    ]);
    await until('the report', async () => (await inboxOf(ana)).length === 2);
    await deliver(ana.user.email, plainMessage({ from: sender, to: ana.user.email, subject: 'to none again' }));
    expect((await endOf(await messageOf('to none again'))).at(-1)?.[2]).toBe('bounced');
    // A dead address is reported once a day
    expect(await inboxOf(ana)).toEqual(['Mail could not be forwarded', 'to none', 'to none again']);
    const report = await messageOf('Mail could not be forwarded');
    const text = (await readBlob(host.app.blobs, report.blobKey)).toString();
    expect(text).toContain('A message to you could not be forwarded');
    // A report about a copy would be the next copy that can't be forwarded
    expect(await endOf(report)).toEqual([['in', ana.user.email, 'stored', 'stored_locally', null]]);
    expect(copiesFor(sender)).toEqual([]);
  });
});

it('leaves a ledger that a check finds whole', async () => {
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
  const { problems, accounts } = await checkLedger(systemContext(host.app), period);
  expect([problems, accounts.out.isBalanced, accounts.in.isBalanced]).toEqual([[], true, true]);
});
