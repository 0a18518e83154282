import { randomUUID } from 'node:crypto';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { officeFile } from '@selvage/core/mail/test-files';
import { systemContext } from '@selvage/core/context/context';
import { inboundOf, type RawOverrides, receive } from '@selvage/core/mailstore/test-messages';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Attachment } from '@selvage/core/models/attachment';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { UserPermission } from '@selvage/core/models/user-permission';
import { keepIndex } from '@selvage/core/search/keep-indexes';
import { readAllFiles } from '@selvage/core/search/read-files';
import { beforeAll, expect, it } from 'vitest';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Person {
  mailbox: Mailbox;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Receives a message; answers the id of the entry. */
  gets: (message: RawOverrides) => Promise<string>;
  finds: (q: string, more?: Record<string, string>) => Promise<Found>;
}

interface Found {
  rows: SearchRowDto[];
  total: number;
  is_more: boolean;
  is_complete: boolean;
  indexed: number;
  messages: number;
}

async function newPerson(): Promise<Person> {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const call: Person['call'] = (method, path, body) => server.call(method, path, { token, ...(body ? { body } : {}) });
  return {
    mailbox,
    call,
    gets: async (message) => (await receive(systemContext(server.app), [mailbox], message)).entryIds[0] ?? '',
    finds: async (q, more = {}) => {
      const answer = await call('GET', `/mail/search?${new URLSearchParams({ q, ...more }).toString()}`);
      expect(answer).toMatchObject({ status: 200 });
      return answer.body.data as Found;
    },
  };
}

const idsOf = ({ rows }: Found): string[] => rows.map(({ _id }) => _id);

/** Stores a message as its lines. */
async function getsRaw({ mailbox }: Person, lines: string[]): Promise<string> {
  const raw = Buffer.from([`Message-ID: <${randomUUID()}@sender.test>`, ...lines].join('\r\n'));
  return (await storeInbound(systemContext(server.app), inboundOf(raw, [mailbox]))).entryIds[0] ?? '';
}

it('names the found files of a message, however many files an older one has', async () => {
  const ana = await newPerson();
  const lines = ['To: ana@x.test', 'MIME-Version: 1.0', 'Content-Type: application/pdf; name=plan.pdf', '', 'x'];
  const old = await getsRaw(ana, lines);
  const { messageId } = await MailboxEntry.findByPk(old, { rejectOnEmpty: true });
  const file = { messageId, filename: 'other.txt', contentType: 'text/plain', size: 1 };
  await Attachment.bulkCreate(Array.from({ length: 2000 }, (_, at) => ({ ...file, partIndex: at + 1 })));
  const late = await getsRaw(ana, lines);
  const { rows } = await ana.finds('filename:plan');
  expect(rows.map(({ _id, found_files }) => [_id, found_files])).toEqual([
    [late, ['plan.pdf']],
    [old, ['plan.pdf']],
  ]);
});

it('finds mail of the person by `me`, files by their kind, and what brackets and braces ask for', async () => {
  const ana = await newPerson();
  const { address } = await buildAlias(ana.mailbox);
  const both = await ana.gets({ subject: 'Mill and loom' });
  const one = await ana.gets({ subject: 'Mill' });
  const other = await ana.gets({ subject: 'Yarn' });
  const lines = ['MIME-Version: 1.0', 'Content-Type: application/pdf; name=plan.pdf', '', 'x'];
  const own = await getsRaw(ana, [`From: ${address}`, `To: ${ana.mailbox.user.email}`, 'Subject: Own', ...lines]);
  expect(idsOf(await ana.finds('-subject:(mill loom)'))).toEqual([own, other, one]);
  expect(idsOf(await ana.finds('subject:mill -(mill loom)'))).toEqual([one]);
  expect(idsOf(await ana.finds('subject:{loom yarn}'))).toEqual([other, both]);
  expect(idsOf(await ana.finds('-{loom yarn}'))).toEqual([own, one]);
  expect(idsOf(await ana.finds('from:me'))).toEqual([own]);
  expect(idsOf(await ana.finds('-from:me'))).toEqual([other, one, both]);
  expect(idsOf(await ana.finds('to:me subject:own'))).toEqual([own]);
  expect((await ana.finds('has:pdf')).rows[0]?.found_files).toEqual(['plan.pdf']);
  expect((await ana.finds('has:spreadsheet')).total).toBe(3);
});

