import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { readRows } from '../database/run-sql.ts';
import { damagedBlobs } from '../metrics.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { noteRules } from '../mailstore/note-rules.ts';
import { readBlob } from '../mailstore/read-blob.ts';
import { snooze } from '../mailstore/snooze.ts';
import type { StoreInput } from '../mailstore/store-batch.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { inboundOf } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { Folder } from '../models/folder.ts';
import { MailFilter } from '../models/mail-filter.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { Vacation } from '../models/vacation.ts';
import { replyForReader } from './reply-on-vacation.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

async function away(changes: Partial<Vacation['dataValues']> = {}): Promise<Mailbox> {
  const mailbox = await buildMailbox(app);
  const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
  const facts = {
    isOn: true,
    subject: 'Away',
    body: 'Back on Monday.',
    firstDay: null,
    lastDay: null,
    timeZone: 'UTC',
  };
  await Vacation.create({ ...owner, ...facts, ...changes });
  await mailbox.user.update({ hasVacation: true });
  return mailbox;
}

interface Incoming extends Partial<StoreInput> {
  to?: string;
  from?: string;
  /** Further header lines. */
  lines?: string[];
}

/** A message comes in; answers its entry. */
async function receive(mailbox: Mailbox, { to, from = 'bea@sender.test', lines = [], ...input }: Incoming = {}) {
  const header = [
    `From: ${from}`,
    `To: ${to ?? mailbox.user.email}`,
    'Subject: Bobbins',
    'Message-ID: <one@sender.test>',
  ];
  const raw = Buffer.from([...header, ...lines, '', 'Text'].join('\r\n'));
  const { entryIds } = await storeInbound(ctx, { ...inboundOf(raw, [mailbox]), envelopeFrom: from, ...input });
  return entryIds[0] ?? '';
}

const jobsFor = async (entryId: string) => await OutboxRow.count({ where: { dedupeId: `vacation-${entryId}` } });
const repliesTo = async (address: string) =>
  await Delivery.findAll({ where: { recipient: address, direction: 'out' } });

async function damagedReads(): Promise<number> {
  const { values } = await damagedBlobs.get();
  return values.find(({ labels }) => labels.problem === 'read')?.value ?? 0;
}

