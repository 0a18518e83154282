import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { losingCommits } from '../../../tests/support/losing-commits.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { compareStore } from '../../../tests/support/stored-bytes.ts';
import { insertRows } from '../database/insert-rows.ts';
import { readRows } from '../database/run-sql.ts';
import { insertPeople } from '../directory/insert-people.ts';
import { conflict } from '../errors.ts';
import { parseMessage } from '../mail/parse-message.ts';
import { verifyStorage } from '../mailstore/check-storage.ts';
import { removeBlobIfUnreferenced } from '../mailstore/remove-blob.ts';
import { removeDraft } from '../mailstore/remove-draft.ts';
import { Address } from '../models/address.ts';
import { Delivery } from '../models/delivery.ts';
import { Draft } from '../models/draft.ts';
import { Folder } from '../models/folder.ts';
import { GroupMember } from '../models/group-member.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { accountForMail } from '../ledger/account-for-mail.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { mostScheduled } from './scheduled.ts';
import { consumeRecipients, recipientsPerHour } from './submission-checks.ts';
import { submitMessage } from './submit-message.ts';
import type { Submission } from './submission.ts';
import { undoSend } from './undo-send.ts';

function rawOf(from: string, lines: string[] = []): Buffer {
  const header = [`From: ${from}`, 'To: bob@remote.test', 'Subject: hello', ...lines];
  return Buffer.from(`${header.join('\r\n')}\r\n\r\ntext ${randomBytes(4).toString('hex')}\r\n`);
}

async function setUp(): Promise<{ app: App; ctx: Ctx; mailbox: Mailbox; base: Submission }> {
  const app = await testApp();
  const mailbox = await buildMailbox(app);
  const base: Submission = { user: mailbox.user, raw: rawOf(mailbox.user.email), door: 'web', bcc: [] };
  return { app, ctx: systemContext(app), mailbox, base };
}