it('finds words of subject, text, people and file names, the newest first', async () => {
  const ana = await newPerson();
  const older = await ana.gets({ subject: 'Quarterly report', body: 'The figures of the spinning mill.' });
  const newer = await ana.gets({ subject: 'Lunch', body: 'Shall we talk about the REPORT at lunch?' });
  await ana.gets({ subject: 'Holidays', body: 'Nothing of that kind.' });
  expect(idsOf(await ana.finds('report'))).toEqual([newer, older]);
  expect(idsOf(await ana.finds('report mill'))).toEqual([older]);
  expect(idsOf(await ana.finds('repo'))).toEqual([newer, older]);
  expect(idsOf(await ana.finds('"spinning mill"'))).toEqual([older]);
  expect(idsOf(await ana.finds('"mill spinning"'))).toEqual([]);
  expect(idsOf(await ana.finds('report -lunch'))).toEqual([older]);
  expect(idsOf(await ana.finds('mill OR lunch'))).toEqual([newer, older]);
  expect(idsOf(await ana.finds('subject:holidays OR mill report'))).toEqual([older]);
  expect(idsOf(await ana.finds('"spinning mill" OR subject:lunch -talk'))).toEqual([older]);
  expect((await ana.finds('from:bea@sender.test')).total).toBe(3);
  expect((await ana.finds('to:dora')).total).toBe(3);
  expect((await ana.finds('from:dora')).total).toBe(0);
  expect((await ana.finds('filename:rows.csv')).rows[0]?.found_files).toEqual(['rows.csv']);
  expect((await ana.finds('has:attachment')).total).toBe(3);
  expect((await ana.finds('-holidays')).total).toBe(2);
  expect((await ana.finds('larger:5M')).total).toBe(0);
  expect((await ana.finds('smaller:5M')).total).toBe(3);
  expect((await ana.finds('')).total).toBe(0);
});

it('finds what is written without accents, in other scripts, in HTML and encoded', async () => {
  const ana = await newPerson();
  const german = await ana.gets({ subject: 'Grüße aus Zürich', body: 'Die Straße ist gesperrt.' });
  const japanese = await ana.gets({ subject: '見積書', body: '東京都の価格をお送りします。' });
  const hebrew = await ana.gets({ subject: 'שָׁלוֹם', body: 'מה שלומך' });
  const html = await getsRaw(ana, [
    'From: News <news@shop.test>',
    'Subject: =?utf-8?B?QW5nZWJvdCBmw7xyIFNpZQ==?=',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<style>.hidden{color:red}</style><p>Wir haben <b>B=E4u</b>me &amp; mehr',
    '',
  ]);
  expect(idsOf(await ana.finds('grusse zurich'))).toEqual([german]);
  expect(idsOf(await ana.finds('strasse'))).toEqual([german]);
  expect(idsOf(await ana.finds('東京'))).toEqual([japanese]);
  expect(idsOf(await ana.finds('京東'))).toEqual([]);
  expect(idsOf(await ana.finds('価'))).toEqual([japanese]);
  expect(idsOf(await ana.finds('שלום'))).toEqual([hebrew]);
  expect(idsOf(await ana.finds('subject:angebot'))).toEqual([html]);
  expect(idsOf(await ana.finds('bäume'))).toEqual([html]);
  expect(idsOf(await ana.finds('hidden'))).toEqual([]);
});

