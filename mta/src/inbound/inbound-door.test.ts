import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFacts } from '@selvage/core/ledger/message-facts';
import { messageIdHash } from '@selvage/core/ledger/message-id-hash';
import { Delivery } from '@selvage/core/models/delivery';
import { GroupMember } from '@selvage/core/models/group-member';
import { Message } from '@selvage/core/models/message';
import { ensureCertificate } from '@selvage/core/secrets/certificate';
import { makeSelfSigned } from '@selvage/core/secrets/self-signed-certificate';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { servedCertificate } from '../../../tests/support/served-certificate.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { sayEncrypted } from '../../test-support/say-encrypted.ts';
import { injectBehindStartTls } from '../../test-support/inject-behind-starttls.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
let door: Door;
let ana: Mailbox;
let to: string;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', {
    zone: { '_dmarc.strict.test': { TXT: ['v=DMARC1; p=reject'] } },
    environment: { MAX_MESSAGE_BYTES: '1048576', MAX_RECIPIENTS: '2', SMTP_CONNECTIONS_PER_ADDRESS: '5' },
  });
  ana = await buildMailbox(door.app);
  to = ana.user.email;
});

async function withPeer<T>(talk: (peer: SmtpPeer) => Promise<T>, options: { from?: string } = {}): Promise<T> {
  const peer = await SmtpPeer.open(door.port, options);
  try {
    return await talk(peer);
  } finally {
    peer.close();
  }
}

function deliver(message: string, options: { from?: string; to?: string | string[] } = {}): Promise<string> {
  return withPeer((peer) => peer.deliver(options.from ?? from, options.to ?? to, message));
}

function message(subject: string, body?: string, headers?: string): string {
  return plainMessage({ from, to, subject, ...(body && { body }), ...(headers && { headers }) });
}

function stored(subject: string): Promise<Message[]> {
  return Message.findAll({ where: { subject } });
}

