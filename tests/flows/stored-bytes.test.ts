import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EmailDto } from '@selvage/core/contracts/email';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { removeDraft } from '@selvage/core/mailstore/remove-draft';
import { inboundOf, rawMessage, receive } from '@selvage/core/mailstore/test-messages';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { childrenOf } from '../support/children-of.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { withLongUndo } from '../support/long-undo.ts';
import { prepareSigning } from '../support/signing.ts';
import { compareStore } from '../support/stored-bytes.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const blue = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const red = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const same = { extra: [], missing: [] };
let host: TestHost;
let tenant: Tenant;
let ana: Person;
let ben: Person;

interface Person {
  mailbox: Mailbox;
  client: ApiClient;
}

beforeAll(async () => {
  host = await startWebHost({ UNDO_MS: '2500', DELAY_REPORT_AFTER: '600000' });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
  [ana, ben] = await Promise.all([person(), person()]);
});

async function person(): Promise<Person> {
  const mailbox = await buildMailbox(host.app, { tenant });
  const client = new ApiClient(host);
  await client.signIn(mailbox.user.email, mailbox.password);
  return { mailbox, client };
}

/** Sends a message with a file of its own; answers the sender's copy. */
async function send({ client }: Person, to: string[], fields: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  for (const address of to) form.append('recipient_emails_to[]', address);
  for (const [name, value] of Object.entries({ subject: randomUUID(), body: '<p>x</p>', ...fields })) {
    form.append(name, value);
  }
  form.append('attachments', new Blob([randomBytes(2000)]), 'own.bin');
  return (await client.data<EmailDto>('POST', '/mail/send', form))._id;
}

/** Sends a message and takes it back; answers the draft that it became. */
async function takeBack(person: Person, to: string[]): Promise<string> {
  const entryId = await withLongUndo(person.mailbox.user, () => send(person, to));
  return (await person.client.data<{ draft_id: string }>('POST', `/mail/undo_send/${entryId}`)).draft_id;
}

async function remove({ client }: Person, entryIds: string[]): Promise<void> {
  await client.data('PUT', '/mail/status_change', { email_id: entryIds, delete_status: true });
}

async function removeAll(one: Person, messageIds: string[]): Promise<void> {
  const userId = String(one.mailbox.user.id);
  const entries = await MailboxEntry.findAll({ where: { userId, messageId: messageIds } });
  await remove(
    one,
    entries.map(({ id }) => String(id)),
  );
}

async function wear({ client, mailbox }: Person, picture: string | null): Promise<void> {
  const form = new FormData();
  if (picture === null) form.append('avatar', '');
  else form.append('avatar', new Blob([Buffer.from(picture, 'base64')]), 'me.png');
  await client.data('PUT', `/user/update/${mailbox.user.id}`, form);
}

/** Waits until the store holds what rows refer to, and these messages are gone. */
async function untilClean(gone: string[], timeoutMs = 30_000): Promise<void> {
  const look = async () => ({ ...(await compareStore(host.app)), rows: await Message.count({ where: { id: gone } }) });
  let last: unknown;
  await until(
    () => `the store is what the rows say: ${JSON.stringify(last)}`,
    async () => {
      const found = await look();
      last = found;
      return found.extra.length + found.missing.length + found.rows === 0;
    },
    timeoutMs,
  );
}

async function messageOf(entryId: string): Promise<string> {
  return String((await MailboxEntry.findByPk(entryId, { rejectOnEmpty: true })).messageId);
}