it('finds what the reader of a message in two forms sees, and shows where', async () => {
  const ana = await newPerson();
  const part = (type: string, text: string) => ['--edge', `Content-Type: ${type}; charset=utf-8`, '', text];
  const invoice = await getsRaw(ana, [
    'From: Shop <shop@shop.test>',
    'Subject: For you',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=edge',
    '',
    ...part('text/plain', 'Your mail program shows no HTML.'),
    ...part('text/html', '<p>Invoice <b>RE-2026/0815</b>: 99 Euro</p>'),
    '--edge--',
    '',
  ]);
  const [found] = (await ana.finds('RE-2026/0815')).rows;
  expect(found).toMatchObject({ _id: invoice, body: expect.stringContaining('Invoice RE-2026/0815: 99 Euro') });
  expect(found?.marks.body).toHaveLength(1);
  expect(idsOf(await ana.finds('program'))).toEqual([invoice]);
});

it('finds an address by the letters of its domain and by how programs write them', async () => {
  const ana = await newPerson();
  const from = await getsRaw(ana, ['From: Kim <kim@xn--mller-kva.example>', 'Subject: One', '', 'yarn']);
  const to = await getsRaw(ana, ['From: b@b.test', 'To: kim@XN--mller-kva.example', 'Subject: Two', '', 'yarn']);
  for (const address of ['kim@müller.example', 'kim@xn--mller-kva.example', 'mull*']) {
    expect(idsOf(await ana.finds(`from:${address}`))).toEqual([from]);
    expect(idsOf(await ana.finds(`to:${address}`))).toEqual([to]);
  }
  expect(idsOf(await ana.finds('Müller.example'))).toEqual([to, from]);
});

