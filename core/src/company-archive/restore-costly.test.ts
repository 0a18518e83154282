import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import { readBlob } from '../mailstore/read-blob.ts';
import { readStructure } from '../mailstore/read-structure.ts';
import { saveDraft } from '../mailstore/save-draft.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { restoreCompany } from './restore-company.ts';
import { archiveCompany, eraseCompany } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await startTestApp(await testEnvironment({ ARCHIVE_SPARE_BYTES: '0' }));
  ctx = systemContext(app);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const costly = () => Promise.reject(new MessageTooComplex('too_costly'));

/** Archives, erases and restores the company of a person. Answers what the operator was told. */
async function restoreGone(person: Mailbox): Promise<{ companyId: string; said: string[] }> {
  const path = await archiveCompany(ctx, person);
  await eraseCompany(ctx, person);
  const said: string[] = [];
  const { companyId } = await restoreCompany(ctx, { path, say: (text) => void said.push(text) });
  return { companyId, said };
}

describe('a restore on a host for which content takes too much', { timeout: 120_000 }, () => {
  it('knows a message by its header, and says so', async () => {
    const ana = await buildMailbox(app);
    await receive(ctx, [ana]);
    const entry = await MailboxEntry.findOne({ where: { userId: String(ana.user.id) }, rejectOnEmpty: true });
    const before = await Message.findByPk(entry.messageId, { rejectOnEmpty: true });
    const raw = await readBlob(app.blobs, before.blobKey);
    const structure = await readStructure(ctx, before);
    const { summarise } = app.content;
    vi.spyOn(app.content, 'summarise').mockImplementation(async (source, key) => {
      const isWhole = Buffer.isBuffer(source) && source.equals(raw);
      return await (isWhole ? costly() : summarise.call(app.content, source, key));
    });
    const { companyId, said } = await restoreGone(ana);
    const [restored] = await MailboxEntry.findAll({ where: { companyId } });
    const message = await Message.findByPk(restored?.messageId ?? '', { rejectOnEmpty: true });
    const { messageIdHeader, subject, fromAddress, toList, size } = before;
    expect(message).toMatchObject({ messageIdHeader, subject, fromAddress, toList, size });
    expect((await readBlob(app.blobs, message.blobKey)).equals(raw)).toBe(true);
    expect(await readStructure(ctx, message)).toEqual(structure);
    expect(said).toContainEqual(expect.stringMatching(/^people\/.*\/cur\/.* takes too much to read \(too_costly\);/));
  });

  it('makes a draft with a scheduled message as its file', async () => {
    const ana = await buildMailbox(app);
    const header = [`From: ${ana.user.email}`, 'To: b@remote.test', 'Subject: Later'];
    const raw = Buffer.from([...header, '', 'The text.', ''].join('\r\n'));
    const sendAt = new Date(Date.now() + 86_400_000);
    await submitMessage(ctx, { user: ana.user, raw, door: 'web', bcc: [], sendAt });
    vi.spyOn(app.content, 'readDraft').mockImplementation(costly);
    const { companyId, said } = await restoreGone(ana);
    const [draft] = await Draft.findAll({ where: { companyId } });
    expect(draft).toMatchObject({ subject: 'Later', toList: ['b@remote.test'], body: '' });
    const [file] = await DraftAttachment.findAll({ where: { draftId: String(draft?.id) } });
    expect(file).toMatchObject({ filename: 'message.eml', contentType: 'message/rfc822' });
    expect(String(await readBlob(app.blobs, file?.blobKey ?? ''))).toContain('The text.');
    expect(said).toContainEqual(expect.stringContaining('the person has it as a file of a draft'));
  });

  it('makes a file of the text of a draft', async () => {
    const ana = await buildMailbox(app);
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    const lists = { toList: [], ccList: [], bccList: [] };
    const content = { ...lists, subject: 'Begun', body: '<p>So far</p>', preview: '', fromAddress: null };
    const origin = { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: [] };
    const save = { ...owner, known: null, content, origin, added: [], without: new Set<string>() };
    await inTransaction(ctx, (tx) => saveDraft(tx, save));
    vi.spyOn(app.content, 'keepWriting').mockImplementation(costly);
    const { companyId, said } = await restoreGone(ana);
    const [draft] = await Draft.findAll({ where: { companyId } });
    expect(draft).toMatchObject({ subject: 'Begun', body: '' });
    const [file] = await DraftAttachment.findAll({ where: { draftId: String(draft?.id) } });
    expect(String(await readBlob(app.blobs, file?.blobKey ?? ''))).toBe('<p>So far</p>');
    expect(said).toContainEqual(expect.stringContaining('the person has it as a file'));
  });
});
