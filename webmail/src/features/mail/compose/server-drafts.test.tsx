import type { AttachmentDto } from '@selvage/core/contracts/email';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { storeTokens } from '../../../lib/session.ts';
import { storageKeys } from '../../../lib/storage-keys.ts';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import { carriedFiles, type Composition } from './composition.ts';
import { attachFiles, dropCarried } from './message-files.ts';
import { sendMessage } from './sending.ts';
import { saveAsDraft } from './server-drafts.ts';
import { originOfForward, startComposition } from './start-composition.ts';
import { closeMessage, discardAll, discardMessage } from './close-messages.ts';
import { holdMessage, messages, OpenMessage, showMessage } from './windows.ts';

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};
const changedElsewhere = { status: 409, body: { success: false, code: 'changed_meanwhile', message: 'Changed.' } };

let arrived: Arrived[];
/** The bodies of the calls that delete drafts. */
let removals: unknown[];
let removal: { status: number; body: object };

beforeEach(() => {
  messages.set([]);
  noteAnswer(200);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  arrived = takeUploads();
  removals = [];
  removal = { status: 200, body: { success: true, message: '', data: { removed: 1 } } };
  vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
    if (!url.endsWith('/mail/draft/delete')) return Promise.reject(new TypeError('no server'));
    removals.push(JSON.parse(body));
    return Promise.resolve(Response.json(removal.body, { status: removal.status }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  queryClient.clear();
});

function write(): OpenMessage {
  const begun = startComposition({ kind: 'new' }, '7', writer);
  const written = { subject: 'Looms', html: '<div>They arrive on Monday.</div>', isTextChanged: true };
  const message = new OpenMessage({ ...begun, ...written }, { isKept: false });
  showMessage(message);
  return message;
}

/** The call that comes so manieth, counted from 1. */
function call(number: number): Promise<Arrived> {
  return vi.waitUntil(() => arrived[number - 1], { timeout: 30_000 });
}

function answerSave({ answer, fields }: Arrived, draftId: string, attachments: AttachmentDto[] = []): void {
  const people = { recipient_emails_to: [], recipient_emails_cc: [], recipient_emails_bcc: [] };
  const core = { _id: draftId, subject: fields['subject'], body: fields['body'], from: null, star_status: false };
  const data = { ...core, ...people, attachments, version: 1, updatedAt: '2026-11-27T08:00:00.000Z' };
  answer(200, { success: true, message: '', data });
}

function answerSend({ answer, path }: Arrived): void {
  expect(path).toBe('/mail/send');
  const undo = { undo_until: '2026-11-27T08:00:00.000Z', undo_ms: 0 };
  answer(200, { success: true, message: '', data: { _id: '8', ...undo, scheduled_for: null } });
}

async function writeDraft(): Promise<OpenMessage> {
  const message = write();
  const saving = message.saver.post(false);
  answerSave(await call(1), '700');
  await saving;
  return message;
}

function fileOf(id: string, name: string): AttachmentDto {
  const kind = { contentType: 'application/pdf', file_type: 'pdf', showData: true };
  return { _id: id, original_name: name, file_path: `/${id}`, size: 5, ...kind };
}

/** A message with one file that was chosen here and is in its draft by now, and no text. */
async function attachAndSave(begun: Composition): Promise<OpenMessage> {
  const message = new OpenMessage(begun, { isKept: false });
  showMessage(message);
  attachFiles(message, [new File(['price'], 'prices.pdf', { type: 'application/pdf' })]);
  const saving = message.saver.post(false);
  const carried = carriedFiles(begun).map((file) => ({ ...file, _id: `7${file._id}` }));
  answerSave(await call(1), '700', [...carried, fileOf('9', 'prices.pdf')]);
  await saving;
  expect(message.composition.get().files).toEqual([]);
  return message;
}

const asRead = { draft_ids: ['700'], versions: { 700: 1 } };

const begun = startComposition({ kind: 'new' }, '7', writer);
const carried = [fileOf('1', 'looms.pdf')];
const forward: Composition = {
  ...begun,
  origin: { kind: 'forward', emailId: '1', files: carried },
  start: { ...begun.start, files: carried },
};

it('has the pictures of a text as files when it is forwarded as plain text', async () => {
  localStorage.setItem(storageKeys.writing, 'plain');
  const logo = { ...fileOf('1', 'logo.png'), file_type: 'image', showData: false };
  const attachments = [logo, { ...logo, _id: '2', file_type: 'text' }, fileOf('3', 'looms.pdf')];
  const origin = originOfForward({ _id: '1', attachments });
  expect(carriedFiles({ origin, dropped: [] }).map(({ _id }) => _id)).toEqual(['1', '3']);
  const message = new OpenMessage({ ...forward, origin }, { isKept: false });
  const sent = sendMessage(message, null);
  const send = await call(1);
  expect(send).toMatchObject({ path: '/mail/replyOrForward', fields: { with_pictures: 'true', is_reply: 'false' } });
  send.answer(422, { success: false, code: 'invalid', message: 'No.' });
  await sent;
});

describe('the draft that a message has become', () => {
  it.each<[string, Composition]>([
    ['a new message', begun],
    ['a reply', { ...begun, origin: { kind: 'reply', emailId: '1' } }],
    ['a forward', forward],
  ])('stays when a file was attached to %s and nothing was written', async (_what, composition) => {
    const message = await attachAndSave(composition);
    await closeMessage(message);
    expect(removals).toEqual([]);
    expect(messages.get()).toEqual([]);
  });

  it('stays when a file of the original was removed from a forward', async () => {
    const message = new OpenMessage(forward, { isKept: false });
    showMessage(message);
    dropCarried(message, '1');
    const saving = message.saver.post(false);
    answerSave(await call(1), '700');
    await saving;
    await closeMessage(message);
    expect(removals).toEqual([]);
  });

  it.each([[['2']], [['1', '2']]])('lacks the files %s that were removed while it was first saved', async (removed) => {
    const twins = [fileOf('1', 'looms.pdf'), fileOf('2', 'looms.pdf')];
    const origin = { kind: 'forward', emailId: '1', files: twins } as const;
    const message = new OpenMessage({ ...forward, origin, isTextChanged: true }, { isKept: false });
    const saving = message.saver.post(false);
    for (const id of removed) dropCarried(message, id);
    answerSave(
      await call(1),
      '700',
      twins.map((file) => ({ ...file, _id: `7${file._id}` })),
    );
    await saving;
    expect(message.composition.get().dropped).toEqual(removed.map((id) => `7${id}`));
  });

  it('is deleted when the attached file was removed again', async () => {
    const message = await attachAndSave(forward);
    dropCarried(message, '9');
    await closeMessage(message);
    expect(removals).toEqual([asRead]);
  });

  it('is deleted as it was read when the message is emptied and closed, and stays when it was changed', async () => {
    removal = changedElsewhere;
    const message = await writeDraft();
    message.write({ subject: '', html: '', isTextChanged: false });
    await closeMessage(message);
    expect(removals).toEqual([asRead]);
    expect(messages.get()).toEqual([]);
  });

  it('stays with an emptied message that is opened again while its window waits for a save', async () => {
    const message = await writeDraft();
    message.write({ subject: 'The new looms' });
    const saving = message.saver.post(false);
    message.write({ subject: '', html: '', isTextChanged: false });
    const closed = closeMessage(message);
    const save = await call(2);
    showMessage(message);
    message.write({ subject: 'The old looms' });
    answerSave(save, '700');
    await saving;
    await closed;
    expect(removals).toEqual([]);
    expect(messages.get()).toEqual([message]);
  });

  it('is deleted when the message was sent right after a save that was not answered', async () => {
    const message = write();
    const saving = message.saver.post(false).catch(() => undefined);
    (await call(1)).lose();
    await saving;
    const sent = sendMessage(message, null);
    (await call(2)).lose();
    answerSend(await call(3));
    const again = await call(4);
    expect(again).toMatchObject({ path: '/mail/draft/save', fields: arrived[0]?.fields });
    answerSave(again, '700');
    await sent;
    expect(removals).toEqual([asRead]);
    expect(messages.get()).toEqual([]);
  });

  it('is gone on with when the message was changed while it was sent', async () => {
    const message = write();
    const saving = message.saver.post(false).catch(() => undefined);
    (await call(1)).lose();
    await saving;
    const sent = sendMessage(message, null);
    (await call(2)).lose();
    const send = await call(3);
    message.write({ html: '<div>They arrive on Tuesday.</div>' });
    answerSend(send);
    await sent;
    const settled = message.saver.settle();
    answerSave(await call(4), '700');
    await settled;
    expect(message.composition.get().origin).toMatchObject({ kind: 'draft', draftId: '700' });
    expect(removals).toEqual([]);
  });

  it('is deleted with a message that is discarded', async () => {
    await discardMessage(await writeDraft());
    expect(removals).toEqual([asRead]);
    expect(messages.get()).toEqual([]);
  });

  it('stays when it was changed elsewhere, and the window asks what becomes of the two', async () => {
    removal = changedElsewhere;
    const message = await writeDraft();
    holdMessage(message);
    await discardMessage(message);
    expect(message).toMatchObject({ isShown: true });
    expect(message.saver.state.get()).toBe('changed');
    expect(messages.get()).toEqual([message]);
  });

  it('stays when it was changed elsewhere, and what was written here is gone at logout', async () => {
    removal = changedElsewhere;
    await writeDraft();
    await discardAll();
    expect(removals).toEqual([asRead]);
    expect(messages.get()).toEqual([]);
  });
});

it('keeps a file that was attached in the window that was opened again during the upload of another', async () => {
  const all = { view: true, create: true, edit: true, delete: true };
  queryClient.setQueryData(currentUserKey, { ...writer, permissions: [{ model: 'draft', ...all }] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const message = new OpenMessage(begun, { isKept: false });
  showMessage(message);
  attachFiles(message, [new File(['price'], 'prices.pdf', { type: 'application/pdf' })]);
  const first = await call(1);
  const closed = closeMessage(message);
  await vi.waitUntil(() => message.isParked);
  showMessage(message);
  attachFiles(message, [new File(['looms'], 'looms.pdf', { type: 'application/pdf' })]);
  // Its save is due by then, and waits for the upload, as the closed window does
  await vi.advanceTimersByTimeAsync(20_000);
  const prices = fileOf('8', 'prices.pdf');
  answerSave(first, '700', [prices]);
  await call(2);
  await vi.advanceTimersByTimeAsync(1000);
  for (const save of arrived.slice(1)) answerSave(save, '700', [prices, fileOf('9', 'looms.pdf')]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(carriedFiles(message.composition.get()).map(({ _id }) => _id)).toEqual(['8', '9']);
  await closed;
});

describe('a draft that the server refuses', () => {
  it('says what is wrong with it, since no field of the window is marked', async () => {
    const saving = saveAsDraft(write());
    const errors = { recipients: 'The recipients are too long together' };
    (await call(1)).answer(422, {
      success: false,
      code: 'invalid',
      message: 'Please check the marked fields.',
      errors,
    });
    expect(await saving).toEqual({ problem: 'The recipients are too long together.' });
  });
});
