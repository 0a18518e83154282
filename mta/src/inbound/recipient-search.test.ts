import { beforeAll, describe, expect, it } from 'vitest';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { User } from '@selvage/core/models/user';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
let door: Door;
let ana: Mailbox;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', { environment: { SELVAGE_HOSTNAME: 'mx.elsewhere.test' } });
  ana = await buildMailbox(door.app);
});

/** Asks for so many unknown recipients in one session; gives the replies and how long each took. */
async function search(peer: SmtpPeer, count: number): Promise<{ reply: string; ms: number }[]> {
  await peer.command(`MAIL FROM:<${from}>`);
  const answers: { reply: string; ms: number }[] = [];
  for (let number = 0; number < count; number += 1) {
    const start = performance.now();
    const reply = await peer.command(`RCPT TO:<nobody${number}@${ana.domain.domainName}>`);
    answers.push({ reply, ms: performance.now() - start });
  }
  return answers;
}

describe('a search for addresses', () => {
  it('gets ten answers at once and each further one later, while another sender is served', async () => {
    const peer = await SmtpPeer.open(door.port, { from: '127.1.0.1' });
    const searching = search(peer, 13);
    const other = await SmtpPeer.open(door.port, { from: '127.2.0.1' });
    const stored = other.deliver(
      from,
      ana.user.email,
      plainMessage({ from, to: ana.user.email, subject: 'meanwhile' }),
    );
    expect(await stored).toMatch(/^250 /);
    const answers = await searching;
    expect(answers.every(({ reply }) => reply.startsWith('550 5.1.1'))).toBe(true);
    const quick = answers.slice(0, 10).reduce((sum, { ms }) => sum + ms, 0);
    // Put off as the others are, they would take 40 seconds
    expect(quick).toBeLessThan(20_000);
    // A timer may end a moment before its time
    for (const [more, { ms }] of answers.slice(10).entries()) expect(ms).toBeGreaterThan((more + 1) * 1000 - 50);
    for (const each of [peer, other]) each.close();
  });

  it('takes a known recipient among the unknown ones of an honest list', async () => {
    const peer = await SmtpPeer.open(door.port, { from: '127.3.0.1' });
    await search(peer, 9);
    expect(await peer.command(`RCPT TO:<${ana.user.email}>`)).toMatch(/^250 /);
    peer.close();
  });

  it('is told nothing any more, neither of unknown nor of known recipients, once its network asked for too many', async () => {
    for (let session = 0; session < 20; session += 1) {
      const peer = await SmtpPeer.open(door.port, { from: `127.4.0.${session + 1}` });
      await search(peer, 10);
      peer.close();
    }
    const peer = await SmtpPeer.open(door.port, { from: '127.4.0.99' });
    const [unknown] = await search(peer, 1);
    expect(unknown?.reply).toMatch(/^550 /);
    expect(await peer.command(`RCPT TO:<${ana.user.email}>`)).toMatch(/^450 4\.7\.1 /);
    expect(await peer.command(`RCPT TO:<nobody@${ana.domain.domainName}>`)).toMatch(/^450 4\.7\.1 /);
    peer.close();
    const other = await SmtpPeer.open(door.port, { from: '127.5.0.1' });
    await other.command(`MAIL FROM:<${from}>`);
    expect(await other.command(`RCPT TO:<${ana.user.email}>`)).toMatch(/^250 /);
    other.close();
  });
});

describe('postmaster without a domain', () => {
  it("is taken, and its mail is in the mailbox of the host's administrator", async () => {
    const peer = await SmtpPeer.open(door.port);
    const text = plainMessage({ from, to: 'postmaster', subject: 'to the postmaster' });
    expect(await peer.deliver(from, 'Postmaster', text)).toMatch(/^250 /);
    peer.close();
    const message = await Message.findOne({ where: { subject: 'to the postmaster' } });
    const entry = await MailboxEntry.findOne({ where: { messageId: String(message?.id) } });
    const administrator = await User.findOne({ where: { email: door.app.config.adminEmail } });
    expect(String(entry?.userId)).toBe(String(administrator?.id));
  });
});
