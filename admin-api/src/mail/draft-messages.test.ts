import { randomBytes, randomUUID } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { writeDraftMessages } from '@selvage/core/mailstore/draft-messages';
import { readBlob } from '@selvage/core/mailstore/read-blob';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { removeMessageIfUnreferenced } from '@selvage/core/mailstore/remove-unreferenced';
import { inboundOf, receive, receiveFiles } from '@selvage/core/mailstore/test-messages';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { pauseWriting } from '../../../tests/support/pause-writing.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  person = await buildMailbox(server.app);
  ({ token } = await server.signIn(person.user.email, person.password));
});

type Fields = Record<string, string | string[]>;

async function post(path: string, fields: Fields, files: [string, Blob][] = []): Promise<unknown> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) form.append(name, each);
  }
  for (const [name, file] of files) form.append('attachments', file, name);
  const answer = await server.call('POST', path, { token, body: form });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data;
}

const save = async (fields: Fields, files: [string, Blob][] = []): Promise<DraftDto> =>
  (await post('/mail/draft/save', fields, files)) as DraftDto;

const pause = (draftId: string, workers = 1): Promise<void> =>
  pauseWriting(systemContext(server.app), draftId, workers);

interface Written {
  draft: Draft;
  entry: MailboxEntry;
  message: Message;
  raw: Buffer;
}

async function bytesOf(draftId: string): Promise<Written> {
  const draft = await Draft.findByPk(draftId, { rejectOnEmpty: true });
  const entry = await MailboxEntry.findByPk(draft.entryId ?? '0', { rejectOnEmpty: true });
  const message = await Message.findByPk(entry.messageId, { rejectOnEmpty: true });
  return { draft, entry, message, raw: await readBlob(server.app.blobs, message.blobKey) };
}

async function finds(q: string): Promise<SearchRowDto[]> {
  const answer = await server.call('GET', `/mail/search?${new URLSearchParams({ q }).toString()}`, { token });
  return (answer.body.data as { rows: SearchRowDto[] }).rows;
}

const isCounted = (): Promise<boolean> => verifyTotals(systemContext(server.app), String(person.user.id));
const word = (): string => `w${randomUUID().replaceAll('-', '')}`;