describe('the answer for a person who is away', () => {
  it('goes to the return path once, marked as RFC 3834 asks', async () => {
    const mailbox = await away();
    const from = 'first@sender.test';
    const entryId = await receive(mailbox, { from, lines: ['References: <zero@sender.test>'] });
    expect(await jobsFor(entryId)).toBe(1);
    expect(await replyForReader(ctx, entryId)).toBe('replied');
    const [row] = await repliesTo(from);
    expect(row).toMatchObject({ state: 'queued', envelopeFrom: '', companyId: String(mailbox.company.id) });
    const message = await Message.findByPk(row?.messageId ?? '', { rejectOnEmpty: true });
    const text = (await readBlob(app.blobs, message.blobKey)).toString();
    expect(text).toContain('Auto-Submitted: auto-replied\r\n');
    expect(text).toContain('In-Reply-To: <one@sender.test>\r\n');
    expect(text).toMatch(/References: <zero@sender.test>\s+<one@sender.test>/);
    expect(text).toMatch(new RegExp(`From: .*${mailbox.user.email}`));
    expect(text).toContain('Subject: Away\r\n');
    expect(text).toContain('Back on Monday.');
    expect(await replyForReader(ctx, await receive(mailbox, { from, lines: ['X: 2'] }))).toBe('told_before');
    const later = new Date(Date.now() + 7 * 86_400_000 + 1000);
    expect(await replyForReader(ctx, entryId, later)).toBe('replied');
  });

  it('goes to the return path in the letters in which it was written', async () => {
    const from = 'SRS0=aB1=X=sender.test=Bea@forwarder.test';
    expect(await replyForReader(ctx, await receive(await away(), { from }))).toBe('replied');
    expect(await Delivery.findAll({ where: { recipient: from } })).toMatchObject([{ recipient: from }]);
  });

  it('knows a sender again whose return path has a tag that changes daily', async () => {
    const mailbox = await away();
    const from = 'tagged@sender.test';
    const first = await receive(mailbox, { from, envelopeFrom: `prvs=1234abcdef=${from}` });
    expect(await replyForReader(ctx, first)).toBe('replied');
    expect(await repliesTo(`prvs=1234abcdef=${from}`)).toHaveLength(1);
    const next = await receive(mailbox, { from, envelopeFrom: `prvs=2345abcdef=${from}`, lines: ['X: 2'] });
    expect(await replyForReader(ctx, next)).toBe('told_before');
  });

  it('is given once to a sender whose messages come at the same time', async () => {
    const mailbox = await away();
    const from = 'many@sender.test';
    const ids = await Promise.all(['1', '2', '3', '4', '5'].map((n) => receive(mailbox, { from, lines: [`X: ${n}`] })));
    const outcomes = await Promise.all(ids.map((id) => replyForReader(ctx, id)));
    expect(outcomes.toSorted()).toEqual(['replied', ...Array.from({ length: 4 }, () => 'told_before')]);
    expect(await repliesTo(from)).toHaveLength(1);
  });

  it('names the subject of the message where the person has none', async () => {
    const mailbox = await away({ subject: '' });
    await replyForReader(ctx, await receive(mailbox, { from: 'subject@sender.test' }));
    const [row] = await repliesTo('subject@sender.test');
    expect(await Message.findByPk(row?.messageId ?? '')).toMatchObject({ subject: 'Auto: Bobbins' });
  });

  it('is given for an alias of the person', async () => {
    const mailbox = await away();
    const { address } = await buildAlias(mailbox);
    expect(await replyForReader(ctx, await receive(mailbox, { from: 'alias@sender.test', to: address }))).toBe(
      'replied',
    );
  });

  it.each([
    ['an alias', async (mailbox: Mailbox) => (await buildAlias(mailbox)).address, (to: string) => to],
    [
      'an address with a tag',
      ({ user }: Mailbox) => Promise.resolve(user.email.replace('@', '+News@')),
      (to: string) => to.replace('+News', ''),
    ],
  ])('comes from %s that the message names, and from no other address', async (_what, addressOf, from) => {
    const mailbox = await away();
    const to = await addressOf(mailbox);
    const sender = `of-${to.replaceAll(/[@+]/g, '-').toLowerCase()}@sender.test`;
    expect(await replyForReader(ctx, await receive(mailbox, { from: sender, to }))).toBe('replied');
    const [row] = await repliesTo(sender);
    expect(await Message.findByPk(row?.messageId ?? '')).toMatchObject({ fromAddress: from(to) });
  });

  it('is given to mail that a filter has put into a folder of one’s own', async () => {
    const mailbox = await away();
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const names = { name: 'Customers', nameKey: 'customers' };
    const folder = await Folder.create({ ...owner, role: null, ...names, uidValidity: 1 });
    const actions = { folder: String(folder.id) };
    await MailFilter.create({ ...owner, place: 1, name: 'Customers', conditions: { from: 'filed@' }, actions });
    await inTransaction(ctx, (tx) => noteRules(tx, owner.userId));
    const entryId = await receive(mailbox, { from: 'filed@sender.test' });
    expect(await MailboxEntry.findByPk(entryId)).toMatchObject({ folder: 'own' });
    expect(await jobsFor(entryId)).toBe(1);
    expect(await replyForReader(ctx, entryId)).toBe('replied');
  });

  it('is given to mail that was snoozed meanwhile, and not to what was thrown away', async () => {
    const mailbox = await away();
    const userId = String(mailbox.user.id);
    const snoozed = await receive(mailbox, { from: 'snoozed@sender.test' });
    await snooze(ctx, { userId, entryIds: [snoozed], until: new Date(Date.now() + 3_600_000) });
    expect(await replyForReader(ctx, snoozed)).toBe('replied');
    const thrown = await receive(mailbox, { from: 'thrown@sender.test' });
    await changeStatus(ctx, { userId, entryIds: [thrown], flags: { trashStatus: true } });
    expect(await replyForReader(ctx, thrown)).toBe('not_answerable');
  });

  it.each<[string, Incoming]>([
    ['a list', { lines: ['List-Id: <a.b.test>'] }],
    ['bulk mail', { lines: ['Precedence: bulk'] }],
    ['another answer', { lines: ['Auto-Submitted: auto-replied'] }],
    ['a robot', { from: 'noreply@sender.test' }],
    ['a robot behind a person’s return path', { from: 'no-reply@sender.test', envelopeFrom: 'bea@sender.test' }],
    ['a bounce', { envelopeFrom: '' }],
    ['a blind copy', { to: 'others@sender.test' }],
    ['a return path that is none', { envelopeFrom: 'not an address' }],
    [
      'a forged sender',
      {
        authentication: {
          spf: { result: 'fail', domain: 'sender.test' },
          dkim: [],
          dmarc: { result: 'none', policy: null, domain: null },
          arc: null,
          header: '',
          temporaryFailure: false,
        },
      },
    ],
    ['junk', { isJunk: true }],
  ])('is not given to %s', async (_what, incoming) => {
    expect(await replyForReader(ctx, await receive(await away(), incoming))).toBe('not_answerable');
  });

  it('is not given to oneself', async () => {
    const mailbox = await away();
    expect(await replyForReader(ctx, await receive(mailbox, { from: mailbox.user.email }))).toBe('not_answerable');
  });

  it('asks for no job where there is nothing to answer', async () => {
    const mailbox = await away();
    for (const incoming of [{ envelopeFrom: '' }, { isJunk: true }, { isOwn: true }]) {
      expect(await jobsFor(await receive(mailbox, incoming))).toBe(0);
    }
    expect(await jobsFor(await receive(await buildMailbox(app)))).toBe(0);
  });

  it('is given between the first and the last day alone, and not when it is off', async () => {
    for (const changes of [{ isOn: false }, { firstDay: '2999-01-01' }, { lastDay: '2020-01-01' }]) {
      expect(await replyForReader(ctx, await receive(await away(changes)))).toBe('not_away');
    }
  });

  it('is given to people they know alone, where the person wants that', async () => {
    const mailbox = await away({ onlyKnown: true });
    const colleague = await buildMailbox(app, { tenant: mailbox });
    expect(await replyForReader(ctx, await receive(mailbox, { from: 'stranger@sender.test' }))).toBe('not_known');
    expect(await repliesTo('stranger@sender.test')).toEqual([]);
    expect(await replyForReader(ctx, await receive(mailbox, { from: colleague.user.email }))).toBe('replied');
  });

  it('is given to a bounded number of senders a day', async () => {
    const mailbox = await away();
    await app.redis.set(`rate:vacation:${mailbox.user.id}`, '200', 'EX', 60);
    expect(await replyForReader(ctx, await receive(mailbox, { from: 'late@sender.test' }))).toBe('rate_limited');
  });

  it('stays unsaid for a header of a megabyte', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `X-${index}: ${'x'.repeat(900)}`);
    expect(await replyForReader(ctx, await receive(await away(), { lines }))).toBe('not_answerable');
  });

  it('stays unsaid where the bytes of the message are lost, and raises the alarm', async () => {
    const entryId = await receive(await away(), { lines: ['X-Lost: yes'] });
    const entry = await MailboxEntry.findByPk(entryId, { rejectOnEmpty: true });
    const { blobKey } = await Message.findByPk(entry.messageId, { rejectOnEmpty: true });
    await app.blobs.remove(blobKey);
    const before = await damagedReads();
    expect(await replyForReader(ctx, entryId)).toBe('not_answerable');
    expect(await damagedReads()).toBe(before + 1);
  });

  it('is forgotten with the person', async () => {
    const mailbox = await away();
    await replyForReader(ctx, await receive(mailbox, { from: 'gone@sender.test' }));
    await mailbox.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(ctx, String(mailbox.user.id));
    const id = String(mailbox.user.id);
    const statement =
      'SELECT user_id FROM vacations WHERE user_id = ? UNION ALL SELECT user_id FROM vacation_replies WHERE user_id = ?';
    expect(await readRows(ctx, statement, [id, id])).toEqual([]);
  });
});