describe('the store', () => {
  it('holds what the rows refer to, however messages, drafts and pictures go', { timeout: 300_000 }, async () => {
    const ctx = systemContext(host.app);
    const both = [ana.mailbox, ben.mailbox];
    const shared = await receive(ctx, both);
    const kept = await receive(ctx, both);
    const raw = rawMessage();
    const twins = [
      await storeInbound(ctx, inboundOf(raw, [ana.mailbox])),
      await storeInbound(ctx, inboundOf(raw, [ben.mailbox])),
    ];
    const [benAddress, far] = [ben.mailbox.user.email, 'far@remote.test'];

    // Sent again from a draft without its file, discarded, and kept as a draft
    const again = await takeBack(ana, [far]);
    const file = await DraftAttachment.findOne({ where: { draftId: again }, rejectOnEmpty: true });
    const resent = await send(ana, [far], { draft_id: again, 'without_attachments[]': String(file.id) });
    const discarded = await Draft.findByPk(await takeBack(ana, [far]), { rejectOnEmpty: true });
    await inTransaction(ctx, (tx) => removeDraft(tx, discarded));
    const keptDraft = await takeBack(ana, [far]);

    // Deleted by their sender before they leave: to two, to one, and to one that has no server
    const sent = [await send(ana, [benAddress, far]), await send(ana, [far]), await send(ana, ['x@nowhere.invalid'])];
    const sentIds = await Promise.all(sent.map(messageOf));
    await remove(ana, sent);

    await wear(ana, blue);
    await wear(ben, blue);
    await wear(ana, red);
    await wear(ben, null);

    await removeAll(ana, [shared.messageId, kept.messageId, twins[0]?.messageId ?? '']);
    await removeAll(ben, [shared.messageId]);
    const subject = (await Message.findByPk(sentIds[0] ?? '', { rejectOnEmpty: true })).subject;
    await ben.client.awaitMessage(subject);
    await removeAll(ben, sentIds);
    const [report] = await until(
      'the report of the message that bounced',
      async () => {
        const rows = await ana.client.folder();
        return rows.length > 0 && rows;
      },
      60_000,
    );
    await remove(ana, [report?._id ?? '']);

    await untilClean([shared.messageId, twins[0]?.messageId ?? '', ...sentIds], 60_000);
    const left = [kept.messageId, twins[1]?.messageId ?? '', await messageOf(resent)];
    expect(await Message.count({ where: { id: left } })).toBe(3);
    expect(await DraftAttachment.count({ where: { draftId: keptDraft } })).toBe(1);
    expect((await host.app.db.query('SELECT 1 FROM users WHERE avatar IS NOT NULL'))[0]).toHaveLength(1);
  });

  /** Stands for the time that claims hold. A statement of the dead may still be running. */
  async function endClaimsOfTheDead(): Promise<void> {
    const running = `SELECT 1 FROM information_schema.processlist
      WHERE db = DATABASE() AND command = 'Query' AND id <> CONNECTION_ID()`;
    await until('no statement runs', async () => (await host.app.db.query(running))[0].length === 0);
    await host.app.db.query('UPDATE sweep_steps SET lease_until = NULL');
  }

  it('does so after workers were killed within removals and sweeps', { timeout: 480_000 }, async () => {
    const ctx = systemContext(host.app);
    const people = [ana, ben];
    const sweeping = {
      PROCESSES_WORKERS: '2',
      SWEEP_SECONDS: '0.1',
      BLOB_SWEEP_HOURS: '0.0003',
      BLOB_ORPHAN_HOURS: '0',
    };
    const gone: string[] = [];
    const kept: string[] = [];
    await host.end('workers', 'SIGTERM');
    for (let round = 0; round < 6; round += 1) {
      await host.start('workers', sweeping);
      const children = childrenOf(host.pid('workers'));
      const stored = Promise.all(Array.from({ length: 30 }, () => receive(ctx, [ana.mailbox, ben.mailbox])));
      await Promise.all(Array.from({ length: 100 }, () => host.app.blobs.put(randomBytes(300))));
      const [toRemove, toKeep] = Map.groupBy(await stored, (_one, index) => index % 3 > 0).values();
      const ids = (toRemove ?? []).map(({ messageId }) => messageId);
      gone.push(...ids);
      kept.push(...(toKeep ?? []).map(({ messageId }) => messageId));
      const removing = Promise.all(people.map((one) => removeAll(one, ids)));
      await wait(Math.random() * 1500);
      if (round % 2 === 0) for (const pid of children.slice(0, 1)) process.kill(pid, 'SIGKILL');
      await wait(Math.random() * 300);
      await host.end('workers', 'SIGKILL');
      await removing;
      await endClaimsOfTheDead();
    }
    await host.start('workers', sweeping);
    await untilClean(gone, 180_000);
    expect(await compareStore(host.app)).toEqual(same);
    expect(await Message.count({ where: { id: kept } })).toBe(kept.length);
    expect(kept.length).toBeGreaterThan(0);
  });
});