describe('a draft whose writer pauses', () => {
  it('becomes a message with its complete addresses, its text, its pictures and its files', async () => {
    const picture = 'R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
    const fields = {
      'recipient_emails_to[]': ['Ben <ben@remote.test>', 'half typed@'],
      'recipient_emails_bcc[]': 'boss@remote.test',
      subject: 'Looms',
      body: `<p>Dear <b>Ben</b></p><img src="data:image/gif;base64,${picture}">`,
    };
    const { _id } = await save(fields, [['a.txt', new Blob(['first'], { type: 'text/plain' })]]);
    await pause(_id);
    const { draft, entry, message, raw } = await bytesOf(_id);
    expect(entry).toMatchObject({
      folder: 'draft',
      draftStatus: true,
      readStatus: true,
      bccList: ['boss@remote.test'],
    });
    expect(draft).toMatchObject({ bytesDueAt: null, version: 1 });
    expect(message).toMatchObject({ subject: 'Looms', fromAddress: person.user.email, attachmentCount: 1 });
    expect(raw.toString('latin1')).not.toMatch(/boss@|half typed/);
    const parsed = await parseMessage(raw, { keepContent: true });
    expect(parsed.to).toEqual([{ name: 'Ben', address: 'ben@remote.test' }]);
    expect(parsed.html).toMatch(/<b>Ben<\/b>.*<img src="cid:/s);
    expect(parsed.attachments.map(({ contentType, related }) => [contentType, related])).toEqual(
      expect.arrayContaining([
        ['image/gif', true],
        ['text/plain', false],
      ]),
    );
    expect(await isCounted()).toBe(true);
  });

  it('is found by what it says now, and is opened as a draft', async () => {
    const [first, second] = [word(), word()];
    const { _id } = await save({ subject: first, body: 'Some text' });
    expect(await finds(first)).toEqual([]);
    await pause(_id);
    expect(await finds(first)).toMatchObject([{ folder: 'draft', draft_id: _id, subject: first }]);
    expect(await finds(`${first} in:drafts`)).toHaveLength(1);
    expect(await finds(`${first} in:inbox`)).toEqual([]);
    const before = await bytesOf(_id);

    await save({ draft_id: _id, version: '1', subject: second, body: 'Other text' });
    await pause(_id);
    expect(await finds(first)).toEqual([]);
    expect(await finds(second)).toMatchObject([{ draft_id: _id }]);
    const after = await bytesOf(_id);
    expect(Number(after.entry.uid)).toBeGreaterThan(Number(before.entry.uid));
    expect(await before.entry.reload()).toMatchObject({ folder: 'gone', uid: null });
    const ctx = systemContext(server.app);
    expect(await removeMessageIfUnreferenced(ctx, String(before.message.id))).toBe('removed');
    expect(await server.app.blobs.has(before.message.blobKey)).toBe(false);
    expect(await isCounted()).toBe(true);
  });

  it('becomes a message when it was saved while the clock was ahead', async () => {
    const { _id } = await save({ subject: 'Ahead' });
    await Draft.update({ bytesDueAt: new Date(Date.now() + 365 * 86_400_000) }, { where: { id: _id } });
    await writeDraftMessages(systemContext(server.app));
    expect((await bytesOf(_id)).message.subject).toBe('Ahead');
  });

  it('is one message, however many workers look for it', async () => {
    const { _id } = await save({ subject: word() });
    await pause(_id, 3);
    const { draft } = await bytesOf(_id);
    const subject = { subject: draft.subject };
    expect(await Message.count({ where: subject })).toBe(1);
    expect(await isCounted()).toBe(true);
  });

  it('leaves no bytes behind when it is saved while they are made', async () => {
    const { _id } = await save({ subject: word(), body: 'First' });
    const { blobs } = server.app;
    const keys: string[] = [];
    server.app.blobs = blobStoreWith(blobs, {
      put: async (source) => {
        const blob = await blobs.put(source);
        if (keys.push(blob.key) === 1) await save({ draft_id: _id, version: '1', subject: 'Later', body: 'Second' });
        return blob;
      },
    });
    try {
      await pause(_id);
    } finally {
      server.app.blobs = blobs;
    }
    expect(await blobs.has(keys[0] ?? '')).toBe(false);
    const draft = await Draft.findByPk(_id, { rejectOnEmpty: true });
    expect(draft).toMatchObject({ entryId: null, version: 2 });
    expect(draft.bytesDueAt?.getTime()).toBeGreaterThan(Date.now());
    await pause(_id);
    expect((await bytesOf(_id)).message.subject).toBe('Later');
    expect(await isCounted()).toBe(true);
  });

  it('keeps its bytes to itself: no row of the ledger is missed, and its entry goes nowhere alone', async () => {
    const { _id } = await save({ subject: word() });
    await pause(_id);
    const { entry, message } = await bytesOf(_id);
    const from = message.createdAt;
    const { problems } = await checkLedger(systemContext(server.app), { from, to: new Date(from.getTime() + 1) });
    expect(problems.flatMap(({ examples }) => examples)).not.toContain(message.mailId);
    for (const flag of ['trash_status', 'archive_status', 'delete_status', 'junk_status', 'star_status']) {
      const body = { email_id: [String(entry.id)], [flag]: true };
      const answer = await server.call('PUT', '/mail/status_change', { token, body });
      expect(answer).toMatchObject({ status: 409, body: { code: 'message_is_draft' } });
    }
    const removed = await server.call('DELETE', '/mail/draft/delete', { token, body: { draft_ids: [_id] } });
    expect(removed.status).toBe(200);
    expect(await entry.reload()).toMatchObject({ folder: 'gone' });
    expect(await isCounted()).toBe(true);
  });

  it('has no message while its text quotes more pictures than one may hold', async () => {
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(3_000_000)]);
    const received = await receiveFiles(systemContext(server.app), [person], [['large.png', picture]]);
    const entryId = received.entryIds[0] ?? '';
    const { _id } = await save({ subject: word() });
    const quoting = (times: number): string =>
      Array.from({ length: times }, (_, zeros) => `<img src="cid:quoted.${'0'.repeat(zeros)}${entryId}.0">`).join('');
    const write = (times: number) =>
      Draft.update({ body: quoting(times), bytesDueAt: new Date() }, { where: { id: _id } });
    await write(15);
    await pause(_id);
    expect(await Draft.findByPk(_id)).toMatchObject({ entryId: null, bytesDueAt: null });
    await write(1);
    await pause(_id);
    const parsed = await parseMessage((await bytesOf(_id)).raw, { keepContent: true });
    expect(parsed.attachments[0]?.content?.equals(picture)).toBe(true);
  });

  it('is tried again only after the next save when a file of it is lost', async () => {
    const { _id } = await save({ subject: word() }, [['a.txt', new Blob([word()])]]);
    const file = await DraftAttachment.findOne({ where: { draftId: _id }, rejectOnEmpty: true });
    await server.app.blobs.remove(file.blobKey);
    await pause(_id);
    expect(await Draft.findByPk(_id)).toMatchObject({ entryId: null, bytesDueAt: null });
    await save({ draft_id: _id, version: '1', subject: 'Without', 'without_attachments[]': String(file.id) });
    await pause(_id);
    expect((await bytesOf(_id)).message.subject).toBe('Without');
  });
});

