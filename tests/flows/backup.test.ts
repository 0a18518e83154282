import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { openBlobsForReading } from '@selvage/core/mailstore/blob-store';
import { inspectBlob } from '@selvage/core/mailstore/read-blob';
import { receive } from '@selvage/core/mailstore/test-messages';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { makeBackups, readOf } from '../support/backups.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { withLongUndo } from '../support/long-undo.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { testEnvironment } from '../support/test-app.ts';
import { startTestHost, startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

/** Those that this test meets. */
const programs = ['inbound', 'api', 'workers'] as const;
/** Sweeps and removals never rest, so that they meet the backup. */
const sweeping = { SWEEP_SECONDS: '0.1', BLOB_SWEEP_HOURS: '0.0003', BLOB_ORPHAN_HOURS: '0' };

interface Person {
  mailbox: Mailbox;
  client: ApiClient;
}

/** People of two companies, with mail, drafts with files, and mail that waits to be sent. */
async function fill(host: TestHost): Promise<Person[]> {
  const people: Person[] = [];
  for (let company = 0; company < 2; company += 1) {
    const tenant = await buildCompany(host.app);
    await prepareSigning(host, tenant);
    const mailbox = await buildMailbox(host.app, { tenant });
    const client = new ApiClient(host);
    await client.signIn(mailbox.user.email, mailbox.password);
    people.push({ mailbox, client });
    const taken = await withLongUndo(mailbox.user, () => send(client, 'later@remote.test', 'a draft'));
    await client.data('POST', `/mail/undo_send/${taken}`);
    await send(client, 'far@away.test', 'waits to be sent');
  }
  const mailboxes = people.map(({ mailbox }) => mailbox);
  for (let stored = 0; stored < 40; stored += 1) {
    await receive(systemContext(host.app), mailboxes, { subject: `kept ${stored}`, body: randomUUID() });
  }
  return people;
}

async function send(client: ApiClient, to: string, subject: string): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ 'recipient_emails_to[]': to, subject, body: '<p>x</p>' })) {
    form.append(name, value);
  }
  form.append('attachments', new Blob([randomBytes(2000)]), 'own.bin');
  return (await client.data<EmailDto>('POST', '/mail/send', form))._id;
}

/** Delivers mail by SMTP and deletes other mail, until it is told to stop. */
function beBusy(host: TestHost, people: readonly Person[]): () => Promise<{ delivered: number; deleted: number }> {
  const done = { delivered: 0, deleted: 0 };
  let isOver = false;
  const deliver = async () => {
    while (!isOver) {
      const peer = await SmtpPeer.open(host.ports.smtp);
      const to = people[done.delivered % people.length]?.mailbox.user.email ?? '';
      const message = plainMessage({ from: 'a@remote.test', to, subject: 'meanwhile', body: randomUUID() });
      expect(await peer.deliver('a@remote.test', to, message)).toMatch(/^250/);
      peer.close();
      done.delivered += 1;
    }
  };
  const discard = async ({ mailbox, client }: Person) => {
    while (!isOver) {
      const { entryIds } = await receive(systemContext(host.app), [mailbox], {
        subject: 'deleted',
        body: randomUUID(),
      });
      await client.data('PUT', '/mail/status_change', { email_id: entryIds, delete_status: true });
      done.deleted += 1;
    }
  };
  const working = Promise.all([deliver(), ...people.map(discard)]);
  return async () => {
    isOver = true;
    await working;
    return done;
  };
}

/** A message as its reader sees it, without what runs out or follows from the moment. */
async function read(client: ApiClient, id: string): Promise<unknown> {
  const { subject, body, attachments, sender_email: from } = await client.email(id);
  return { subject, body, from, files: attachments.map(({ original_name: name, size }) => ({ name, size })) };
}

/** All that a person reads in a folder and that was there before the backup, by its subject. */
async function readAll(client: ApiClient, filter: 'received_status' | 'send_status'): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (let page = 1; ; page += 1) {
    const path = `/mail/get/sent/by_user?${filter}=true&limit=100&page=${page}`;
    const rows = await client.data<EmailRowDto[]>('GET', path);
    for (const { _id, subject } of rows) {
      if (!/meanwhile|deleted/.test(subject)) found.set(subject, await read(client, _id));
    }
    if (rows.length < 100) return found;
  }
}

