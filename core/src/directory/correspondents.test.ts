import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { undoSend } from '../outbound/undo-send.ts';
import { noteCorrespondents, noteEarlierWriting } from './correspondents.ts';
import { eraseUserRows } from './erase-rows.ts';
import { findRecipients } from './find-recipients.ts';

const dayMs = 86_400_000;
let app: App;
let ctx: Ctx;
let ana: Mailbox;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

beforeEach(async () => {
  ana = await buildMailbox(app);
});

interface Sending {
  to: string;
  cc?: string;
  bcc?: { name: string; address: string }[];
  holdMs?: number;
  by?: Mailbox;
}

async function send({ to, cc, bcc = [], holdMs = 0, by = ana }: Sending): Promise<string> {
  const head = [`From: ${by.user.email}`, `To: ${to}`, ...(cc ? [`Cc: ${cc}`] : []), 'Subject: x', '', 'x', ''];
  const { entryId } = await submitMessage(ctx, {
    user: by.user,
    raw: Buffer.from(head.join('\r\n')),
    door: 'web',
    bcc: bcc.map(({ address }) => address),
    called: bcc,
    holdMs,
  });
  return entryId;
}

const ownerOf = ({ user, company }: Mailbox) => ({ userId: String(user.id), companyId: String(company.id) });
const note = (people: { name: string; address: string }[], daysAgo: number, of = ana) =>
  inTransaction(ctx, (tx) =>
    noteCorrespondents(tx, [{ ...ownerOf(of), people, at: new Date(Date.now() - daysAgo * dayMs) }]),
  );
const rows = (of = ana) =>
  readRows<{ address: string; name: string; times: number }>(
    ctx,
    'SELECT address, name, times FROM correspondents WHERE user_id = ? ORDER BY address',
    [String(of.user.id)],
  );
const find = async (text: string, { of = ana, most = 8 } = {}) =>
  (await findRecipients(ctx, { ...ownerOf(of), text, most })).map(({ address }) => address);

describe('whom a person has written to', () => {
  it('is noted with each message, with the names that they were given', async () => {
    await send({
      to: '"Raman, Priya" <Priya@Remote.test>, bo@remote.test',
      cc: 'Cy <cy@remote.test>',
      bcc: [{ name: 'Di Hidden', address: 'di@remote.test' }],
    });
    await send({ to: 'priya@remote.test, Priya <PRIYA@remote.test>, Bo Li <bo@remote.test>' });
    expect(await rows()).toMatchObject([
      { address: 'bo@remote.test', name: 'Bo Li', times: 2 },
      { address: 'cy@remote.test', name: 'Cy', times: 1 },
      { address: 'di@remote.test', name: 'Di Hidden', times: 1 },
      { address: expect.stringMatching(/^priya@/i), name: 'Priya', times: 2 },
    ]);
    expect(await find('di hid')).toEqual(['di@remote.test']);
    expect((await find('pri')).map((address) => address.toLowerCase())).toEqual(['priya@remote.test']);
    // The words of her earlier name
    expect(await find('raman')).toEqual([]);
  });

  it('is not noted of a message that was refused, and goes with one that is taken back', async () => {
    await expect(send({ to: 'priya@remote.test', by: { ...ana, user: ana.user }, holdMs: -1 })).resolves.toBeDefined();
    const entryId = await send({ to: 'priya@remote.test, bo@remote.test', holdMs: 60_000 });
    await undoSend(ctx, { userId: String(ana.user.id), entryId });
    expect(await rows()).toMatchObject([{ address: 'priya@remote.test', times: 1 }]);
    await expect(send({ to: 'not an address' })).rejects.toThrow();
    expect(await rows()).toHaveLength(1);
  });

  it('is noted of several people at once, each of their own', async () => {
    const bea = await buildMailbox(app);
    const at = new Date();
    const writing = (of: Mailbox, name: string) => {
      return { ...ownerOf(of), people: [{ name, address: 'bo@remote.test' }], at };
    };
    await inTransaction(ctx, (tx) =>
      noteCorrespondents(tx, [writing(bea, 'Bo'), writing(ana, 'Boris'), writing(bea, '')]),
    );
    expect(await rows()).toMatchObject([{ name: 'Boris', times: 1 }]);
    expect(await rows(bea)).toMatchObject([{ name: 'Bo', times: 2 }]);
    expect([await find('boris'), await find('boris', { of: bea })]).toEqual([['bo@remote.test'], []]);
  });

  it('is counted by messages that are sent at once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => send({ to: 'bo@remote.test, priya@remote.test' })));
    expect(await rows()).toMatchObject([{ times: 4 }, { times: 4 }]);
  });

  it('is found out of messages that were sent before, each counted once', async () => {
    const bea = await buildMailbox(app);
    await send({ to: 'Priya <priya@remote.test>', bcc: [{ name: '', address: 'di@remote.test' }] });
    await send({ to: 'priya@remote.test' });
    await send({ to: 'eve@remote.test', by: bea });
    await undoSend(ctx, {
      userId: String(ana.user.id),
      entryId: await send({ to: 'no@remote.test', holdMs: 60_000 }),
    });
    await changeRows(ctx, 'DELETE FROM correspondents', []);
    const mark = String((await MailboxEntry.findOne({ order: [['id', 'DESC']] }))?.id);
    const later = await send({ to: 'priya@remote.test' });
    expect(BigInt(later) > BigInt(mark)).toBe(true);
    let position: string | null = `0/${mark}`;
    await changeRows(ctx, "UPDATE sweep_steps SET position = ? WHERE name = 'correspondents'", [position]);
    const first = position;
    while (position !== null) position = await noteEarlierWriting(ctx, position);
    // A step that is taken again finds that its place is behind
    await noteEarlierWriting(ctx, first);
    expect(await rows()).toMatchObject([
      { address: 'di@remote.test', times: 1 },
      { address: 'priya@remote.test', name: 'Priya', times: 3 },
    ]);
    expect(await rows(bea)).toMatchObject([{ address: 'eve@remote.test', times: 1 }]);
  });

  it('goes with the person', async () => {
    await send({ to: 'Bo <bo@remote.test>' });
    await ana.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    await eraseUserRows(ctx, String(ana.user.id));
    const left = 'SELECT 1 FROM correspondent_words WHERE user_id = ?';
    expect([await rows(), await readRows(ctx, left, [String(ana.user.id)])]).toEqual([[], []]);
  });
});