describe('a draft that changes while it is sent', () => {
  const to = 'ben@remote.test';

  /** Sends a draft, and does something once its text is composed and before it is committed. */
  async function sendWhile(fields: Fields, work: () => Promise<unknown>): Promise<Answer> {
    const { blobs } = server.app;
    const keys: string[] = [];
    server.app.blobs = blobStoreWith(blobs, {
      put: async (source) => {
        const blob = await blobs.put(source);
        if (keys.push(blob.key) === 1) await work();
        return blob;
      },
    });
    const form = new FormData();
    for (const [name, value] of Object.entries({ 'recipient_emails_to[]': to, ...fields })) {
      form.append(name, String(value));
    }
    try {
      return await server.call('POST', '/mail/send', { token, body: form });
    } finally {
      server.app.blobs = blobs;
    }
  }

  it.each<Fields>([{ draft_version: '1' }, {}])(
    'is kept when another window has saved it, sent with %j',
    async (version) => {
      const [first, later] = [word(), word()];
      const { _id } = await save({ subject: first });
      const elsewhere = () => save({ draft_id: _id, version: '1', subject: later });
      const answer = await sendWhile({ draft_id: _id, ...version, subject: first }, elsewhere);
      expect(answer).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
      expect(await Draft.findByPk(_id)).toMatchObject({ subject: later, version: 2 });
      expect(await Message.count({ where: { subject: first } })).toBe(0);
      expect(await isCounted()).toBe(true);
    },
  );

  it('leaves no entry in Drafts when its bytes are made meanwhile', async () => {
    const subject = word();
    const { _id } = await save({ subject, body: 'First' });
    await pause(_id);
    const earlier = await bytesOf(_id);
    await save({ draft_id: _id, version: '1', subject, body: 'Second' });
    let made: MailboxEntry | undefined;
    const answer = await sendWhile({ draft_id: _id, draft_version: '2', subject }, async () => {
      await pause(_id);
      made = (await bytesOf(_id)).entry;
    });
    expect(answer.status).toBe(200);
    expect(made?.id).not.toBe(earlier.entry.id);
    expect(await Draft.findByPk(_id)).toBeNull();
    expect(await made?.reload()).toMatchObject({ folder: 'gone', deleteStatus: true });
    expect(await isCounted()).toBe(true);
  });
});

describe('what a draft goes on', () => {
  it('stands in its bytes, and in the message that it becomes', async () => {
    const ctx = systemContext(server.app);
    const { entryIds } = await receive(ctx, [person], { messageId: `<${word()}@sender.test>` });
    const [originalEmailId = ''] = entryIds;
    const original = await MailboxEntry.findByPk(originalEmailId, { rejectOnEmpty: true });
    const { _id } = await save({ originalEmailId, is_reply: 'true', subject: 'Re: Hello', body: 'Yes' });
    await pause(_id);
    const { entry } = await bytesOf(_id);
    expect(entry.threadKey).toBe(original.threadKey);
    // A conversation shows what was sent and received, and not what is still written
    const read = await server.call('GET', `/mail/get/${originalEmailId}`, { token });
    expect(JSON.stringify(read.body)).not.toContain('"Yes"');
    const sent = (await post('/mail/send', { draft_id: _id, 'recipient_emails_to[]': 'ben@remote.test' })) as EmailDto;
    const own = await MailboxEntry.findByPk(sent._id, { rejectOnEmpty: true });
    expect(own.threadKey).toBe(original.threadKey);
    expect(await entry.reload()).toMatchObject({ folder: 'gone' });
    expect(await isCounted()).toBe(true);
  });

  it('stays known of a message that was taken back and changed since', async () => {
    const messageId = `<${word()}@sender.test>`;
    const raw = Buffer.from(
      `From: Bea <bea@sender.test>\r\nMessage-ID: ${messageId}\r\nSubject: Asked\r\n\r\nWell?\r\n`,
    );
    const stored = await storeInbound(systemContext(server.app), inboundOf(raw, [person]));
    const answer = { originalEmailId: stored.entryIds[0] ?? '', is_reply: 'true', subject: 'Re: Asked', body: 'Yes' };
    const sent = (await post('/mail/replyOrForward', {
      ...answer,
      'recipient_emails_to[]': 'bea@sender.test',
    })) as EmailDto;
    const undone = await server.call('POST', `/mail/undo_send/${sent._id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    expect(await isCounted()).toBe(true);
    await save({ draft_id, version: '1', subject: 'Re: Asked', body: 'No' });
    await pause(draft_id);
    const { raw: bytes, entry } = await bytesOf(draft_id);
    expect(String(entry.id)).not.toBe(sent._id);
    expect(bytes.toString()).toContain(`In-Reply-To: ${messageId}`);
    expect(bytes.toString()).toMatch(/No\r\n/);
    expect(await isCounted()).toBe(true);
  });
});