const readBoth = async (client: ApiClient) => [
  await readAll(client, 'received_status'),
  await readAll(client, 'send_status'),
];

describe('a host that is backed up at work and restored on an empty machine', () => {
  it('has every row of the snapshot with its bytes, reads the same, and sends nothing twice', {
    timeout: 480_000,
  }, async () => {
    const host = await startTestHost({ UNDO_MS: '1500', RETRY_SCHEDULE: '2,600,600', ...sweeping }, programs);
    host.dns.addRecords('away.test', 'SERVFAIL');
    const people = await fill(host);
    const waiting = `SELECT COUNT(*) AS count FROM deliveries WHERE direction = 'out' AND state = 'queued' AND attempts > 0`;
    await until('the mail to a domain that is down waits', async () => {
      const [row] = await readRows<{ count: number }>({ app: host.app }, waiting, []);
      return Number(row?.count) === people.length;
    });
    const before = await Promise.all(people.map(({ client }) => readBoth(client)));
    expect(before.map(([inbox, sent]) => [inbox?.size, sent?.size])).toEqual([
      [40, 1],
      [40, 1],
    ]);
    const drafts = await host.app.db.query('SELECT blob_key FROM draft_attachments ORDER BY id');

    const backups = await makeBackups();
    const source = { DATABASE_URL: host.app.config.databaseUrl, SELVAGE_DATA: host.dataDir };
    const stop = beBusy(host, people);
    for (let round = 0; round < 3; round += 1) {
      expect(await backups.backUp(source)).toMatchObject({ code: 0 });
    }
    const { delivered, deleted } = await stop();
    expect(Math.min(delivered, deleted)).toBeGreaterThan(3);
    await Promise.all(programs.map((name) => host.end(name, 'SIGTERM')));

    const target = await testEnvironment();
    const restored = await backups.restore(target);
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('every row has its bytes') });
    const { rows, blobs } = await backups.manifest((await backups.snapshots()).at(-1) ?? '');
    expect(restored.output).toContain(`companies 3, people 3, messages ${rows.messages}, blobs ${blobs.count}`);
    expect(restored.output).toContain('2 outgoing deliveries wait');

    const store = join(target['SELVAGE_DATA'] ?? '', 'blobs');
    const needed = readOf(target, 'SELECT blob_key FROM messages UNION SELECT blob_key FROM draft_attachments');
    const files = (await readdir(store, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name));
    expect(files.map((name) => name.slice(-64)).sort()).toEqual(needed.sort());
    for (const key of needed) expect(await inspectBlob(openBlobsForReading(store), key)).toBe('whole');
    expect(readOf(target, 'SELECT COUNT(*) FROM messages')).toEqual([String(rows.messages)]);

    const { DATABASE_URL, SELVAGE_DATA } = target;
    const second = await startWebHost({ DATABASE_URL, SELVAGE_DATA, RETRY_SCHEDULE: '2,600,600' });
    expect(await second.app.db.query('SELECT blob_key FROM draft_attachments ORDER BY id')).toEqual(drafts);
    for (const [index, { mailbox, client }] of people.entries()) {
      const again = new ApiClient(second);
      again.token = client.token;
      expect((await again.call('GET', '/mail/get/sent/by_user?received_status=true')).status).toBe(401);
      expect((await again.signIn(mailbox.user.email, mailbox.password))['success']).toBe(true);
      expect(await readBoth(again)).toEqual(before[index]);
    }

    // New mail goes, that of the snapshot waits for the operator
    second.dns.addRecords('away.test', { MX: [{ preference: 10, exchange: 'mx.remote.test' }] });
    const [first] = people;
    if (first === undefined) throw new Error('no people');
    const writer = new ApiClient(second);
    await writer.signIn(first.mailbox.user.email, first.mailbox.password);
    await send(writer, 'far@away.test', 'new');
    const subjects = () => second.remote.received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1]);
    await until('the new mail has left', () => subjects().includes('new'), 40_000);
    expect(subjects()).toEqual(['new']);
    expect(await backups.release(target)).toMatchObject({ code: 0 });
    await until('the mail of the snapshot has left', () => subjects().length === 3, 40_000);
    expect(subjects()).toEqual(['new', 'waits to be sent', 'waits to be sent']);
  });
});