describe('the people that are found by what is typed', () => {
  it('come by how often and how lately they were written to', async () => {
    const person = (name: string) => ({ name: `Lo ${name}`, address: `${name}@remote.test` });
    await note([person('once')], 1);
    for (let time = 0; time < 16; time += 1) await note([person('often')], 40);
    await note([person('old')], 100);
    await note([person('older')], 101);
    for (let time = 0; time < 4; time += 1) await note([person('older')], 101);
    expect(await find('lo')).toEqual(['often', 'once', 'older', 'old'].map((name) => `${name}@remote.test`));
    expect(await find('lo', { most: 2 })).toEqual(['often@remote.test', 'once@remote.test']);
    expect(await find('lo ol')).toEqual(['older@remote.test', 'old@remote.test']);
    expect(await find('remote.te older')).toEqual(['older@remote.test']);
    expect(await find('%')).toEqual([]);
    expect(await find('ft')).toEqual([]);
  });

  it('are colleagues and groups as well, behind those written to lately, before those of the same day', async () => {
    const mira = await buildMailbox(app, {
      tenant: ana,
      local: 'm.novak',
      user: { fname: 'Mira', lname: 'da Nováková' },
    });
    const alias = await buildAlias(mira, 'sales');
    const group = await buildGroup(ana, { local: 'mills' });
    await note([{ name: 'Mi Near', address: 'near@remote.test' }], 1);
    await note([{ name: 'Mi Even', address: 'even@remote.test' }], 60);
    await note([{ name: 'Mi Far', address: 'far@remote.test' }], 300);
    const { domainName } = ana.domain;
    expect(await find('mi')).toEqual([
      'near@remote.test',
      group.address,
      `m.novak@${domainName}`,
      'even@remote.test',
      'far@remote.test',
    ]);
    expect(await find('novakova')).toEqual([mira.user.email]);
    expect(await find('DA nov')).toEqual([mira.user.email]);
    expect(await find('sales')).toEqual([alias.address]);
    await note([{ name: '', address: mira.user.email }], 0);
    expect(await findRecipients(ctx, { ...ownerOf(ana), text: 'mira', most: 8 })).toEqual([
      { name: 'Mira da Nováková', address: mira.user.email, kind: 'colleague' },
    ]);
  });

  it('include no person of another company, and none who is gone or switched off', async () => {
    const [other, provider] = [await buildMailbox(app), await buildMailbox(app)];
    const left = await buildMailbox(app, { tenant: ana, user: { fname: 'Zora' } });
    const off = await buildMailbox(app, { tenant: ana, user: { fname: 'Zora' } });
    await buildMailbox(app, { tenant: other, user: { fname: 'Zora' } });
    const stays = await buildMailbox(app, { tenant: ana, user: { fname: 'Zora' } });
    await note(
      [left, off, stays].map(({ user }) => ({ name: 'Zora', address: user.email })),
      0,
    );
    await left.user.update({ deletedAt: new Date() });
    await off.user.update({ activeStatus: false });
    expect(await find('zora')).toEqual([stays.user.email]);
    await provider.company.update({ isProvider: true });
    expect(await find('zora', { of: provider })).toEqual([]);
  });

  it('are found in bounded reads among fifty thousand', { timeout: 120_000 }, async () => {
    const big = await buildMailbox(app);
    const { userId, companyId } = ownerOf(big);
    await changeRows(
      ctx,
      `INSERT INTO correspondents (company_id, user_id, address_key, address, name, words, times, last_at, ranked_at)
       SELECT ?, ?, CONCAT('p', seq, '@c', seq % 997, '.example'), CONCAT('p', seq, '@c', seq % 997, '.example'), CONCAT('Person N', seq),
              CONCAT(' person n', seq, ' p', seq, '@c', seq % 997, '.example c', seq % 997, '.example'), 1, '2026-01-01' - INTERVAL seq HOUR,
              '2026-01-01' - INTERVAL seq HOUR FROM seq_1_to_50000`,
      [companyId, userId],
    );
    await changeRows(
      ctx,
      `INSERT INTO correspondent_words (user_id, word, correspondent_id)
       SELECT user_id, SUBSTRING_INDEX(SUBSTRING_INDEX(words, ' ', w.seq + 1), ' ', -1), c.id
         FROM correspondents c JOIN seq_1_to_4 w WHERE user_id = ?`,
      [userId],
    );
    // On one connection: other test files read in the same engine
    const readBy = async (text: string) =>
      await inTransaction(ctx, async (tx) => {
        const handled = async () => {
          const read = await readRows<{ Variable_name: string; Value: string }>(
            tx,
            "SHOW SESSION STATUS LIKE 'Handler_read%'",
            [],
          );
          return read.reduce((sum, { Value }) => sum + Number(Value), 0);
        };
        const before = await handled();
        const recipients = await findRecipients(tx, { userId, companyId, text, most: 8 });
        return { found: recipients.map(({ address }) => address), reads: (await handled()) - before };
      });
    expect((await readBy('pers')).found[0]).toBe('p1@c1.example');
    expect((await readBy('n49999')).found).toEqual(['p49999@c149.example']);
    expect((await readBy('c149.ex')).found).toHaveLength(8);
    // Of any text: those who rank first, and the rows of one word
    for (const text of ['p', 'n49999', 'c149.ex', 'nobody', 'person n4']) {
      expect((await readBy(text)).reads).toBeLessThan(12_000);
    }
    const { ctx: explained, plans } = explaining(app);
    await findRecipients(explained, { userId, companyId, text: 'nobody', most: 8 });
    const keys = plans.flat().map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['correspondents_rank', 'PRIMARY', 'users_directory_lname']));
    const times: number[] = [];
    for (const text of ['p', 'pe', 'n49999', 'c149.ex', 'nobody', 'person n4']) {
      const runs: number[] = [];
      for (let run = 0; run < 5; run += 1) {
        const startedAt = performance.now();
        await find(text, { of: big });
        runs.push(performance.now() - startedAt);
      }
      times.push(Number(runs.sort((one, other) => one - other)[2]?.toFixed(1)));
    }
    process.stdout.write(`recipients among 50,000: ${times.join(', ')} ms\n`);
  });
});