describe('the inbound door', () => {
  it('stores a message before it answers 250, with the trace headers beside the blob', async () => {
    const reply = await deliver(message('kept'));
    expect(reply).toMatch(/^250 2\.0\.0 Stored as [0-9a-z]{20}$/);
    const [row] = await stored('kept');
    expect(reply).toContain(row?.mailId);
    expect(row?.traceHeaders).toMatch(/^Return-Path: <ann@remote\.test>\r\nAuthentication-Results: host\.test;/);
    const ledger = await Delivery.findAll({ where: { mailId: row?.mailId ?? '' } });
    expect(ledger.map(({ state, recipient }) => [state, recipient])).toEqual([['stored', to]]);
  });

  it('keeps the bytes of a message as they came', async () => {
    const text = 'From: a@remote.test\r\nSubject:  odd \t spacing\r\nX-Odd:no space\r\n\r\n.dot\r\n\t end';
    await deliver(text.replace('\r\n.dot', '\r\n..dot'));
    const row = await until('the message', () =>
      Message.findOne({ where: { messageIdHeader: null }, order: [['id', 'DESC']] }),
    );
    const chunks: Buffer[] = [];
    for await (const chunk of door.app.blobs.get(row.blobKey)) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString('latin1')).toBe(`${text}\r\n`);
  });

  it('stores the same message once however often it is offered', async () => {
    const same = message('twice');
    expect(await deliver(same)).toMatch(/^250 /);
    expect(await deliver(same)).toMatch(/^250 /);
    expect(await stored('twice')).toHaveLength(1);
  });

  it('takes a sender as long as those of servers that forward, and no longer', async () => {
    const peer = await SmtpPeer.open(door.port);
    const forwarded = 'first.last+caf_=first.last=a-company-with-a-long-name.example@gmail.com';
    expect(await peer.deliver(forwarded, to, message('forwarded'))).toMatch(/^250 /);
    for (const refused of [`${'a'.repeat(300)}@remote.test`, 'a@[IPv6:nonsense]', 'a@[192.0.2.1]']) {
      expect(await peer.command(`MAIL FROM:<${refused}>`)).toMatch(/^553 5\.1\.7 /);
    }
    peer.close();
  });

  it.each(['ann..lee@phone.test', 'ann.@phone.test', '.ann@phone.test'])(
    'takes a sender with the dots that old addresses of phones have: %s',
    async (sender) => {
      expect(await deliver(message(`from ${sender}`), { from: sender })).toMatch(/^250 /);
      const [row] = await stored(`from ${sender}`);
      expect(row?.envelopeFrom).toBe(`"${sender.replace('@', '"@')}`);
    },
  );

  it.each(['bounce_x@news_letter.remote.test', 'a@_x.Remote.test', 'odd..dots@my_shop.remote.test'])(
    'takes a sender whose domain has an underscore: %s',
    async (sender) => {
      const subject = `from ${sender}`;
      const text = plainMessage({ from: 'ann@my_shop.remote.test', to, subject });
      await withPeer(async (peer) => {
        expect(await peer.deliver(sender, to, text)).toMatch(/^250 /);
        expect(await peer.deliver(from, to, message(`behind ${sender}`))).toMatch(/^250 /);
      });
      const [row] = await stored(subject);
      expect(row?.envelopeFrom).toBe(sender.replace('odd..dots', '"odd..dots"'));
      expect(row?.fromAddress).toBe('ann@my_shop.remote.test');
      expect(row?.traceHeaders).toContain(`Return-Path: <${row?.envelopeFrom}>`);
      expect((await stored(`behind ${sender}`))[0]?.envelopeFrom).toBe(from);
    },
  );

  it('holds no reply back from a peer that sends its commands at once', async () => {
    await withPeer(async (peer) => {
      const waits: number[] = [];
      // The kernel acknowledges early packets of a connection at once, and later ones after 40 ms
      for (let time = 0; time < 40; time += 1) {
        const begin = performance.now();
        const replies = [await peer.send(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nRSET\r\n`)];
        while (replies.length < 3) replies.push(await peer.reply());
        waits.push(performance.now() - begin);
        for (const reply of replies) expect(reply).toMatch(/^250 /);
      }
      expect(Math.min(...waits.slice(20))).toBeLessThan(35);
    });
  });

  it('takes a message without a Message-ID', async () => {
    expect(await deliver('From: a@remote.test\r\nSubject: nameless\r\n\r\nx')).toMatch(/^250 /);
  });

  it('refuses unknown recipients, relaying and too many recipients, and defers for inactive mailboxes', async () => {
    const tenant = { company: ana.company, domain: ana.domain, roles: ana.roles };
    const inactive = await buildMailbox(door.app, { tenant, user: { activeStatus: false } });
    const second = await buildMailbox(door.app, { tenant });
    await withPeer(async (peer) => {
      await peer.command(`MAIL FROM:<${from}>`);
      expect(await peer.command(`RCPT TO:<nobody@${ana.domain.domainName}>`)).toMatch(/^550 5\.1\.1 /);
      expect(await peer.command('RCPT TO:<ann@elsewhere.test>')).toMatch(/^550 5\.7\.1 /);
      expect(await peer.command(`RCPT TO:<${inactive.user.email}>`)).toMatch(/^450 4\.2\.1 /);
      expect(await peer.command(`RCPT TO:<${to}>`)).toMatch(/^250 /);
      expect(await peer.command(`RCPT TO:<${second.user.email}>`)).toMatch(/^250 /);
      expect(await peer.command(`RCPT TO:<tagged+${to}>`)).toMatch(/^452 4\.5\.3 /);
      // No further recipient: a sender that was refused would send the message again
      expect(await peer.command(`RCPT TO:<${to.toUpperCase()}>`)).toMatch(/^250 /);
    });
    const refused = await until('the ledger row', () => Delivery.findOne({ where: { reason: 'unknown_recipient' } }));
    expect(refused).toMatchObject({ state: 'refused', direction: 'in', recipient: `nobody@${ana.domain.domainName}` });
  });

  it('reads the people of a group once in a transaction, and has a row of the ledger for each of its tags', async () => {
    const people = [ana, await buildMailbox(door.app, { tenant: ana })];
    const { id, address } = await buildGroup(ana, { members: people });
    const tagged = address.replace('@', '+tag@');
    await withPeer(async (peer) => {
      await peer.command(`MAIL FROM:<${from}>`);
      expect(await peer.command(`RCPT TO:<${address}>`)).toMatch(/^250 /);
      await GroupMember.destroy({ where: { groupId: String(id) } });
      expect(await peer.command(`RCPT TO:<${tagged}>`)).toMatch(/^250 /);
      await peer.command('DATA');
      expect(await peer.command(`${message('tagged group')}\r\n.`)).toMatch(/^250 /);
    });
    const rows = await Delivery.findAll({ where: { recipient: [address, tagged] }, order: ['id'] });
    const [first, second] = people.map(({ user }) => user.email);
    expect(
      rows.map(({ recipient, state, expandedBy, expandedTo }) => [recipient, state, expandedBy, expandedTo]),
    ).toEqual([address, tagged].flatMap((one) => [first, second].map((person) => [one, 'stored', 'group', person])));
  });

  it('refuses what is too large when it is announced and when it is sent', async () => {
    await withPeer(async (peer) => {
      expect(await peer.command(`MAIL FROM:<${from}> SIZE=9999999`)).toMatch(/^552 5\.3\.4 /);
      const large = message('large', `${'x'.repeat(900)}\r\n`.repeat(1300));
      expect(await peer.deliver(from, to, large)).toMatch(/^552 5\.3\.4 /);
      expect(await peer.deliver(from, to, message('after the large one'))).toMatch(/^250 /);
    });
  });

  it('takes the parameters of MAIL and RCPT that it offers, and refuses any other', async () => {
    // From a network of its own: what is refused beyond 30 times a minute has no row of its own
    await withPeer(
      async (peer) => {
        // The peer writes a byte for each character
        const utf8 = (line: string) => Buffer.from(line).toString('latin1');
        const mail = (parameters: string) => peer.command(`MAIL FROM:<${from}> ${parameters}`);
        expect(await mail('FOO=bar')).toMatch(/^555 5\.5\.4 /);
        expect(await mail('RET=FULL')).toMatch(/^555 5\.5\.4 /);
        expect(await mail('AUTH=<>')).toMatch(/^555 5\.5\.4 /);
        expect(await mail('SIZE=abc')).toMatch(/^501 5\.5\.4 /);
        expect(await mail('BODY=BINARYMIME')).toMatch(/^501 5\.5\.4 /);
        expect(await mail('SMTPUTF8=yes')).toMatch(/^501 5\.5\.4 /);
        expect(await peer.command(utf8('MAIL FROM:<jürg@remote.test>'))).toMatch(/^553 5\.6\.7 /);
        expect(await peer.command(utf8('MAIL FROM:<jurg@bücher.test> BODY=8BITMIME'))).toMatch(/^553 5\.6\.7 /);
        expect(await peer.command(utf8('MAIL FROM:<jürg@remote.test> SMTPUTF8'))).toMatch(/^250 /);
        expect(await mail('SIZE=100 BODY=8BITMIME SMTPUTF8')).toMatch(/^250 /);
        expect(await peer.command(`RCPT TO:<${to}> NOTIFY=NEVER`)).toMatch(/^555 5\.5\.4 /);
        expect(await peer.command(`RCPT TO:<${to}>`)).toMatch(/^250 /);
      },
      { from: '127.7.0.1' },
    );
  });

  const nested = Array.from({ length: 60 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}`);
  it.each([
    ['a header of too many lines', () => message('x', 'a', `X: ${'\r\n y'.repeat(100_000)}`), /^550 5\.6\.0 /],
    ['too large a header', () => message('x', 'a', `${`X: ${'y'.repeat(9000)}\r\n`.repeat(40)}X: y`), /^552 5\.3\.4 /],
    ['a bare CR', () => message('x', 'a\rb'), /^550 5\.6\.0 /],
    ['a bare LF', () => message('x', 'a\nb'), /^550 5\.6\.0 /],
    ['a NUL', () => message('x', 'a\0b'), /^550 5\.6\.0 /],
    ['two From fields', () => message('x', 'a', 'From: b@b.test'), /^550 5\.6\.0 /],
    [
      'two From addresses',
      () => message('x', 'a', 'Sender: a@b.test').replace(/^From: .*/, 'From: A <a@b.test>, b@strict.test'),
      /^550 5\.6\.0 .*From/,
    ],
    ['a loop', () => message('x', 'a', Array(60).fill('Received: from a by b; today').join('\r\n')), /^554 5\.4\.6 /],
    ['an endless line', () => message('x', 'x'.repeat(300_000)), /^550 5\.6\.0 /],
    [
      '1,001 parts',
      () =>
        `From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1001)}--b--`,
      /^550 5\.6\.0 /,
    ],
    [
      'nesting 60 deep',
      () => `From: a@b.test\r\nMIME-Version: 1.0\r\n${nested.join('\r\n')}\r\n\r\nx`,
      /^550 5\.6\.0 /,
    ],
  ])('refuses %s', async (_what, text, reply) => {
    expect(await deliver(text())).toMatch(reply);
  });

  it('has a row of the ledger for every refusal, whatever was refused', async () => {
    const sender = 'refused@remote.test';
    await withPeer((peer) => peer.command(`MAIL FROM:<${sender}> SIZE=9999999`));
    await deliver(message('x', 'a\0b'), { from: sender });
    await deliver(message('x', 'a\nb'), { from: sender });
    const rows = await until('the rows', async () => {
      const found = await Delivery.findAll({ where: { envelopeFrom: sender }, order: [['id', 'ASC']] });
      return found.length >= 3 && found;
    });
    expect(rows.map(({ state, reason, recipient }) => [state, reason, recipient])).toEqual([
      ['refused', 'message_too_large', ''],
      ['refused', 'malformed_message', to],
      ['refused', 'bare_line_feed', to],
    ]);
  });

  it('has a row also for what Haraka refuses by itself', async () => {
    const sender = 'own@remote.test';
    const peer = await SmtpPeer.open(door.port);
    expect(await peer.command('RCPT TO:<a@b.test>')).toMatch(/^503 /);
    expect(await peer.command('MAIL FROM:<broken@@own.test>')).toMatch(/^501 /);
    expect(await peer.command(`MAIL FROM:<${sender}>`)).toMatch(/^250 /);
    expect(await peer.command('RCPT TO:<no one@host.test>')).toMatch(/^501 /);
    expect(await peer.command(`RCPT TO:<${to}>`)).toMatch(/^250 /);
    peer.close();
    const rows = await until('the rows', async () => {
      const found = await Delivery.findAll({
        where: { envelopeFrom: [sender, 'broken@@own.test'] },
        order: [['id', 'ASC']],
      });
      return found.length >= 2 && found;
    });
    expect(rows.map(({ state, reason, recipient }) => [state, reason, recipient])).toEqual([
      ['refused', 'malformed_message', ''],
      ['refused', 'malformed_message', expect.stringContaining('no one@host.test')],
    ]);
  });

  it('keeps in the ledger why it refused a message with two authors', async () => {
    const both = message('both').replace(/^From: .*/, 'From: A <a@b.test>, b@strict.test');
    expect(await deliver(both, { from: 'both@remote.test' })).toMatch(/^550 5\.6\.0 /);
    const row = await until('the ledger row', () => Delivery.findOne({ where: { envelopeFrom: 'both@remote.test' } }));
    expect(row).toMatchObject({ state: 'refused', reason: 'malformed_message', recipient: to });
    expect(row.lastReply).toBe('550 5.6.0 The From field has more than one address');
  });

  // Of an address that is refused often, the rest of a minute is counted
  const stranger = { from: '127.0.0.44' };
  const identified = (messageId: string, sender: string, body = 'x') =>
    plainMessage({ from: sender, to, subject: 'x', body }).replace(/^Message-ID: .*$/m, `Message-ID: ${messageId}`);
  const refusedRow = (envelopeFrom: string) =>
    until('the ledger row', () => Delivery.findOne({ where: { envelopeFrom, state: 'refused' } }));

  it('keeps in the ledger how a refused message was offered, what was checked, and its Message-ID', async () => {
    const sender = 'known@strict.test';
    await withPeer((peer) => peer.deliver(sender, to, identified('<Known@strict.test>', sender)), stranger);
    const row = await refusedRow(sender);
    expect(row.reason).toBe('dmarc_reject');
    expect(readFacts(row.facts ?? '')).toMatchObject({
      arrival: { helo: 'peer.remote.test', address: stranger.from, protocol: 'ESMTP', isEncrypted: false, tls: null },
      checks: { spf: { result: 'none' }, dkim: [], dmarc: { result: 'fail', policy: 'reject' } },
    });
    expect(String(row.messageIdHash)).toBe(messageIdHash('<known@strict.test>'));
  });

  it('keeps the Message-ID of a message that it could not take in, and at RCPT who asked', async () => {
    const sender = 'endless@remote.test';
    const body = `${'x'.repeat(900)}\r\n`.repeat(1300);
    await withPeer((peer) => peer.deliver(sender, to, identified('<endless@remote.test>', sender, body)), stranger);
    const large = await refusedRow(sender);
    expect(large).toMatchObject({ reason: 'message_too_large' });
    expect(String(large.messageIdHash)).toBe(messageIdHash('<endless@remote.test>'));
    await withPeer(async (peer) => {
      await peer.command('MAIL FROM:<asks@remote.test>');
      await peer.command('RCPT TO:<ann@elsewhere.test>');
    }, stranger);
    const asked = await refusedRow('asks@remote.test');
    expect(asked).toMatchObject({ reason: 'relay_denied', messageIdHash: null });
    expect(readFacts(asked.facts ?? '')).toMatchObject({ arrival: { helo: 'peer.remote.test' }, checks: null });
  });

  it('keeps the TLS of a connection whose message was refused', async () => {
    const sender = 'encrypted@remote.test';
    await sayEncrypted({ port: door.port, localAddress: stranger.from }, [
      `MAIL FROM:<${sender}>`,
      'RCPT TO:<ann@elsewhere.test>',
    ]);
    const row = await refusedRow(sender);
    expect(readFacts(row.facts ?? '').arrival).toMatchObject({
      protocol: 'ESMTPS',
      isEncrypted: true,
      tls: expect.stringMatching(/^TLSv1\.[23] TLS_/),
    });
  });

  it('honours a DMARC policy of reject', async () => {
    const forged = plainMessage({ from: 'boss@strict.test', to, subject: 'forged' });
    expect(await deliver(forged, { from: 'boss@strict.test' })).toMatch(/^550 5\.7\.1 /);
    expect(await stored('forged')).toEqual([]);
  });

  const second = `MAIL FROM:<boss@host.test>\r\nRCPT TO:<TO>\r\nDATA\r\nFrom: boss@host.test\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n`;
  it.each([
    '\n.\n',
    '\r\n.\n',
    '\n.\r\n',
    '\r.\r',
    '\r\n.\r',
    '\r.\r\n',
    '\r\r\n.\r\r\n',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
    '\r\n.\r\n',
  ])('never takes a second message behind the end sequence %j', async (end) => {
    await withPeer(async (peer) => {
      for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) await peer.command(line);
      const text = `From: ${from}\r\nSubject: first\r\n\r\nx${end}${second.replace('TO', to)}`;
      await peer.send(text);
      await peer.send('\r\n.\r\nQUIT\r\n');
    });
    expect(await stored('smuggled')).toEqual([]);
  });

  it('hangs up on a peer that does not wait for its turn', async () => {
    await withPeer(async (peer) => {
      // RFC 2920 3.1: NOOP ends a group of commands
      await peer.send(`MAIL FROM:<${from}>\r\nNOOP\r\nRCPT TO:<${to}>\r\n`);
      await peer.reply();
      await peer.reply();
      expect(await peer.command('DATA')).toMatch(/^554 5\.5\.1 /);
      expect(await peer.command('NOOP')).toBe('');
    });
  });

  it('takes no orders from other programs on this machine', async () => {
    for (const order of ['stopListeners', 'key:guessed stopListeners']) {
      expect(await withPeer((peer) => peer.command(`INTERNALCMD ${order}`))).toMatch(/^501 /);
    }
    expect(await deliver(message('after the orders'))).toMatch(/^250 /);
  });

  it('limits how many connections one address holds', async () => {
    // The door may not have seen yet that the connections of earlier tests have ended
    const own = { from: '127.0.0.45' };
    const peers = await Promise.all(Array.from({ length: 5 }, () => SmtpPeer.open(door.port, own)));
    const sixth = await SmtpPeer.open(door.port, { ...own, helo: null });
    expect(await sixth.command('EHLO a.test')).toBe('');
    for (const peer of [...peers, sixth]) peer.close();
    await until('room again', () => withPeer(async (peer) => (await peer.command('NOOP')).startsWith('250'), own));
  });
});

describe('STARTTLS', () => {
  it('runs nothing inside TLS that was sent in the clear', async () => {
    expect(await injectBehindStartTls(door.port, 'EHLO injected.test', 'NOOP')).toBe('250 OK\r\n');
  });

  it('shows a new certificate without a restart', async () => {
    const { cert } = await ensureCertificate(door.app.config);
    expect(await servedCertificate(door.port, { startTls: true })).toBe(fingerprint(cert));
    const next = await makeSelfSigned('host.test');
    await writeFile(join(door.app.config.dataDir, 'tls/key.pem'), next.key);
    await writeFile(join(door.app.config.dataDir, 'tls/cert.pem'), next.cert);
    await until(
      'the new certificate',
      async () => (await servedCertificate(door.port, { startTls: true })) === fingerprint(next.cert),
    );
  });
});

describe('the end of the inbound process', () => {
  it('answers the message under way, disconnects idle peers and exits in time', async () => {
    const idle = await SmtpPeer.open(door.port);
    const busy = await SmtpPeer.open(door.port);
    for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) await busy.command(line);
    const gone = once(door.process, 'exit');
    door.process.kill('SIGTERM');
    expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
    expect(await busy.send(`${message('last one')}\r\n.\r\n`)).toMatch(/^250 2\.0\.0 Stored/);
    expect((await gone)[0]).toBe(0);
    expect(await stored('last one')).toHaveLength(1);
    idle.close();
    busy.close();
  });
});

function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}