it('finds the words of files, whatever else is in them', async () => {
  const ana = await newPerson();
  const docx = officeFile({ 'word/document.xml': '<w:p><w:t>The shuttle</w:t></w:p>' });
  // More than is unpacked of one file
  const bomb = officeFile({ 'content.xml': ' '.repeat(40_000_000), 'word/document.xml': '<w:t>treadle</w:t>' });
  const withFile = (name: string, content: Uint8Array): Promise<string> =>
    getsRaw(ana, [
      'From: Bea <bea@sender.test>',
      'Subject: A file',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=edge',
      '',
      '--edge',
      'Content-Type: text/plain',
      '',
      'See the file about weaving.',
      '--edge',
      `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content)
        .toString('base64')
        .replace(/(.{76})/g, '$1\r\n'),
      '--edge--',
      '',
    ]);
  const readable = await withFile('offer.docx', docx);
  const hostile = await withFile('bomb.odt', bomb);
  const broken = await withFile('broken.pdf', Buffer.from('%PDF-1.7 and nothing else'));
  const attached = await getsRaw(ana, [
    'From: Bea <bea@sender.test>',
    'Subject: A message in a message',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=edge',
    '',
    '--edge',
    'Content-Type: message/rfc822',
    '',
    'From: Zoe <zoe@sender.test>',
    'Subject: Within',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<p>The <b>spindle</b> is ready.').toString('base64'),
    '--edge--',
    '',
  ]);
  const [ctx, userId] = [systemContext(server.app), String(ana.mailbox.user.id)];
  expect(await keepIndex(ctx, userId, { longestMs: 60_000, signal: AbortSignal.timeout(60_000) })).toBe(true);
  expect(await ana.finds('shuttle')).toMatchObject({ rows: [], is_complete: true });
  await readAllFiles(ctx, userId);
  expect((await ana.finds('zoe spindle')).rows).toMatchObject([{ _id: attached, is_in_files: true }]);
  const [found] = (await ana.finds('shuttle')).rows;
  expect(found).toMatchObject({ _id: readable, is_in_files: true, found_files: [] });
  const large = await getsRaw(ana, [
    'From: Bea <bea@sender.test>',
    'Cc: Selvedge <s@sender.test>',
    'Subject: A large file',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=edge',
    '',
    '--edge',
    'Content-Type: text/plain',
    '',
    `${'Nothing of interest. '.repeat(20)} The heddle is in the text.`,
    '--edge',
    'Content-Type: application/octet-stream; name=large.bin',
    '',
    'x'.repeat(900).concat('\r\n').repeat(60),
    '--edge--',
    '',
  ]);
  // Where it was found is said only where it is known
  expect((await ana.finds('heddle')).rows).toMatchObject([{ _id: large, is_in_files: false }]);
  expect((await ana.finds('selvedge')).rows).toMatchObject([{ _id: large, is_in_files: false }]);
  expect(idsOf(await ana.finds('weaving'))).toEqual([broken, hostile, readable]);
  expect((await ana.finds('weaving')).rows.map((row) => row.is_in_files)).toEqual([false, false, false]);
  expect(idsOf(await ana.finds('treadle'))).toEqual([]);
  expect(await ana.finds('weaving')).toMatchObject({ is_complete: true });
});

it('follows flags, folders and deletions', async () => {
  const ana = await newPerson();
  const [one, two, three] = [
    await ana.gets({ subject: 'Yarn' }),
    await ana.gets({ subject: 'Yarn' }),
    await ana.gets({ subject: 'Yarn' }),
  ];
  const set = (ids: string[], flags: object) => ana.call('PUT', '/mail/status_change', { email_id: ids, ...flags });
  expect(idsOf(await ana.finds('yarn is:unread'))).toEqual([three, two, one]);
  await set([one], { read_status: true, star_status: true });
  await set([two], { archive_status: true });
  expect(idsOf(await ana.finds('yarn is:unread'))).toEqual([three, two]);
  expect(idsOf(await ana.finds('yarn is:read'))).toEqual([one]);
  expect(idsOf(await ana.finds('yarn is:starred'))).toEqual([one]);
  expect(idsOf(await ana.finds('yarn in:archive'))).toEqual([two]);
  expect(idsOf(await ana.finds('in:inbox'))).toEqual([three, one]);
  expect(idsOf(await ana.finds('yarn -in:archive'))).toEqual([three, one]);
  expect(idsOf(await ana.finds('-in:inbox'))).toEqual([two]);
  expect(idsOf(await ana.finds('-is:unread AND yarn'))).toEqual([one]);
  expect(idsOf(await ana.finds('yarn -is:starred'))).toEqual([three, two]);
  expect((await ana.finds('-has:attachment')).total).toBe(0);
  expect((await ana.finds('in:archive -in:archive')).total).toBe(0);
  await set([two], { archive_status: false });
  await set([one, three], { trash_status: true });
  expect(idsOf(await ana.finds('in:inbox yarn'))).toEqual([two]);
  expect((await ana.finds('yarn')).rows.map(({ folder }) => folder)).toEqual(['trash', 'inbox', 'trash']);
  await ana.call('POST', '/mail/empty_trash', {});
  expect(idsOf(await ana.finds('yarn'))).toEqual([two]);
  expect(await ana.finds('yarn')).toMatchObject({ is_complete: true, indexed: 1, messages: 1 });
});

it('narrows by the day where the person is', async () => {
  const ana = await newPerson();
  await ana.gets({ subject: 'Now' });
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await ana.finds(`after:${today}`)).total).toBe(1);
  expect((await ana.finds(`before:${today}`)).total).toBe(0);
  expect((await ana.finds(`now before:${tomorrow} after:${today}`)).total).toBe(1);
  expect((await ana.finds(`after:${tomorrow}`)).total).toBe(0);
  // Where it is half a day later
  const there = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(0, 10);
  const clock = { utc_offset_minutes: '720' };
  expect((await ana.finds(`after:${there}`, { time_zone: 'Etc/GMT-12' })).total).toBe(1);
  expect((await ana.finds(`after:${there}`, { ...clock, time_zone: 'Never/Never' })).total).toBe(1);
  expect((await ana.finds(`after:${there}`, clock)).total).toBe(1);
});

it('says where it was found', async () => {
  const ana = await newPerson();
  const filler = 'Nothing to see here. '.repeat(40);
  await ana.gets({ subject: 'The Mill', body: `${filler} At last a bobbin, and more.` });
  const [bySubject] = (await ana.finds('mill')).rows;
  expect(bySubject?.marks.subject).toEqual([[4, 8]]);
  const [byText] = (await ana.finds('bobbin')).rows;
  const [[start, end] = [0, 0]] = byText?.marks.body ?? [];
  expect(byText?.body.slice(start, end)).toBe('bobbin');
  expect(byText?.body).toMatch(/^… .*and more\.$/);
  const [bySender] = (await ana.finds('from:sender')).rows;
  expect(bySender?.marks).toEqual({ subject: [], body: [], sender: [[4, 10]] });
  const [byAddress] = (await ana.finds('from:bea@sender.test')).rows;
  expect(byAddress).toMatchObject({ is_in_files: false, attachment_count: 1 });
});

it('pages through hits', async () => {
  const ana = await newPerson();
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) ids.unshift(await ana.gets({ subject: `Bale ${count}` }));
  const pages = await Promise.all([1, 2, 3].map((page) => ana.finds('bale', { page: String(page), limit: '3' })));
  expect(pages.flatMap(idsOf)).toEqual(ids);
  expect(pages.map(({ total }) => total)).toEqual([7, 7, 7]);
  expect(idsOf(await ana.finds('bale', { page: '1000000', limit: '100' }))).toEqual([]);
});

it('shows no person the mail of another, or of a folder that the person may not view', async () => {
  const ana = await newPerson();
  const ben = await newPerson();
  const secret = await ana.gets({ subject: 'Salaries' });
  expect(idsOf(await ben.finds('salaries'))).toEqual([]);
  expect(idsOf(await ana.finds('salaries'))).toEqual([secret]);
  await ana.call('PUT', '/mail/status_change', { email_id: [secret], archive_status: true });
  const { user, company } = ana.mailbox;
  await UserPermission.create({ companyId: String(company.id), userId: String(user.id), model: 'archive' });
  expect(idsOf(await ana.finds('salaries'))).toEqual([]);
  expect(await ana.call('GET', '/mail/search?q=in%3Aarchive')).toMatchObject({ status: 403 });
});

it('finds what is in Junk only where it is asked for', async () => {
  const ana = await newPerson();
  const [junk, kept] = [await ana.gets({ subject: 'Prize one' }), await ana.gets({ subject: 'Prize two' })];
  await ana.call('PUT', '/mail/status_change', { email_id: [junk], junk_status: true });
  expect(idsOf(await ana.finds('prize'))).toEqual([kept]);
  expect(idsOf(await ana.finds('prize in:junk'))).toEqual([junk]);
  expect(idsOf(await ana.finds('prize in:anywhere'))).toEqual([kept, junk]);
});

it.each([
  'constructor:mill',
  '"',
  '"" AND NOT (',
  'a"b*c^d',
  '{subject}: x',
  '%00',
  '-',
  '-"',
  'NEAR(a b)',
  '\ud800',
  'x'.repeat(300),
])('takes %s for words', async (q) => {
  const ana = await newPerson();
  await ana.gets({ subject: 'Any' });
  expect((await ana.finds(q)).total).toBeGreaterThanOrEqual(0);
});

it('refuses a question that is too long', async () => {
  const ana = await newPerson();
  expect(await ana.call('GET', `/mail/search?q=${'x'.repeat(301)}`)).toMatchObject({ status: 422 });
});

it('narrows to labels of the person’s own, all of which must be there, and pages through them', async () => {
  const [ana, ben] = [await newPerson(), await newPerson()];
  const labelled = async (person: Person, name: string, ids: string[]): Promise<void> => {
    const made = await person.call('POST', '/mail/labels/create', { name, colour: 'red' });
    const { _id } = made.body.data as { _id: string };
    expect((await person.call('PUT', '/mail/label_change', { email_id: ids, add: [_id] })).status).toBe(200);
  };
  const ids: string[] = [];
  for (const subject of ['Loom one', 'Loom two', 'Reed', 'Loom three']) ids.push(await ana.gets({ subject }));
  const [one = '', two = '', reed = '', three = ''] = ids;
  await labelled(ana, 'Mill work', [one, reed, three]);
  await labelled(ana, 'Paid', [one, two]);
  await labelled(ben, 'Secret', [await ben.gets({ subject: 'Loom four' })]);
  expect(idsOf(await ana.finds('label:"MILL work"'))).toEqual([three, reed, one]);
  expect(await ana.finds('label:"mill work" loom', { page: '2', limit: '1' })).toMatchObject({ total: 2 });
  expect(idsOf(await ana.finds('label:"mill work" loom', { page: '2', limit: '1' }))).toEqual([one]);
  expect(idsOf(await ana.finds('label:paid label:"mill work"'))).toEqual([one]);
  expect(idsOf(await ana.finds('loom -label:paid'))).toEqual([three]);
  expect(idsOf(await ana.finds('-label:paid -label:"mill work"'))).toEqual([]);
  expect(idsOf(await ana.finds('label:"mill work" -label:paid'))).toEqual([three, reed]);
  await ana.call('PUT', '/mail/status_change', { email_id: [one], trash_status: true });
  expect(idsOf(await ana.finds('label:paid in:trash'))).toEqual([one]);
  expect(idsOf(await ana.finds('label:paid in:inbox'))).toEqual([two]);
  for (const text of ['label:secret', 'label:nothing', 'label:']) expect((await ana.finds(text)).total).toBe(0);
});

it('looks among all messages of a label, and leaves all of them out, however many there are', async () => {
  const ana = await newPerson();
  const [one, two, three] = [await ana.gets({}), await ana.gets({}), await ana.gets({})];
  const made = await ana.call('POST', '/mail/labels/create', { name: 'News', colour: 'red' });
  const { _id } = made.body.data as { _id: string };
  expect((await ana.call('PUT', '/mail/label_change', { email_id: [one, three], add: [_id] })).status).toBe(200);
  // Stand for messages that came later
  const { db } = server.app;
  await db.transaction(async (transaction) => {
    await db.query('SET FOREIGN_KEY_CHECKS = 0', { transaction });
    await db.query(
      `INSERT INTO entry_labels (label_id, entry_id, is_shown, arrived_at)
        SELECT ?, 1000000000 + seq, 1, NOW() FROM seq_1_to_60000`,
      { transaction, replacements: [_id] },
    );
    await db.query('SET FOREIGN_KEY_CHECKS = 1', { transaction });
  });
  expect(idsOf(await ana.finds('label:news'))).toEqual([three, one]);
  expect(idsOf(await ana.finds('-label:news'))).toEqual([two]);
  await db.query('DELETE FROM entry_labels WHERE entry_id > 1000000000');
});

it('lets others go on while it presents messages to very many people', async () => {
  const ana = await newPerson();
  const to = Array.from({ length: 500 }, (_, index) => `${'x y '.repeat(35)}<a${index}@b.test>`).join(',\r\n ');
  for (let count = 0; count < 20; count += 1) {
    await getsRaw(ana, ['From: b@b.test', `To: ${to}`, 'Subject: wool', '', 'yarn']);
  }
  await ana.finds('wool');
  const held = await longestTurn(async () => {
    expect((await ana.finds('x y wool', { limit: '100' })).rows).toHaveLength(20);
  });
  expect(held).toBeLessThan(200);
});
