import { systemContext } from '@selvage/core/context/context';
import type { DraftDto, DraftRowDto } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import { attachmentLimits } from '@selvage/core/contracts/mail';
import type { MailboxUse } from '@selvage/core/contracts/plan';
import { receive } from '@selvage/core/mailstore/test-messages';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { pictureAt, withPictures, wordsOfPictures } from './draft-pictures.ts';
import { signPath } from './signed-path.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  ({ person, token } = await newPerson());
});

async function newPerson(): Promise<{ person: Mailbox; token: string }> {
  const mailbox = await buildMailbox(server.app);
  return { person: mailbox, token: (await server.signIn(mailbox.user.email, mailbox.password)).token };
}

type Fields = Record<string, string | string[]>;

function post(path: string, fields: Fields, files: [string, Blob][] = [], as = token): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) form.append(name, each);
  }
  for (const [name, file] of files) form.append('attachments', file, name);
  return server.call('POST', path, { token: as, body: form });
}

async function save(fields: Fields, files: [string, Blob][] = []): Promise<DraftDto> {
  const answer = await post('/mail/draft/save', fields, files);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body.data as DraftDto;
}

const read = (id: string): Promise<Answer> => server.call('GET', `/mail/draft/get/${id}`, { token });
const remove = (ids: string[]): Promise<Answer> =>
  server.call('DELETE', '/mail/draft/delete', { token, body: { draft_ids: ids } });
const textOf = async (path: string): Promise<string> => await (await fetch(server.url + path)).text();
const file = (text: string): Blob => new Blob([text], { type: 'text/plain' });
const isCounted = (): Promise<boolean> => verifyTotals(systemContext(server.app), String(person.user.id));

