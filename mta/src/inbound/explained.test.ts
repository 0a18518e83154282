import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { readRefusalCode } from '@selvage/core/ledger/refusal-code';
import { Delivery } from '@selvage/core/models/delivery';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { Flood } from '../../../tests/support/flood.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
const site = 'https://mail.host.test/r/';
/** The text of a last line: what it says, and the code of its page. */
const told = /^(\d{3} .*) https:\/\/mail\.host\.test\/r\/([0-9a-z]{37})$/;

/** Keys about which the name servers of their domain say nothing. */
const silentKeys = Array.from({ length: 10 }, (_, number) => `k${number}`);

let door: Door;
let ana: Mailbox;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', {
    zone: {
      '_dmarc.strict.test': { TXT: ['v=DMARC1; p=reject'] },
      ...Object.fromEntries(silentKeys.map((key) => [`${key}._domainkey.slow.test`, 'TIMEOUT'])),
    },
    environment: { SELVAGE_URL: 'https://mail.host.test', SMTP_CONNECTIONS_PER_ADDRESS: '40' },
  });
  ana = await buildMailbox(door.app);
});

/** What a reply says, and what its code says. */
function read(reply: string) {
  const [, words = '', code = ''] = told.exec(reply) ?? [];
  return { words, code: readRefusalCode(door.app.secrets, code) };
}

async function withPeer<T>(talk: (peer: SmtpPeer) => Promise<T>, address = '127.0.0.1'): Promise<T> {
  const peer = await SmtpPeer.open(door.port, { from: address });
  try {
    return await talk(peer);
  } finally {
    peer.close();
  }
}

const rowsOf = (recipient: string) =>
  until('the ledger row', async () => {
    const rows = await Delivery.findAll({ where: { recipient } });
    return rows.length > 0 ? rows : null;
  });