describe('submitMessage', () => {
  it('commits the message, the copy in Sent, a delivery a recipient before it answers, and wakes a worker', async () => {
    const { app, mailbox, base } = await setUp();
    const woken: string[] = [];
    const relay = Object.assign(Object.create(app.relay) as App['relay'], {
      wake: ({ name }: { name: string }) => woken.push(name),
    });
    const sent = await submitMessage(systemContext({ ...app, relay }), { ...base, bcc: ['Eve@Secret.Test'] });
    const entry = await MailboxEntry.findByPk(sent.entryId);
    expect(entry).toMatchObject({ folder: 'sent', sendStatus: true, deliveryState: 'queued', undoUntil: null });
    expect(entry?.bccList).toEqual(['Eve@secret.test']);
    const total = await Folder.findOne({ where: { userId: mailbox.user.id, role: 'sent' } });
    expect(total?.total).toBe(1);
    const deliveries = await Delivery.findAll({ where: { mailId: sent.mailId }, order: ['recipient'] });
    expect(deliveries.map(({ recipient, state, attempts }) => [recipient, state, attempts])).toEqual([
      ['Eve@secret.test', 'queued', 0],
      ['bob@remote.test', 'queued', 0],
    ]);
    expect(woken).toEqual(['outbound.deliver']);
  });

  it('completes Date and Message-ID, and keeps blind recipients out of the message', async () => {
    const { app, ctx, mailbox, base } = await setUp();
    const raw = rawOf(mailbox.user.email, ['Bcc: eve@secret.test']);
    const sent = await submitMessage(ctx, { ...base, raw });
    const message = await Message.findByPk(sent.messageId);
    const parsed = await parseMessage(app.blobs.get(message?.blobKey ?? ''));
    expect(parsed.date).toBeInstanceOf(Date);
    expect(parsed.messageIdHeader).toContain(sent.mailId);
    const stored = await app.blobs.get(message?.blobKey ?? '').toArray();
    expect(Buffer.concat(stored).toString()).not.toContain('secret.test');
    expect(message?.traceHeaders).toMatch(new RegExp(`^Received: by host.test with HTTPS id ${sent.mailId};\r\n\t`));
    const recipients = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(recipients.map(({ recipient }) => recipient).toSorted()).toEqual(['bob@remote.test', 'eve@secret.test']);
  });

  it('holds the deliveries for the time of undo', async () => {
    const { ctx, base } = await setUp();
    const before = Date.now();
    const sent = await submitMessage(ctx, { ...base, holdMs: 3500 });
    expect(sent.undoUntil?.getTime()).toBeGreaterThanOrEqual(before + 3500);
    const [delivery] = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(delivery).toMatchObject({ state: 'held', reason: 'held_for_undo' });
    expect(delivery?.nextAttemptAt).toEqual(sent.undoUntil);
  });

  it('writes to each recipient once, whatever the case of its domain', async () => {
    const { ctx, base } = await setUp();
    const recipients = ['bob@remote.test', 'bob@REMOTE.test', 'Bob@remote.test'];
    const sent = await submitMessage(ctx, { ...base, recipients });
    const rows = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(rows.map(({ recipient }) => recipient).toSorted()).toEqual(['Bob@remote.test', 'bob@remote.test']);
  });

  it('refuses a foreign, missing or second author with 403 or 422 and stores nothing', async () => {
    const { ctx, base, mailbox } = await setUp();
    const own = mailbox.user.email;
    const send = (raw: Buffer) => submitMessage(ctx, { ...base, raw });
    await expect(send(rawOf('eve@other.test'))).rejects.toMatchObject({ status: 403, code: 'not_allowed_to_send_as' });
    await expect(send(rawOf(own, ['Sender: eve@other.test']))).rejects.toMatchObject({ status: 403 });
    await expect(send(rawOf(`${own}, eve@other.test`))).rejects.toMatchObject({ status: 422 });
    await expect(send(rawOf(`Ana <${own}> <eve@other.test>`))).rejects.toMatchObject({ status: 422 });
    await expect(send(rawOf(`<eve@other.test> Ana <${own}>`))).rejects.toMatchObject({ status: 422 });
    await expect(send(rawOf(own, ['From: eve@other.test']))).rejects.toMatchObject({ status: 422 });
    await expect(send(Buffer.from('Subject: none\r\n\r\n'))).rejects.toMatchObject({ status: 422 });
    expect(await MailboxEntry.count({ where: { userId: mailbox.user.id } })).toBe(0);
  });

  it.each(['web', 'submission'] as const)(
    'takes an own alias for the author at the %s door, and no other',
    async (door) => {
      const { app, ctx, base, mailbox } = await setUp();
      const own = await buildAlias(mailbox);
      const other = await buildMailbox(app, { tenant: mailbox });
      const alias = await buildAlias(other);
      const group = await buildGroup(mailbox, { members: [mailbox] });
      const send = (raw: Buffer) => submitMessage(ctx, { ...base, door, raw });
      const { messageId } = await send(rawOf(`Ana <${own.address}>`));
      expect(await Message.findByPk(messageId)).toMatchObject({
        fromAddress: own.address,
        envelopeFrom: mailbox.user.email,
      });
      const refused = { status: 403, code: 'not_allowed_to_send_as' };
      for (const address of [alias.address, other.user.email, group.address]) {
        await expect(send(rawOf(address))).rejects.toMatchObject(refused);
      }
      await own.destroy();
      await expect(send(rawOf(own.address))).rejects.toMatchObject(refused);
    },
  );

  it('names the recipient that is no address, and refuses no recipients and too many', async () => {
    const { app, ctx, base } = await setUp();
    const send = (recipients: string[]) => submitMessage(ctx, { ...base, recipients });
    await expect(send(['not an address'])).rejects.toMatchObject({
      fields: { recipients: expect.stringContaining('not an address') },
    });
    await expect(send([])).rejects.toMatchObject({ status: 422 });
    const many = Array.from({ length: app.config.maxRecipients + 1 }, (_, i) => `p${i}@remote.test`);
    await expect(send(many)).rejects.toMatchObject({ status: 422 });
  });

  it('refuses a message that groups would lead to too many people, and takes one with fewer', async () => {
    const { ctx, mailbox, base } = await setUp();
    const { companyId, roleId, passwordHash, fname } = mailbox.user;
    const at = (local: string) => `${local}@${mailbox.domain.domainName}`;
    const person = { companyId, roleId, passwordHash, fname };
    const people = Array.from({ length: 400 }, (_, n) => ({ ...person, email: at(`p${n}`) }));
    const ids = await inTransaction(ctx, (tx) => insertPeople(tx, people));
    const group = await buildGroup(mailbox, { local: 'all' });
    await insertRows(
      ctx,
      GroupMember,
      ids.map((userId) => ({ companyId, groupId: String(group.id), userId })),
    );
    const send = (recipients: string[]) => submitMessage(ctx, { ...base, recipients });
    const problem = /^The groups among the recipients have more than 1000 people together/;
    const refused = { status: 422, fields: { recipients: expect.stringMatching(problem) } };
    await expect(send([at('all'), at('All+1'), at('all+2')])).rejects.toMatchObject(refused);
    const few = [at('all+1'), at('all+2'), 'bob@remote.test', at('p1')];
    const { mailId } = await send(few);
    expect(await Delivery.count({ where: { mailId } })).toBe(few.length);
    // Of names that the domain does not have, too
    const { id: catchAllId } = await Address.findOne({ where: { address: group.address }, rejectOnEmpty: true });
    await mailbox.domain.update({ catchAllId: String(catchAllId) });
    await expect(send([at('all'), at('any'), at('other')])).rejects.toMatchObject(refused);
    await User.update({ activeStatus: false }, { where: { id: ids.slice(0, 100) } });
    await send([at('all'), at('any'), at('other')]);
  });

  it('refuses a message over the limit with 413', async () => {
    const { app, ctx, base } = await setUp();
    const raw = Buffer.concat([base.raw, Buffer.alloc(app.config.maxMessageBytes, 0x61)]);
    await expect(submitMessage(ctx, { ...base, raw })).rejects.toMatchObject({ status: 413 });
  });

  it('refuses a message whose copy has no room in Sent, and leaves nothing of it', async () => {
    const { app, ctx, mailbox, base } = await setUp();
    await mailbox.user.update({ storageLimit: '20' });
    const { extra } = await compareStore(app);
    const error = {
      code: 'larger_than_mailbox',
      status: 422,
      publicText: expect.stringContaining('administrator') as string,
    };
    await expect(submitMessage(ctx, base)).rejects.toMatchObject(error);
    expect((await compareStore(app)).extra).toEqual(extra);
    expect(await MailboxEntry.count({ where: { userId: mailbox.user.id } })).toBe(0);
    await mailbox.user.update({ storageLimit: null });
    await submitMessage(ctx, base);
    expect(await verifyStorage(ctx, String(mailbox.user.id))).toBe(true);
  });

  it('leaves no bytes of a message that was certainly not committed', async () => {
    const { app, ctx, base, mailbox } = await setUp();
    const { extra } = await compareStore(app);
    const alongside = () => Promise.reject(conflict('This draft was changed meanwhile.', 'changed_meanwhile'));
    await expect(submitMessage(ctx, { ...base, alongside })).rejects.toMatchObject({ code: 'changed_meanwhile' });
    const sendAt = new Date(Date.now() + 3_600_000);
    const deadlock = Object.assign(new Error('Deadlock found'), { sqlState: '40001', errno: 1213 });
    const submission = { ...base, sendAt, alongside: () => Promise.reject(deadlock) };
    await expect(submitMessage(ctx, submission)).rejects.toBe(deadlock);
    expect((await compareStore(app)).extra).toEqual(extra);
    expect(await MailboxEntry.count({ where: { userId: mailbox.user.id } })).toBe(0);
  });

  it('keeps the bytes of a message while it may still be committed', async () => {
    const { app, base } = await setUp();
    const { extra } = await compareStore(app);
    const lost = Object.assign(new Error('Connection lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
    let asked = 0;
    const db = Object.assign(Object.create(app.db) as App['db'], {
      transaction: (...args: Parameters<App['db']['transaction']>) =>
        asked++ === 0 ? Promise.reject(lost) : app.db.transaction(...args),
    });
    await expect(submitMessage(systemContext({ ...app, db }), base)).rejects.toBe(lost);
    const left = (await compareStore(app)).extra.filter((key) => !extra.includes(key));
    expect(left).toHaveLength(1);
    for (const key of left) expect(await removeBlobIfUnreferenced(systemContext(app), key)).toBe('removed');
  });

  it('needs no more room for a message than is left once its draft is gone', async () => {
    const { ctx, mailbox, base } = await setUp();
    const held = await submitMessage(ctx, { ...base, holdMs: 60_000 });
    const userId = String(mailbox.user.id);
    const draftId = await undoSend(ctx, { userId, entryId: held.entryId });
    const { size } = await Message.findByPk(held.messageId, { rejectOnEmpty: true });
    const draft = await Draft.findByPk(draftId, { rejectOnEmpty: true });
    await mailbox.user.update({ storageLimit: String(size + 10) });
    await submitMessage(ctx, { ...base, alongside: (tx) => removeDraft(tx, draft) });
    expect(await verifyStorage(ctx, userId)).toBe(true);
  });

  it('shares commits with messages of other people, and fails alone without room', async () => {
    const { app, ctx, mailbox: ana, base } = await setUp();
    const [bea, cy] = [await buildMailbox(app), await buildMailbox(app)];
    await bea.user.update({ storageLimit: '20' });
    await cy.user.update({ storageLimit: '100000' });
    const of = ({ user }: Mailbox, number: number) => ({
      ...base,
      user,
      raw: rawOf(user.email),
      recipients: [`${user.id}-${number}@remote.test`, 'bob@remote.test'],
    });
    const { transaction } = app.db;
    let commits = 0;
    app.db.transaction = ((...given: Parameters<typeof transaction>) => {
      commits += 1;
      return transaction.apply(app.db, given);
    }) as typeof transaction;
    const submitAll = async (senders: Mailbox[]) => {
      const submissions = senders.map(of);
      return { submissions, answers: await Promise.allSettled(submissions.map((one) => submitMessage(ctx, one))) };
    };
    await submitAll(Array.from({ length: 24 }, () => ana));
    expect(commits).toBeLessThan(24);
    const { submissions, answers } = await submitAll([ana, cy, bea, ana, cy, ana, ana, cy, ana, ana, cy, ana]);
    app.db.transaction = transaction;
    expect(answers.map(({ status }) => status)).toEqual(
      submissions.map(({ user }) => (user === bea.user ? 'rejected' : 'fulfilled')),
    );
    for (const [index, answer] of answers.entries()) {
      const { user, recipients = [] } = submissions[index] as Submission;
      if (answer.status === 'rejected') {
        expect(answer.reason).toMatchObject({ code: 'larger_than_mailbox' });
        expect(await MailboxEntry.count({ where: { userId: user.id } })).toBe(0);
        continue;
      }
      const { entryId, messageId, mailId } = answer.value;
      expect(await MailboxEntry.findByPk(entryId)).toMatchObject({ userId: user.id, messageId, folder: 'sent' });
      expect(await Message.findByPk(messageId)).toMatchObject({ mailId, envelopeFrom: user.email });
      const deliveries = await Delivery.findAll({ where: { mailId }, order: ['id'] });
      expect(deliveries.map(({ recipient, entryId: own }) => [recipient, own])).toEqual(
        recipients.map((recipient) => [recipient, entryId]),
      );
    }
    for (const { user } of [ana, bea, cy]) expect(await verifyStorage(ctx, String(user.id))).toBe(true);
    const written = await readRows(
      ctx,
      "SELECT user_id AS id, times FROM correspondents WHERE address_key = 'bob@remote.test' AND user_id IN (?) ORDER BY user_id",
      [[ana.user.id, bea.user.id, cy.user.id]],
    );
    expect(written).toMatchObject([{ times: 24 + 7 }, { times: 4 }]);
  });

  it('knows a message again that was committed although the answer of the database was lost', async () => {
    const { app, mailbox, base } = await setUp();
    const { lossy: ctx, lose } = losingCommits(app);
    lose(1);
    const alone = await submitMessage(ctx, base);
    expect(await Delivery.count({ where: { mailId: alone.mailId } })).toBe(1);
    const heldUp = submitMessage(ctx, { ...base, raw: rawOf(mailbox.user.email) });
    lose(1);
    const others = Array.from({ length: 5 }, () => submitMessage(ctx, { ...base, raw: rawOf(mailbox.user.email) }));
    const sent = [alone, await heldUp, ...(await Promise.all(others))];
    expect(new Set(sent.map(({ entryId }) => entryId)).size).toBe(7);
    expect(await MailboxEntry.count({ where: { userId: mailbox.user.id, folder: 'sent' } })).toBe(7);
    expect(await Delivery.count({ where: { mailId: sent.map(({ mailId }) => mailId) } })).toBe(7);
  });

  it('knows the last messages that a person may schedule again, and refuses the next one', async () => {
    const { app, mailbox, base } = await setUp();
    const own = { ...base, recipients: ['bob@remote.test'], sendAt: new Date(Date.now() + 3_600_000) };
    const schedule = (ctx: Ctx) => submitMessage(ctx, { ...own, raw: rawOf(mailbox.user.email) });
    const [ctx, { lossy, lose }] = [systemContext(app), losingCommits(app)];
    await Promise.all(Array.from({ length: mostScheduled - 6 }, () => schedule(ctx)));
    const first = schedule(lossy);
    const others = Array.from({ length: 5 }, () => schedule(lossy));
    lose(2);
    const sent = await Promise.all([first, ...others]);
    expect(new Set(sent.map(({ entryId }) => entryId)).size).toBe(6);
    expect(sent.every(({ isScheduled }) => isScheduled)).toBe(true);
    expect(await Delivery.count({ where: { mailId: sent.map(({ mailId }) => mailId) } })).toBe(6);
    await expect(schedule(ctx)).rejects.toMatchObject({ status: 409, code: 'too_many_scheduled' });
    const waiting = { userId: mailbox.user.id, folder: 'scheduled' as const };
    expect(await MailboxEntry.count({ where: waiting })).toBe(mostScheduled);
  });

  it('refuses a person whose mailbox is not active any more', async () => {
    const { ctx, base, mailbox } = await setUp();
    await User.update({ activeStatus: false }, { where: { id: mailbox.user.id } });
    await expect(submitMessage(ctx, base)).rejects.toMatchObject({ status: 403, code: 'mailbox_inactive' });
  });

  it('stops a person who writes to more people in an hour than the limit allows', async () => {
    const { ctx, base } = await setUp();
    const hundred = Array.from({ length: 100 }, (_, i) => `p${i}@remote.test`);
    for (let i = 0; i < recipientsPerHour / 100; i += 1) await submitMessage(ctx, { ...base, recipients: hundred });
    await expect(submitMessage(ctx, base)).rejects.toMatchObject({ status: 429 });
  });

  it('lets one message go to as many people as MAX_RECIPIENTS allows', async () => {
    const { app, base } = await setUp();
    const maxRecipients = recipientsPerHour + 100;
    const ctx = systemContext({ ...app, config: { ...app.config, maxRecipients } });
    const recipients = Array.from({ length: maxRecipients }, (_, i) => `p${i}@remote.test`);
    const { mailId } = await submitMessage(ctx, { ...base, recipients });
    expect(await Delivery.count({ where: { mailId } })).toBe(maxRecipients);
    await expect(submitMessage(ctx, base)).rejects.toMatchObject({ status: 429 });
  });

  it('counts no recipients of a message that is refused for being to too many', async () => {
    const { ctx, base, mailbox } = await setUp();
    await consumeRecipients(ctx, mailbox.user, recipientsPerHour - 1, 'send');
    const two = { ...base, recipients: ['p1@remote.test', 'p2@remote.test'] };
    await expect(submitMessage(ctx, two)).rejects.toMatchObject({ status: 429 });
    expect(await submitMessage(ctx, { ...base, recipients: ['p1@remote.test'] })).toBeDefined();
  });

  it.each([
    ['one to leave now', {}],
    ['one that is scheduled', { sendAt: new Date(Date.now() + 3_600_000) }],
  ])('counts no recipients of a message that was certainly not committed: %s', async (_why, when) => {
    const { app, base } = await setUp();
    const config = { ...app.config, maxRecipients: recipientsPerHour };
    const recipients = Array.from({ length: recipientsPerHour }, (_, i) => `p${i}@remote.test`);
    const many = { ...base, ...when, recipients };
    const alongside = () => Promise.reject(conflict('This draft was changed meanwhile.', 'changed_meanwhile'));
    const ctx = systemContext({ ...app, config });
    await expect(submitMessage(ctx, { ...many, alongside })).rejects.toMatchObject({ code: 'changed_meanwhile' });
    const blobs = blobStoreWith(app.blobs, { put: () => Promise.reject(new Error('disk full')) });
    const full = systemContext({ ...app, config, blobs });
    await expect(submitMessage(full, many)).rejects.toThrow('disk full');
    const { mailId } = await submitMessage(ctx, many);
    expect(await Delivery.count({ where: { mailId } })).toBe(recipientsPerHour);
    await expect(submitMessage(ctx, { ...base, ...when })).rejects.toMatchObject({ status: 429 });
  });

  it('accounts for every recipient of a company', async () => {
    const { ctx, base, mailbox } = await setUp();
    await submitMessage(ctx, { ...base, recipients: ['a@remote.test', 'b@remote.test'] });
    await submitMessage(ctx, { ...base, holdMs: 3500 });
    const { out } = await accountForMail(ctx, { kind: 'company', companyId: String(mailbox.company.id) });
    expect(out).toMatchObject({ accepted: 3, queued: 2, held: 1, stored: 0, relayed: 0, bounced: 0, isBalanced: true });
    const day = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    expect((await checkLedger(ctx, day)).problems).toEqual([]);
  });
});