describe('a draft', () => {
  it('is saved as it was typed, with its files, and read again', async () => {
    const fields = {
      'recipient_emails_to[]': ['Ben <ben@remote.test>', 'half typed@'],
      'recipient_emails_bcc[]': 'boss@remote.test',
      subject: 'Looms',
      body: '<p onclick="x()">Hello</p><script>x()</script><img src="http://tracker.test/x.png">',
    };
    const draft = await save(fields, [['a.txt', file('first')]]);
    expect(draft).toMatchObject({
      recipient_emails_to: ['Ben <ben@remote.test>', 'half typed@'],
      recipient_emails_cc: [],
      recipient_emails_bcc: ['boss@remote.test'],
      subject: 'Looms',
      from: person.user.email,
      version: 1,
      attachments: [{ original_name: 'a.txt', size: 5 }],
    });
    expect(draft.body).toContain('<p>Hello</p>');
    expect(draft.body).not.toMatch(/script|onclick| src="http/);
    expect(draft.body).toContain('data-remote-src="http://tracker.test/x.png"');
    expect((await read(draft._id)).body.data).toEqual(draft);
    expect(await textOf(draft.attachments[0]?.file_path ?? '')).toBe('first');
    expect(await isCounted()).toBe(true);
  });

  it('keeps more people than a message may be sent to, which its writer takes out again', async () => {
    const people = Array.from({ length: 150 }, (_, index) => `p${index}@remote.test`);
    const draft = await save({ 'recipient_emails_cc[]': people, subject: 'To all' });
    expect(draft.recipient_emails_cc).toEqual(people);
    expect((await post('/mail/send', { draft_id: draft._id, 'recipient_emails_cc[]': people })).status).toBe(422);
    expect(((await read(draft._id)).body.data as DraftDto).recipient_emails_cc).toEqual(people);
  });

  it('is saved again: files come and go, and what it held is counted', async () => {
    const { _id, attachments } = await save({ subject: 'One', body: 'x' }, [['a.txt', file('first')]]);
    const gone = attachments[0]?._id ?? '';
    const fields = { draft_id: _id, version: '1', subject: 'Two', 'without_attachments[]': gone };
    const again = await save(fields, [['b.txt', file('second')]]);
    expect(again).toMatchObject({ _id, subject: 'Two', body: '', version: 2 });
    expect(again.attachments.map((each) => each.original_name)).toEqual(['b.txt']);
    expect(await isCounted()).toBe(true);
    expect((await remove([_id])).body).toMatchObject({ data: { removed: 1 } });
    expect((await read(_id)).status).toBe(404);
    expect(await DraftAttachment.count({ where: { draftId: _id } })).toBe(0);
    expect(await isCounted()).toBe(true);
  });

  it('is not overwritten by a window that began with an older version', async () => {
    const { _id } = await save({ subject: 'One' });
    await save({ draft_id: _id, version: '1', subject: 'Two' });
    const late = await post('/mail/draft/save', { draft_id: _id, version: '1', subject: 'Three' });
    expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect((await read(_id)).body.data).toMatchObject({ subject: 'Two', version: 2 });
  });

  it('is not sent by a window that began with an older version', async () => {
    const { _id } = await save({ subject: 'One' });
    await save({ draft_id: _id, version: '1', subject: 'Two' });
    const send = (version: string) =>
      post('/mail/send', { draft_id: _id, draft_version: version, 'recipient_emails_to[]': 'ben@remote.test' });
    expect(await send('1')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect((await read(_id)).body.data).toMatchObject({ subject: 'Two' });
    expect((await send('2')).status).toBe(200);
    expect((await read(_id)).status).toBe(404);
  });

  it('begins as a copy of another one, with its files', async () => {
    const first = await save({ subject: 'One' }, [
      ['a.txt', file('first')],
      ['b.txt', file('second')],
    ]);
    const [removed = '', seen = ''] = first.attachments.map(({ _id }) => _id);
    const files = { 'with_attachments[]': [removed, seen], 'without_attachments[]': removed };
    const copy = await save({ copy_of: first._id, subject: 'Mine', ...files });
    const older = await save({ copy_of: first._id, subject: 'By an older page', 'without_attachments[]': removed });
    expect(older.attachments).toMatchObject([{ original_name: 'b.txt' }]);
    expect(await save({ copy_of: first._id, 'with_attachments[]': '' })).toMatchObject({ attachments: [] });
    await remove([first._id]);
    const kept = (await read(copy._id)).body.data as DraftDto;
    expect(kept).toMatchObject({ subject: 'Mine', version: 1, attachments: [{ original_name: 'b.txt' }] });
    expect(await textOf(kept.attachments[0]?.file_path ?? '')).toBe('second');
    expect((await save({ copy_of: first._id, subject: 'Of nothing' })).attachments).toEqual([]);
  });

  it('has as a copy no file that only the other one has, and none that the other one has no more', async () => {
    const first = await save({ subject: 'One' }, [['a.txt', file('first')]]);
    const [{ _id: seen } = { _id: '' }] = first.attachments;
    const other = { draft_id: first._id, version: '1', 'without_attachments[]': seen };
    await save({ ...other, subject: 'Two' }, [['b.txt', file('second')]]);
    const copy = await save({ copy_of: first._id, subject: 'Mine', 'with_attachments[]': seen });
    expect(copy).toMatchObject({ subject: 'Mine', attachments: [] });
    expect((await read(first._id)).body.data).toMatchObject({ attachments: [{ original_name: 'b.txt' }] });
  });

  it('is listed, the one that was saved last first, without its text', async () => {
    const other = await newPerson();
    const ids: string[] = [];
    for (const subject of ['first', 'second', 'third']) {
      const answer = await post('/mail/draft/save', { subject, body: `<p>${subject} text</p>` }, [], other.token);
      ids.push((answer.body.data as DraftDto)._id);
    }
    await post('/mail/draft/save', { draft_id: ids[0] ?? '', subject: 'first again' }, [['a', file('x')]], other.token);
    const page = (query: string) => server.call('GET', `/mail/draft/get?${query}`, { token: other.token });
    const first = await page('page=1&limit=2');
    expect(first.body).toMatchObject({ pagination: { totalData: 3 } });
    expect(first.body.data as DraftRowDto[]).toMatchObject([
      { subject: 'first again', body: '', attachment_count: 1 },
      { subject: 'third', body: 'third text', attachment_count: 0 },
    ]);
    expect((await page('page=2&limit=2')).body.data).toMatchObject([{ subject: 'second' }]);
    expect((await page('page=9&limit=2')).body.data).toEqual([]);
    const totals = await server.call('GET', '/mail/totals', { token: other.token });
    expect(totals.body.data).toMatchObject({ draft: { total: 3, unread: 0 } });
  });

  it('is its writer’s alone', async () => {
    const { _id } = await save({ subject: 'Mine' });
    const other = await newPerson();
    const calls = [
      post('/mail/draft/save', { draft_id: _id, subject: 'Theirs' }, [], other.token),
      server.call('DELETE', '/mail/draft/delete', { token: other.token, body: { draft_ids: [_id] } }),
      server.call('GET', `/mail/draft/get/${_id}`, { token: other.token }),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'draft_not_found' } });
    }
    expect(await Draft.findByPk(_id)).toMatchObject({ subject: 'Mine' });
  });

  it('is not deleted from a list that shows an older version of it', async () => {
    const { _id } = await save({ subject: 'Deleted unseen?' });
    const answer = await server.call('GET', '/mail/draft/get?page=1&limit=50', { token });
    const row = (answer.body.data as DraftRowDto[]).find((one) => one._id === _id);
    expect(row?.version).toBe(1);
    await save({ draft_id: _id, version: '1', subject: 'Deleted unseen? No' });
    const removeAs = (version: number | undefined) =>
      server.call('DELETE', '/mail/draft/delete', {
        token,
        body: { draft_ids: [_id], versions: { [_id]: version } },
      });
    expect(await removeAs(row?.version)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    const other = await save({ subject: 'Not deleted with it' });
    const both = { draft_ids: [_id, other._id], versions: { [_id]: 1, [other._id]: 1 } };
    expect(await server.call('DELETE', '/mail/draft/delete', { token, body: both })).toMatchObject({
      status: 409,
      body: { message: 'One of these drafts was changed in another window meanwhile.' },
    });
    expect((await read(other._id)).status).toBe(200);
    expect((await read(_id)).body.data).toMatchObject({ subject: 'Deleted unseen? No' });
    expect((await removeAs(2)).status).toBe(200);
  });

  it('is deleted with others, all or none', async () => {
    const { _id } = await save({ subject: 'Stays' });
    expect((await remove([_id, '999999999'])).status).toBe(404);
    expect((await read(_id)).status).toBe(200);
    expect((await remove([_id, _id])).body).toMatchObject({ data: { removed: 1 } });
    expect((await remove([])).status).toBe(422);
  });

  it('is not deleted by a window that has an older version', async () => {
    const { _id, version } = await save({ subject: 'Read' });
    const other = await save({ subject: 'With it' });
    await save({ draft_id: _id, subject: 'Changed elsewhere' });
    const removeAs = (known: number) =>
      server.call('DELETE', '/mail/draft/delete', {
        token,
        body: { draft_ids: [_id, other._id], versions: { [_id]: known } },
      });
    expect(await removeAs(version)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect((await read(_id)).body.data).toMatchObject({ subject: 'Changed elsewhere' });
    expect(await read(other._id)).toMatchObject({ status: 200 });
    expect((await removeAs(version + 1)).body.data).toEqual({ removed: 2 });
  });

  it('is refused with what can’t be kept, and nothing is left of it', async () => {
    const large = new Blob([new Uint8Array(attachmentLimits.other + 1)], { type: 'text/plain' });
    expect((await post('/mail/draft/save', { subject: 'x' }, [['big.txt', large]])).body).toMatchObject({
      code: 'attachment_too_large',
    });
    expect((await post('/mail/draft/save', { subject: 'x'.repeat(999) })).status).toBe(422);
    expect((await post('/mail/draft/save', { from: 'no address' })).status).toBe(422);
    expect((await post('/mail/draft/save', { draft_id: 'x' })).status).toBe(422);
    await save({ subject: 'Fills it', body: `<p>${'long '.repeat(20)}</p>` });
    const { storage } = (await server.call('GET', '/mail/totals', { token })).body.data as { storage: MailboxUse };
    await person.user.update({ storageLimit: String(storage.used + 5) });
    const before = await Draft.count();
    const full = await post('/mail/draft/save', { subject: 'x', body: '<p>too much for it</p>' });
    await person.user.update({ storageLimit: null });
    expect(full).toMatchObject({ status: 422, body: { code: 'mailbox_full' } });
    expect(await Draft.count()).toBe(before);
    expect(await isCounted()).toBe(true);
  });

  it('is refused with more recipients than there is room for, and counts those that it has', async () => {
    const other = await newPerson();
    const saveAs = (fields: Fields) => post('/mail/draft/save', fields, [], other.token);
    const lists = (people: string[]) =>
      Object.fromEntries(['to', 'cc', 'bcc'].map((name) => [`recipient_emails_${name}[]`, people]));
    const tooLong = { errors: { recipients: 'The recipients are too long together. Take some of them out' } };
    const longest = Array.from({ length: 300 }, () => '東'.repeat(800));
    expect(await saveAs(lists(longest))).toMatchObject({ status: 422, body: tooLong });
    const people = Array.from({ length: 300 }, (_, index) => `${'東'.repeat(50)} <person.${index}@remote.test>`);
    const saved = await saveAs(lists(people));
    expect(saved.status).toBe(200);
    const { storage } = (await server.call('GET', '/mail/totals', { token: other.token })).body.data as {
      storage: MailboxUse;
    };
    expect(storage.used).toBe(3 * Buffer.byteLength(people.join('')));
    expect(await verifyTotals(systemContext(server.app), String(other.person.user.id))).toBe(true);
    await other.person.user.update({ storageLimit: String(storage.used) });
    const one = { 'recipient_emails_to[]': 'ben@remote.test' };
    expect(await saveAs(one)).toMatchObject({ status: 422, body: { code: 'mailbox_full' } });
    const { _id: draft_id } = saved.body.data as DraftDto;
    expect(await saveAs({ draft_id, ...one })).toMatchObject({ status: 200 });
  });

  it('holds at most as many bytes of files as a message', async () => {
    const part = new Blob([new Uint8Array(attachmentLimits.other)], { type: 'text/plain' });
    const { _id } = await save({ subject: 'x' }, [
      ['1', part],
      ['2', part],
    ]);
    const third = await post('/mail/draft/save', { draft_id: _id, subject: 'x' }, [['3', part]]);
    expect(third).toMatchObject({ status: 413, body: { code: 'attachment_too_large' } });
    expect((await read(_id)).body.data).toMatchObject({ attachments: [{}, {}], version: 1 });
  });
});

describe('a draft of an answer', () => {
  const raw = (subject: string): Buffer =>
    Buffer.from(
      [
        'From: Ben <ben@remote.test>',
        `To: ${person.user.email}`,
        `Subject: ${subject}`,
        `Message-ID: <${subject}@remote.test>`,
        'References: <root@remote.test>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: text/plain',
        '',
        'Question',
        '--m',
        'Content-Type: image/gif; name=logo.gif',
        'Content-ID: <logo@remote.test>',
        'Content-Disposition: inline',
        'Content-Transfer-Encoding: base64',
        '',
        'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
        '--m',
        'Content-Type: text/plain; name=terms.txt',
        'Content-Disposition: attachment; filename=terms.txt',
        '',
        'the terms',
        '--m--',
        '',
      ].join('\r\n'),
    );

  async function original(subject: string): Promise<string> {
    const { user, company } = person;
    const stored = await storeInbound(systemContext(server.app), {
      raw: raw(subject),
      envelopeFrom: 'ben@remote.test',
      recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
      client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
      authentication: null,
      traceHeaders: '',
      mailId: `draft-${subject}`,
    });
    return stored.entryIds[0] ?? '';
  }

  async function sentFrom(draft_id: string): Promise<{ email: EmailDto; message: Message }> {
    const sent = await post('/mail/send', { draft_id, 'recipient_emails_to[]': 'ben@remote.test', body: 'Yes' });
    const { _id } = sent.body.data as EmailDto;
    const email = (await server.call('GET', `/mail/get/${_id}`, { token })).body.data as EmailDto;
    const entry = await MailboxEntry.findByPk(_id, { rejectOnEmpty: true });
    return { email, message: await Message.findByPk(entry.messageId, { rejectOnEmpty: true }) };
  }

  it('goes into its conversation, even when the original is gone by then', async () => {
    const originalEmailId = await original('gone');
    const draft = await save({ originalEmailId, is_reply: 'true', subject: 'Re: gone', body: 'Yes' });
    const flags = { email_id: [originalEmailId], trash_status: true, delete_status: true };
    await server.call('PUT', '/mail/status_change', { token, body: flags });
    const { message } = await sentFrom(draft._id);
    const source: Buffer[] = [];
    for await (const chunk of server.app.blobs.get(message.blobKey)) source.push(chunk as Buffer);
    const text = Buffer.concat(source)
      .toString()
      .replaceAll(/\r\n\s+/g, ' ');
    expect(text).toContain('In-Reply-To: <gone@remote.test>');
    expect(text).toContain('References: <root@remote.test> <gone@remote.test>');
    expect((await read(draft._id)).status).toBe(404);
  });

  it('goes into the conversation that the sender names, when the draft has none', async () => {
    const originalEmailId = await original('named');
    const { _id: draft_id } = await save({ subject: 'Re: named', body: 'Yes' });
    const fields = { originalEmailId, is_reply: 'true', draft_id, 'recipient_emails_to[]': 'ben@remote.test' };
    const sent = await post('/mail/replyOrForward', fields);
    const entry = await MailboxEntry.findByPk((sent.body.data as EmailDto)._id, { rejectOnEmpty: true });
    const asked = await MailboxEntry.findByPk(originalEmailId, { rejectOnEmpty: true });
    expect(entry.threadKey).toBe(asked.threadKey);
    expect((await read(draft_id)).status).toBe(404);
  });

  it('marks the original as answered when it is sent, and not before', async () => {
    const originalEmailId = await original('later');
    const draft = await save({ originalEmailId, is_reply: 'true', body: 'Yes' });
    const entry = await MailboxEntry.findByPk(originalEmailId, { rejectOnEmpty: true });
    expect(entry.answeredStatus).toBe(false);
    await sentFrom(draft._id);
    expect((await entry.reload()).answeredStatus).toBe(true);
  });

  it('takes the files of a message that is forwarded along, but for those taken away', async () => {
    const originalEmailId = await original('forward');
    const shown = (await server.call('GET', `/mail/get/${originalEmailId}`, { token })).body.data as EmailDto;
    const logo = shown.attachments.find((each) => each.original_name === 'logo.gif')?._id ?? '';
    const draft = await save({ originalEmailId, body: 'See', 'without_attachments[]': logo });
    expect(draft.attachments.map((each) => each.original_name)).toEqual(['terms.txt']);
    const { email, message } = await sentFrom(draft._id);
    expect(email.attachments.map((each) => each.original_name)).toEqual(['terms.txt']);
    expect(message.isForwarded).toBe(true);
  });

  it('has each file once when its sender names the original as well', async () => {
    const originalEmailId = await original('twice');
    const draft = await save({ originalEmailId, body: 'See' });
    const [logo] = draft.attachments;
    expect(draft.attachments.map((each) => each.original_name)).toEqual(['logo.gif', 'terms.txt']);
    const kept = await save({ draft_id: draft._id, 'without_attachments[]': logo?._id ?? '' });
    const fields = { originalEmailId, draft_id: kept._id, 'recipient_emails_to[]': 'ben@remote.test', body: 'See' };
    const sent = (await post('/mail/replyOrForward', fields)).body.data as EmailDto;
    const email = (await server.call('GET', `/mail/get/${sent._id}`, { token })).body.data as EmailDto;
    expect(email).toMatchObject({ isForwarded: true, attachments: [{ original_name: 'terms.txt' }] });
    expect(email.attachments).toHaveLength(1);
  });

  it('shows the pictures that it quotes, by paths that work when it is opened', async () => {
    const originalEmailId = await original('picture');
    const shown = (await server.call('GET', `/mail/get/${originalEmailId}`, { token })).body.data as EmailDto;
    const picture = shown.attachments.find((each) => each.original_name === 'logo.gif');
    const body = `<p>As you wrote</p><img src="${picture?.file_path}"><img src="cid:quoted.999.0">`;
    const draft = await save({ originalEmailId, is_reply: 'true', body });
    const kept = await Draft.findByPk(draft._id, { rejectOnEmpty: true });
    expect(kept.body).toMatch(/src="cid:quoted\.\d+\.\d+"/);
    const path = /src="(\/upload\/attachment\/[^"]+)"/.exec(draft.body)?.[1] ?? '';
    expect((await fetch(server.url + path)).headers.get('content-type')).toBe('image/gif');
  });

  it('shows the pictures that were copied out of a message on the screen, whose addresses have the host', async () => {
    const originalEmailId = await original('copied');
    const shown = (await server.call('GET', `/mail/get/${originalEmailId}`, { token })).body.data as EmailDto;
    const picture = shown.attachments.find((each) => each.original_name === 'logo.gif');
    const draft = await save({ body: `<img src="${server.url}${picture?.file_path}">` });
    expect((await Draft.findByPk(draft._id))?.body).toMatch(/^<img src="cid:quoted\.\d+\.\d+"/);
    expect(draft.body).toMatch(/src="\/upload\/attachment\/[^"]+"/);
  });

  it('shows the pictures of a message in a copy of a mailbox', () => {
    const userId = String(person.user.id);
    const path = signPath(server.app, 'attachment', [userId, 'c12', '1']);
    expect(wordsOfPictures(server.app, userId, path)).toEqual(new Map([[path, 'quoted.c12.1']]));
    const opened = withPictures(server.app, userId, '<img src="cid:quoted.c12.1">');
    const again = /src="([^"]+)"/.exec(opened)?.[1] ?? '';
    expect(pictureAt(server.app, userId, again)).toEqual({ entryId: 'c12', index: 1 });
  });

  it('holds nothing up, however many pictures its text names', async () => {
    const originalEmailId = await original('pictures');
    const shown = (await server.call('GET', `/mail/get/${originalEmailId}`, { token })).body.data as EmailDto;
    const path = shown.attachments.find((each) => each.original_name === 'logo.gif')?.file_path ?? '';
    const forged = Array.from(
      { length: 40_000 },
      (_, part) => `<img src="${path}x${part}"><img src="cid:quoted.1.${part}">`,
    );
    const startedAt = cpuTimeMs();
    const html = forged.join('');
    const words = wordsOfPictures(server.app, String(person.user.id), `${html}<img src="${path}">`);
    expect(words.size).toBeLessThanOrEqual(100);
    const opened = withPictures(server.app, String(person.user.id), html);
    expect(opened.match(/\/upload\/attachment\/\d/g)?.length).toBeGreaterThan(0);
    expect(cpuTimeMs() - startedAt).toBeLessThan(1000);
  });

  it('holds nothing up, however often its text names one picture', async () => {
    const userId = String(person.user.id);
    const longest = (word: string) => word.repeat(5_000_000 / word.length);
    const path = signPath(server.app, 'attachment', [userId, '1', '0']);
    const startedAt = cpuTimeMs();
    expect(wordsOfPictures(server.app, userId, longest(path))).toEqual(new Map([[path, 'quoted.1.0']]));
    wordsOfPictures(server.app, userId, longest('/upload/attachment/x'));
    const opened = withPictures(server.app, userId, longest('"cid:quoted.1.0"'));
    expect(cpuTimeMs() - startedAt).toBeLessThan(150);
    expect(opened.startsWith(`"${path.slice(0, 30)}`)).toBe(true);
    // What is beyond the places that are looked at stays as it was written
    expect(opened.endsWith('"cid:quoted.1.0"')).toBe(true);
  });

  it('of a message that its writer does not have is a draft without an original', async () => {
    const other = await newPerson();
    const { entryIds } = await receive(systemContext(server.app), [other.person]);
    const draft = await save({ originalEmailId: entryIds[0] ?? '', is_reply: 'true', body: 'Mine' });
    expect(await Draft.findByPk(draft._id)).toMatchObject({ originalEntryId: null, inReplyTo: null });
  });
});

describe('a message that was taken back', () => {
  it('is a draft that can be saved and sent, and stays counted', async () => {
    const sent = await post('/mail/send', { 'recipient_emails_to[]': 'ben@remote.test', subject: 'Oops', body: 'x' });
    const { _id } = sent.body.data as EmailDto;
    await server.call('PUT', '/mail/status_change', { token, body: { email_id: [_id], star_status: true } });
    const undone = await server.call('POST', `/mail/undo_send/${_id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    const { entryId } = await Draft.findByPk(draft_id, { rejectOnEmpty: true });
    expect(await MailboxEntry.findByPk(entryId ?? '')).toMatchObject({ folder: 'draft', starStatus: false });
    const saved = await save({ draft_id, version: '1', subject: 'Better', body: '<p>Better</p>' });
    expect(saved).toMatchObject({ subject: 'Better', from: person.user.email, version: 2 });
    expect(await isCounted()).toBe(true);
    const again = await post('/mail/send', { draft_id, 'recipient_emails_to[]': 'ben@remote.test', subject: 'Better' });
    expect(again.status).toBe(200);
    expect(await Draft.findByPk(draft_id)).toBeNull();
    expect(await isCounted()).toBe(true);
  });
});
