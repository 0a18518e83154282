import { systemContext } from '@selvage/core/context/context';
import { bytesOfPeople } from '@selvage/core/mailstore/storage-use';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { hashAppPassword, newAppPassword } from '@selvage/core/directory/verify-app-password';
import { AppPassword } from '@selvage/core/models/app-password';
import { readFacts } from '@selvage/core/ledger/message-facts';
import { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import { Role } from '@selvage/core/models/role';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { injectBehindStartTls } from '../../test-support/inject-behind-starttls.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

let door: Door;
let ana: Mailbox;
let own: string;

beforeAll(async () => {
  door = await startDoor('main-submission.ts', { environment: { MAX_MESSAGE_BYTES: '1048576', MAX_RECIPIENTS: '2' } });
  ana = await buildMailbox(door.app);
  own = ana.user.email;
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = (user: string, password: string) => `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`;

async function withPeer<T>(options: { tls: boolean }, talk: (peer: SmtpPeer) => Promise<T>): Promise<T> {
  const peer = await SmtpPeer.open(options.tls ? door.securePort : door.port, options);
  try {
    return await talk(peer);
  } finally {
    peer.close();
  }
}

function signedIn<T>(talk: (peer: SmtpPeer) => Promise<T>): Promise<T> {
  return withPeer({ tls: true }, async (peer) => {
    expect(await peer.command(plain(own, ana.password))).toMatch(/^235 /);
    return await talk(peer);
  });
}

/** The refusals that the door has counted, by their event and reason. */
async function countEvents(): Promise<Map<string, number>> {
  const metrics = await (await fetch(`http://127.0.0.1:${door.healthPort}/metrics`)).text();
  const lines = metrics.matchAll(/^selvage_mail_events_total\{event="(rejected|deferred)",reason="(\w+)".*\} (\d+)$/gm);
  return new Map(Array.from(lines, ([, event, reason, count]) => [`${event} ${reason}`, Number(count)]));
}

describe('the submission door', () => {
  it('takes no password before TLS and no mail before the password', async () => {
    await withPeer({ tls: false }, async (peer) => {
      expect(await peer.command(plain(own, ana.password))).toMatch(/^538 /);
      expect(await peer.command(`MAIL FROM:<${own}>`)).toMatch(/^530 /);
    });
  });

  it('runs nothing inside TLS that was sent in the clear', async () => {
    expect(await injectBehindStartTls(door.port, 'EHLO injected.test', 'NOOP')).toBe('250 OK\r\n');
  });

  it('logs in by PLAIN and by LOGIN', async () => {
    await signedIn((peer) => peer.command('NOOP'));
    await withPeer({ tls: true }, async (peer) => {
      await peer.command('AUTH LOGIN');
      await peer.command(base64(own));
      expect(await peer.command(base64(ana.password))).toMatch(/^235 /);
    });
  });

  it('sends nothing for a person without the permission to send', async () => {
    const mute = await buildMailbox(door.app);
    const owner = { companyId: mute.company.id, userId: mute.user.id };
    await UserPermission.create({ ...owner, model: 'sent', canView: true, canCreate: false });
    const from = mute.user.email;
    await withPeer({ tls: true }, async (peer) => {
      await peer.command(plain(from, mute.password));
      const text = plainMessage({ from, to: 'a@remote.test', subject: 'mute' });
      expect(await peer.deliver(from, 'a@remote.test', text)).toMatch(/^550 5\.7\.1 You may not send mail/);
    });
    expect(await Message.count({ where: { subject: 'mute' } })).toBe(0);
  });

  it('takes a message whose peer hangs up in the middle for no failure of its own', async () => {
    const eva = await buildMailbox(door.app);
    const from = eva.user.email;
    await withPeer({ tls: true }, async (peer) => {
      await peer.command(plain(from, eva.password));
      for (const line of [`MAIL FROM:<${from}>`, 'RCPT TO:<a@remote.test>', 'DATA']) await peer.command(line);
      await peer.write(`From: ${from}\r\nSubject: half`);
    });
    const where = { companyId: String(eva.company.id), state: 'refused' };
    const row = await until('the row', () => Delivery.findOne({ where }));
    expect(row).toMatchObject({ reason: 'timeout', recipient: 'a@remote.test' });
  });

  it('has a row of the ledger for every refusal, which names the company and the person', async () => {
    const ben = await buildMailbox(door.app);
    const own = ben.user.email;
    await withPeer({ tls: true }, async (peer) => {
      await peer.command(plain(own, ben.password));
      await peer.command('MAIL FROM:<boss@host.test>');
      await peer.deliver(
        own,
        'a@remote.test',
        plainMessage({ from: 'boss@host.test', to: 'a@remote.test', subject: 'x' }),
      );
    });
    const where = { companyId: String(ben.company.id) };
    const rows = await until('the rows', async () => {
      const found = await Delivery.findAll({ where, order: [['id', 'ASC']] });
      return found.length >= 2 && found;
    });
    const facts = rows.map(({ direction, state, reason, recipient, envelopeFrom }) => [
      direction,
      state,
      reason,
      recipient,
      envelopeFrom,
    ]);
    expect(facts).toEqual([
      ['out', 'refused', 'not_allowed_to_send_as', '', own],
      ['out', 'refused', 'not_allowed_to_send_as', 'a@remote.test', own],
    ]);
    for (const row of rows) {
      expect(readFacts(row.facts ?? '').arrival).toMatchObject({
        helo: 'peer.remote.test',
        address: '127.0.0.1',
        protocol: 'ESMTPSA',
        tls: expect.stringMatching(/^TLSv1\.[23] TLS_/),
      });
    }
    expect(rows.map(({ messageIdHash }) => messageIdHash !== null)).toEqual([false, true]);
  });

  it('has a row also for what smtp-server refuses by itself, and for a recipient that is no address', async () => {
    const ben = await buildMailbox(door.app);
    await withPeer({ tls: true }, async (peer) => {
      expect(await peer.command(`MAIL FROM:<${ben.user.email}>`)).toMatch(/^530 /);
      expect(await peer.command('RCPT TO:<a@remote.test>')).toMatch(/^530 /);
      await peer.command(plain(ben.user.email, ben.password));
      expect(await peer.command('RCPT TO:<a@remote.test>')).toMatch(/^503 /);
      expect(await peer.command('MAIL FROM:<no address>')).toMatch(/^501 /);
      expect(await peer.command(`MAIL FROM:<${ben.user.email}>`)).toMatch(/^250 /);
      expect(await peer.command('RCPT TO:<broken@@remote.test>')).toMatch(/^501 /);
      expect(await peer.command('RCPT TO:<"a, b"@remote.test>')).toMatch(/^553 5\.1\.3 /);
    });
    const where = { companyId: String(ben.company.id) };
    const rows = await until('the rows', async () => {
      const found = await Delivery.findAll({ where, order: [['id', 'ASC']] });
      return found.length >= 3 && found;
    });
    expect(rows.map(({ reason, recipient }) => [reason, recipient])).toEqual([
      ['malformed_message', ''],
      ['malformed_message', 'broken@@remote.test'],
      ['malformed_message', '"a, b"@remote.test'],
    ]);
    const before = await until('the row of the peer', () => Delivery.findOne({ where: { reason: 'login_required' } }));
    expect(before).toMatchObject({ companyId: null, direction: 'out', recipient: '', state: 'refused' });
    expect(await Delivery.sum('answers', { where: { reason: 'login_required', remoteHost: before.remoteHost } })).toBe(
      2,
    );
  });

  it('counts each refusal once in the metrics, with its reason', async () => {
    const ben = await buildMailbox(door.app);
    const own = ben.user.email;
    const text = plainMessage({ from: own, to: 'a@remote.test', subject: 'x' });
    const before = await countEvents();
    await withPeer({ tls: true }, async (peer) => {
      expect(await peer.command(`MAIL FROM:<${own}>`)).toMatch(/^530 /);
      expect(await peer.signIn(own, 'wrong password')).toMatch(/^535 /);
      expect(await peer.signIn(own, ben.password)).toMatch(/^235 /);
      expect(await peer.command('MAIL FROM:<no address>')).toMatch(/^501 /);
      expect(await peer.command('MAIL FROM:<boss@host.test>')).toMatch(/^553 /);
      expect(await peer.deliver(own, 'a@remote.test', `X: ${'y'.repeat(600_000)}\r\n${text}`)).toMatch(/^552 5\.3\.4 /);
      for (const line of [`MAIL FROM:<${own}>`, 'RCPT TO:<"a, b"@remote.test>', 'RCPT TO:<a@remote.test>', 'DATA']) {
        await peer.command(line);
      }
      await peer.write(`From: ${own}\r\nSubject: half`);
    });
    const counted = await until('the end of the last message', async () => {
      const now = [...(await countEvents())];
      const more = now.map(([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }));
      return more.some(({ name, count }) => name === 'deferred timeout' && count > 0) && more;
    });
    const grown = counted.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
    // A wrong password has the reason of a command before the login
    expect(grown.toSorted()).toEqual([
      'deferred timeout 1',
      'rejected header_over_limit 1',
      'rejected login_required 2',
      'rejected malformed_message 2',
      'rejected not_allowed_to_send_as 1',
    ]);
  });

  it.each(['"john smith"@example.com', '"o.reilly"@example.com', 'ann@my_shop.example.com'])(
    'takes the recipient %s as RFC 5321 and other hosts allow it',
    async (to) => {
      const subject = `to ${to}`;
      await signedIn(async (peer) => {
        await peer.command(`MAIL FROM:<${own}>`);
        expect(await peer.command('RCPT TO:<"john smith@example.com>')).toMatch(/^501 /);
        expect(await peer.command('RCPT TO:<"john, smith"@example.com>')).toMatch(/^553 5\.1\.3 /);
        await peer.command('RSET');
        expect(await peer.deliver(own, to, plainMessage({ from: own, to, subject }))).toMatch(/^250 /);
      });
      const message = await Message.findOne({ where: { subject }, rejectOnEmpty: true });
      const rows = await Delivery.findAll({ where: { mailId: message.mailId } });
      const recipient = to.replace('"o.reilly"', 'o.reilly');
      expect(rows.map((row) => [row.recipient, row.state])).toEqual([[recipient, 'queued']]);
      expect(message.toList).toEqual([recipient]);
    },
  );

  it('does not tell whether the address or the password was wrong', async () => {
    const replies = await Promise.all(
      [own, `nobody@${ana.domain.domainName}`].map((user) =>
        withPeer({ tls: true }, (peer) => peer.command(plain(user, 'wrong password'))),
      ),
    );
    expect(new Set(replies).size).toBe(1);
    expect(replies[0]).toMatch(/^535 5\.7\.8 /);
  });

  it('takes app passwords, notes where they were used, and takes nothing else while two-factor is on', async () => {
    const ben = await buildMailbox(door.app, { user: { twoFactorStatus: true } });
    const password = newAppPassword();
    const made = await AppPassword.create({
      companyId: String(ben.company.id),
      userId: String(ben.user.id),
      appName: 'Laptop',
      passwordHash: hashAppPassword(door.app, password),
    });
    const reply = (secret: string) => withPeer({ tls: true }, (peer) => peer.command(plain(ben.user.email, secret)));
    expect(await reply(ben.password)).toMatch(/^534 5\.7\.9 .*app password/);
    expect(await reply('wrong password')).toMatch(/^535 5\.7\.8 /);
    expect(await reply(password)).toMatch(/^235 /);
    expect(await made.reload()).toMatchObject({ lastUsedAddress: '127.0.0.1', lastUsedAt: expect.any(Date) });
    await ben.user.update({ activeStatus: false });
    expect(await reply(password)).toMatch(/^535 5\.7\.8 /);
    await ben.user.update({ activeStatus: true, twoFactorStatus: false, passwordChangeRequired: true });
    expect(await reply(ben.password)).toMatch(/^534 5\.7\.9 .*changed/);
    await made.destroy();
    expect(await reply(password)).toMatch(/^535 5\.7\.8 /);
  });

  it.each<[string, (mailbox: Mailbox) => Promise<unknown>]>([
    ['the person may not log in', ({ user }) => user.update({ loginAllowed: false })],
    ['the person is switched off', ({ user }) => user.update({ activeStatus: false })],
    ['the role is switched off', ({ user }) => Role.update({ activeStatus: false }, { where: { id: user.roleId } })],
    ['the company is deleted', ({ company }) => company.update({ deletedAt: new Date() })],
    ['the password is another one', ({ user }) => user.update({ passwordHash: 'another' })],
    ['the password has to be changed', ({ user }) => user.update({ passwordChangeRequired: true })],
    ['a second factor is on', ({ user }) => user.update({ twoFactorStatus: true })],
  ])('ends a connection before its next message when %s', async (_what, change) => {
    const mailbox = await buildMailbox(door.app);
    const from = mailbox.user.email;
    const text = plainMessage({ from, to: 'r@remote.test', subject: 'while it held' });
    await withPeer({ tls: true }, async (peer) => {
      expect(await peer.signIn(from, mailbox.password)).toMatch(/^235 /);
      expect(await peer.deliver(from, 'r@remote.test', text)).toMatch(/^250 /);
      await change(mailbox);
      expect(await peer.command(`MAIL FROM:<${from}>`)).toMatch(/^421 4\.7\.0 .*log in again/);
      expect(await peer.reply()).toBe('');
    });
  });

  it('takes no message of a person who was barred while it came', async () => {
    const { user, password } = await buildMailbox(door.app);
    await withPeer({ tls: true }, async (peer) => {
      await peer.signIn(user.email, password);
      for (const line of [`MAIL FROM:<${user.email}>`, 'RCPT TO:<r@remote.test>', 'DATA']) await peer.command(line);
      await peer.write(`From: ${user.email}\r\nSubject: too late\r\n`);
      await user.update({ loginAllowed: false });
      expect(await peer.send(Buffer.from('\r\nx\r\n.\r\n'))).toMatch(/^421 4\.7\.0 .*log in again/);
    });
    expect(await Message.count({ where: { subject: 'too late' } })).toBe(0);
  });

  it('ends a connection whose app password is revoked, and no other one of the person', async () => {
    const { company, user } = await buildMailbox(door.app, { user: { twoFactorStatus: true } });
    const owner = { companyId: String(company.id), userId: String(user.id) };
    const add = async (appName: string) => {
      const password = newAppPassword();
      const row = await AppPassword.create({ ...owner, appName, passwordHash: hashAppPassword(door.app, password) });
      return { row, password };
    };
    const [phone, laptop] = [await add('Phone'), await add('Laptop')];
    const begin = async ({ password }: { password: string }) => {
      const peer = await SmtpPeer.open(door.securePort, { tls: true });
      expect(await peer.signIn(user.email, password)).toMatch(/^235 /);
      return peer;
    };
    const [ofPhone, ofLaptop] = [await begin(phone), await begin(laptop)];
    await phone.row.destroy();
    expect(await ofPhone.command(`MAIL FROM:<${user.email}>`)).toMatch(/^421 /);
    expect(await ofLaptop.command(`MAIL FROM:<${user.email}>`)).toMatch(/^250 /);
    for (const peer of [ofPhone, ofLaptop]) peer.close();
  });

  it('slows down guesses at one account', async () => {
    const victim = await buildMailbox(door.app);
    const replies: string[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      replies.push(await withPeer({ tls: true }, (peer) => peer.command(plain(victim.user.email, `guess ${attempt}`))));
    }
    expect(replies.slice(0, 10).every((reply) => reply.startsWith('535 '))).toBe(true);
    expect(replies.at(-1)).toMatch(/^454 4\.7\.0 /);
  });

  it('takes a message, completes it, and answers when it is queued', async () => {
    const text = plainMessage({ from: own, to: 'r@remote.test', subject: 'outgoing', body: 'a\nb\rc' });
    const reply = await signedIn((peer) => peer.deliver(own, ['r@remote.test', 'hidden@remote.test'], text));
    const mailId = /^250 2\.0\.0 Queued as (\S+)$/.exec(reply)?.[1] ?? '';
    const rows = await Delivery.findAll({ where: { mailId } });
    expect(rows.map(({ recipient, direction, state }) => [recipient, direction, state])).toEqual([
      ['r@remote.test', 'out', 'queued'],
      ['hidden@remote.test', 'out', 'queued'],
    ]);
    expect(await Message.count({ where: { mailId, subject: 'outgoing' } })).toBe(1);
  });

  it('sends a message with long lines in another encoding, and refuses one that is signed', async () => {
    const body = `${'word '.repeat(500)}end`;
    const text = plainMessage({ from: own, to: 'r@remote.test', subject: 'long line', body });
    const signed = plainMessage({
      from: own,
      to: 'r@remote.test',
      subject: 'signed',
      headers: 'MIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary=b',
      body: `--b\r\n\r\n${body}\r\n--b--`,
    });
    await signedIn(async (peer) => {
      expect(await peer.deliver(own, 'r@remote.test', text)).toMatch(/^250 /);
      expect(await peer.deliver(own, 'r@remote.test', signed)).toMatch(/^554 5\.6\.0 .*signature/);
    });
    const message = await Message.findOne({ where: { subject: 'long line' } });
    const raw = await buffer(door.app.blobs.get(message?.blobKey ?? ''));
    expect(
      Math.max(
        ...raw
          .toString('latin1')
          .split('\r\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(998);
    expect((await parseMessage(raw)).text?.trim()).toBe(body);
  });

  it('takes a read receipt, which has the null sender, in the name of its account', async () => {
    const receipt = plainMessage({ from: own, to: 'r@remote.test', subject: 'Read: hello' });
    await signedIn(async (peer) => expect(await peer.deliver('', 'r@remote.test', receipt)).toMatch(/^250 /));
    const row = await Message.findOne({ where: { subject: 'Read: hello' } });
    expect(row?.envelopeFrom).toBe(own);
  });

  it('takes paths without brackets, as old programs send them', async () => {
    await signedIn(async (peer) => {
      expect(await peer.command(`MAIL FROM: ${own} SIZE=100`)).toMatch(/^250 /);
      expect(await peer.command('rcpt to:r@remote.test')).toMatch(/^250 /);
      expect(await peer.command('RCPT TO:two words@remote.test')).toMatch(/^501 /);
    });
  });

  it.each(['<postmaster>', '<Postmaster>', 'postmaster'])(
    'sends what is for %s to that of the own domain',
    async (path) => {
      const subject = `to ${path}`;
      await signedIn(async (peer) => {
        await peer.command(`MAIL FROM:<${own}>`);
        expect(await peer.command(`RCPT TO:${path}`)).toMatch(/^250 /);
        expect(await peer.command('RCPT TO:<abuse>')).toMatch(/^501 /);
        await peer.command('DATA');
        const text = plainMessage({ from: own, to: 'postmaster', subject });
        expect(await peer.command(`${text.trimEnd()}\r\n.`)).toMatch(/^250 /);
      });
      const message = await Message.findOne({ where: { subject }, rejectOnEmpty: true });
      const rows = await Delivery.findAll({ where: { mailId: message.mailId } });
      expect(rows.map(({ recipient }) => recipient)).toEqual([`postmaster@${ana.domain.domainName}`]);
    },
  );

  it('refuses mail in the name of another person', async () => {
    await signedIn(async (peer) => {
      expect(await peer.command('MAIL FROM:<boss@host.test>')).toMatch(/^553 5\.7\.1 /);
      const forged = plainMessage({ from: 'boss@host.test', to: 'r@remote.test', subject: 'forged' });
      expect(await peer.deliver(own, 'r@remote.test', forged)).toMatch(/^550 5\.7\.1 /);
    });
    expect(await Message.count({ where: { subject: 'forged' } })).toBe(0);
  });

  it.each([
    ['in a list', 'Ana <OWN>, Boss <boss@host.test>'],
    ['in the brackets behind its own', 'Ana <OWN> <boss@host.test>'],
    ['in the brackets before its own', 'Boss <boss@host.test> <OWN>'],
  ])('refuses a message with a second author %s, also with a Sender field', async (_where, from) => {
    const text = plainMessage({ from: own, to: 'r@remote.test', subject: 'both', headers: `Sender: ${own}` });
    const both = text.replace(/^From: .*/, `From: ${from.replace('OWN', own)}`);
    await signedIn(async (peer) => {
      expect(await peer.deliver(own, 'r@remote.test', both)).toMatch(/^550 5\.6\.0 .*more than one From address/);
    });
    expect(await Message.count({ where: { subject: 'both' } })).toBe(0);
  });

  it('asks the mail program to keep a message whose copy has no room in the mailbox of its sender', async () => {
    const { user, password } = await buildMailbox(door.app);
    const text = plainMessage({ from: user.email, to: 'r@remote.test', subject: 'no room' });
    await withPeer({ tls: true }, async (peer) => {
      const send = () => peer.deliver(user.email, 'r@remote.test', text);
      expect(await peer.command(plain(user.email, password))).toMatch(/^235 /);
      expect(await send()).toMatch(/^250 /);
      const used = (await bytesOfPeople(systemContext(door.app), [String(user.id)])).get(String(user.id)) ?? 0;
      await user.update({ storageLimit: String(used + 10) });
      expect(await send()).toMatch(/^452 4\.2\.2 Your mailbox is full\. Delete mail/);
      await user.update({ storageLimit: '10000' });
      expect(await send()).toMatch(/^250 /);
      await user.update({ storageLimit: '100' });
      expect(await send()).toMatch(/^552 5\.2\.3 The message is larger than your mailbox may hold\. Ask/);
    });
  });

  it('limits recipients and size', async () => {
    await signedIn(async (peer) => {
      await peer.command(`MAIL FROM:<${own}>`);
      for (const name of ['a', 'b']) await peer.command(`RCPT TO:<${name}@remote.test>`);
      expect(await peer.command('RCPT TO:<c@remote.test>')).toMatch(/^452 4\.5\.3 /);
      await peer.command('RSET');
      const large = plainMessage({
        from: own,
        to: 'r@remote.test',
        subject: 'large',
        body: `${'x'.repeat(900)}\r\n`.repeat(1300),
      });
      expect(await peer.deliver(own, 'r@remote.test', large)).toMatch(/^552 5\.3\.4 /);
    });
  });

  it('takes the parameters of MAIL and RCPT that it offers, and refuses any other', async () => {
    await signedIn(async (peer) => {
      expect(await peer.command('EHLO again.test')).not.toMatch(/DSN|REQUIRETLS/);
      const mail = (parameters: string) => peer.command(`MAIL FROM:<${own}> ${parameters}`);
      expect(await mail('FOO=bar')).toMatch(/^555 5\.5\.4 /);
      expect(await mail('RET=FULL ENVID=x')).toMatch(/^555 5\.5\.4 /);
      expect(await mail('SIZE=abc')).toMatch(/^501 5\.5\.4 /);
      expect(await mail('SIZE=9999999')).toMatch(/^552 5\.3\.4 /);
      expect(await mail('BODY=BINARYMIME')).toMatch(/^501 5\.5\.4 /);
      expect(await mail('SMTPUTF8=yes')).toMatch(/^501 5\.5\.4 /);
      expect(await mail('AUTH=nonsense')).toMatch(/^501 5\.5\.4 /);
      expect(await mail('SIZE=100 BODY=8BITMIME SMTPUTF8 AUTH=<>')).toMatch(/^250 /);
      expect(await peer.command('RCPT TO:<r@remote.test> NOTIFY=NEVER')).toMatch(/^555 5\.5\.4 /);
      expect(await peer.command('RCPT TO:<r@remote.test>')).toMatch(/^250 /);
    });
  });

  it.each([
    ['too many lines', `X-A: a${'\r\n b'.repeat(100_000)}`, /^550 5\.6\.0 .*too many lines/],
    ['too many lines that end with a bare LF', `X-A: a${'\n b'.repeat(100_000)}`, /^550 5\.6\.0 .*too many lines/],
    ['too many fields', 'X: y\r\n'.repeat(2000).trim(), /^550 5\.6\.0 .*too many fields/],
    ['a field that is too long', `X-A: ${'b'.repeat(110_000)}`, /^552 5\.3\.4 .*too long/],
  ])('refuses a header with %s for good, and takes the next message', async (_what, headers, refusal) => {
    await signedIn(async (peer) => {
      const message = (subject: string, more?: string) =>
        plainMessage({ from: own, to: 'r@remote.test', subject, ...(more && { headers: more }) });
      expect(await peer.deliver(own, 'r@remote.test', message('bad header', headers))).toMatch(refusal);
      expect(await peer.deliver(own, 'r@remote.test', message('fine'))).toMatch(/^250 /);
    });
  });

  const nested = Array.from({ length: 60 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`);
  it.each([
    ['1,001 parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1001)}--b--`],
    ['nesting 60 deep', `${nested.join('\r\n')}\r\n\r\nx`],
  ])('refuses %s for good, and takes the next message', async (_what, rest) => {
    await signedIn(async (peer) => {
      const text = `From: ${own}\r\nMIME-Version: 1.0\r\n${rest}`;
      expect(await peer.deliver(own, 'r@remote.test', text)).toMatch(/^550 5\.6\.0 .*too complex/);
      const fine = plainMessage({ from: own, to: 'r@remote.test', subject: 'fine' });
      expect(await peer.deliver(own, 'r@remote.test', fine)).toMatch(/^250 /);
    });
  });

  it('exits cleanly on SIGTERM', async () => {
    const gone = once(door.process, 'exit');
    door.process.kill('SIGTERM');
    expect((await gone)[0]).toBe(0);
  });
});
