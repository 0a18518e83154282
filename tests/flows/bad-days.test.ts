import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

/** Offers messages over one connection after another until told to stop; gives the subjects that were answered 250. */
function pour(name: string): { stop(): Promise<string[]>; accepted: string[] } {
  const accepted: string[] = [];
  let isOver = false;
  const run = async (lane: number): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const subject = `${name} ${lane}-${number}`;
      const peer = await SmtpPeer.open(host.ports.smtp);
      const message = plainMessage({ from: 'load@remote.test', to: ana.user.email, subject });
      if ((await peer.deliver('load@remote.test', ana.user.email, message)).startsWith('250')) accepted.push(subject);
      peer.close();
    }
  };
  const lanes = [run(1), run(2), run(3)];
  return {
    accepted,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
      return accepted;
    },
  };
}

/** Subjects of all messages of the test's mailbox. */
async function storedSubjects(): Promise<string[]> {
  const rows = await host.app.db.query(
    'SELECT m.subject FROM mailbox_entries e JOIN messages m ON m.id = e.message_id WHERE e.user_id = :userId AND e.received_status',
    { replacements: { userId: String(ana.user.id) } },
  );
  return (rows[0] as { subject: string }[]).map((row) => row.subject);
}

function form(to: string, subject: string): FormData {
  const data = new FormData();
  data.append('recipient_emails_to[]', to);
  data.append('subject', subject);
  data.append('body', '<p>x</p>');
  return data;
}

describe('bad days', () => {
  it('finds every message answered 250 again, once, after the inbound door was killed under load', async () => {
    const load = pour('killed');
    await until('load flows', () => load.accepted.length > 20);
    await host.end('inbound', 'SIGKILL');
    await host.start('inbound');
    const before = load.accepted.length;
    await until('load flows again', () => load.accepted.length > before + 20, 60_000);
    const accepted = await load.stop();
    const stored = (await storedSubjects()).filter((subject) => subject.startsWith('killed '));
    expect(accepted.filter((subject) => !stored.includes(subject))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
  });

  it('sends every answered message though the worker was killed and Redis was wiped', async () => {
    const subjects = Array.from({ length: 20 }, (_, index) => `outgoing ${index}`);
    await Promise.all(subjects.map((subject) => client.data('POST', '/mail/send', form('wiped@remote.test', subject))));
    await host.app.redis.flushdb();
    await host.end('workers', 'SIGKILL');
    await host.app.redis.flushdb();
    await host.start('workers');
    await until(
      'all outgoing messages arrive',
      () =>
        subjects.every((subject) => host.remote.received.some((one) => one.raw.includes(`Subject: ${subject}\r\n`))),
      60_000,
    );
  });

  it('drains on SIGTERM: what was under way is answered', async () => {
    for (const name of ['api', 'submission', 'inbound', 'workers'] as ProgramName[]) {
      await host.end(name, 'SIGTERM');
      await host.start(name);
    }
    const peer = await SmtpPeer.open(host.ports.smtp);
    const message = plainMessage({ from: 'load@remote.test', to: ana.user.email, subject: 'after the drain' });
    expect(await peer.deliver('load@remote.test', ana.user.email, message)).toMatch(/^250/);
    peer.close();
  });

  it('keeps the totals that a count would give', async () => {
    const answer = await client.call<unknown[]>('GET', '/mail/get/sent/by_user?received_status=true&limit=1');
    const counted = await MailboxEntry.count({ where: { userId: String(ana.user.id), folder: 'inbox' } });
    expect(answer.body.pagination?.totalData).toBe(counted);
  });
});