describe('an answer that refuses', () => {
  it('ends with the address of a page, whose code is that of the ledger row', async () => {
    const to = `nobody@${ana.domain.domainName}`;
    const reply = await withPeer((peer) => peer.deliver(from, to, ''));
    const { words, code } = read(reply);
    expect(words).toBe('550 5.1.1 No such mailbox here');
    const [row] = await rowsOf(to);
    expect(code).toMatchObject({ reason: 'unknown_recipient', mailId: row?.mailId, isOver: false });
    expect(row).toMatchObject({ lastReply: reply });
  });

  it('does so at every step of a conversation, with the reason', async () => {
    const to = ana.user.email;
    const large = plainMessage({ from, to, subject: 'two', headers: 'From: b@remote.test' });
    await withPeer(async (peer) => {
      const asked = [
        ['MAIL FROM:<ann@remote.test> SIZE=x', '501 5.5.4', 'malformed_message'],
        ['MAIL FROM:<ann@remote.test> SIZE=99999999999', '552 5.3.4', 'message_too_large'],
        ['RCPT TO:<a@b.test>', '503', 'malformed_message'],
        ['NONSENSE', '500', 'malformed_message'],
      ] as const;
      for (const [line, start, reason] of asked) {
        const { words, code } = read(await peer.command(line));
        expect([line, words.startsWith(start), code?.reason]).toEqual([line, true, reason]);
      }
      const replies = [
        await peer.deliver(from, to, large),
        await peer.deliver(from, to, `Subject: x\r\n\r\nbare\nline feed`),
      ];
      expect(replies.map((reply) => [read(reply).words.slice(0, 9), read(reply).code?.reason])).toEqual([
        ['550 5.6.0', 'malformed_message'],
        ['550 5.6.0', 'bare_line_feed'],
      ]);
    });
    const rows = await until('the rows', async () => {
      const found = await Delivery.findAll({ where: { recipient: to, state: 'refused' } });
      return found.length === 2 ? found : null;
    });
    for (const row of rows) expect(read(row.lastReply ?? '').code?.mailId).toBe(row.mailId);
  });

  it('has the page of its own reason where DMARC could not be checked, and the ledger has the answer as it was', async () => {
    const [sender, address] = ['ann@slow.test', '127.9.0.1'];
    const body = 'signed';
    const bodyHash = createHash('sha256').update(`${body}\r\n`).digest('base64');
    const headers = silentKeys
      .map((key) => `DKIM-Signature: v=1; a=rsa-sha256; d=slow.test; s=${key}; h=from; bh=${bodyHash}; b=AAAA`)
      .join('\r\n');
    const text = plainMessage({ from: 'boss@strict.test', to: ana.user.email, subject: 'slow', headers, body });
    const reply = await withPeer((peer) => peer.deliver(sender, ana.user.email, text), address);
    const row = await until('the row', () => Delivery.findOne({ where: { remoteHost: address } }));
    const { words, code } = read(reply);
    expect(words).toBe('451 4.7.1 The DMARC check of the From domain could not be finished, try again later');
    expect(code).toMatchObject({ reason: 'dns_failure', mailId: row.mailId });
    expect(row).toMatchObject({ reason: 'dns_failure', lastReply: reply });
  });

  it('keeps its lines within 512 octets, and keeps its address, whatever the sender writes', async () => {
    const long = `${'x'.repeat(400)}@${'y'.repeat(60)}.test`;
    await withPeer(async (peer) => {
      await peer.command(`MAIL FROM:<${from}>`);
      for (const line of [
        `RCPT TO:<${long}>`,
        `RCPT <${'<'.repeat(450)}>`,
        `RCPT TO:<a@b.test> ${'Z'.repeat(300)}=1`,
      ]) {
        const lines = (await peer.command(line)).split('\r\n');
        for (const one of lines) expect(one.length + 2).toBeLessThanOrEqual(512);
        expect(read(lines.at(-1) ?? '').code).not.toBeNull();
      }
    });
  });

  it('is explained to a connection that is not taken, with one code for a whole flood', async () => {
    const flood = await Flood.start(door.port, 40, '127.7.0.1');
    const answers = await Promise.all(Array.from({ length: 30 }, () => hear('127.7.0.1')));
    flood.close();
    const lines = answers.map((heard) => heard.trim()).filter((heard) => heard.startsWith('421 4.7.0 Too many'));
    expect(lines.length).toBeGreaterThan(0);
    // Doors of several processes each have one, as two minutes have
    expect(new Set(lines).size).toBeLessThanOrEqual(2);
    expect(read(lines[0] ?? '').code?.reason).toBe('rate_limited');
  });

  it('accepts in the words that it always had', async () => {
    const message = plainMessage({ from, to: ana.user.email, subject: 'good' });
    expect(await withPeer((peer) => peer.deliver(from, ana.user.email, message))).not.toContain(site);
  });
});

describe('a flood of refusals', () => {
  it('leaves the rows that it left before: thirty, and one with a number', async () => {
    const address = '127.8.0.1';
    await withPeer(async (peer) => {
      for (let count = 0; count < 200; count += 1) {
        expect(await peer.command('MAIL FROM:<a@b.test> FOO=1')).toMatch(told);
      }
    }, address);
    // Its end comes before that of the minute, after which it would write them as well
    const ended = once(door.process, 'exit');
    door.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const rows = await Delivery.findAll({ where: { remoteHost: address } });
    expect(rows.reduce((sum, row) => sum + row.answers, 0)).toBe(200);
    // The flood may have gone on for two minutes of the clock
    expect(rows.length).toBeLessThanOrEqual(62);
    expect(rows.some((row) => row.answers > 1)).toBe(true);
  });
});

describe('a host without an address for outside senders', () => {
  it('refuses in the words that it always had', async () => {
    const plain = await startDoor('main-inbound.ts', { environment: { SELVAGE_URL: 'http://localhost' } });
    const peer = await SmtpPeer.open(plain.port);
    expect(await peer.deliver(from, 'a@elsewhere.test', '')).toBe(
      '550 5.7.1 Relaying denied: this host does not accept mail for that domain',
    );
    expect(await peer.command('NONSENSE')).toBe('500 Unrecognized command');
    peer.close();
  }, 180_000);
});

/** The first line that the door says to a peer that says nothing. */
async function hear(address: string): Promise<string> {
  const socket = connect({ port: door.port, host: '127.0.0.1', localAddress: address });
  socket.setTimeout(10_000, () => socket.destroy());
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
    if (heard.includes('\n')) socket.destroy();
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return heard;
}
