import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { currentUserKey, queryClient } from '../../../lib/query-client.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import { unsentWords } from '../../../words/compose-unsent.ts';
import type { Composition } from './composition.ts';
import { attachFiles } from './message-files.ts';
import { readRecipients } from './recipients.ts';
import { askNow, resumeAsking, sendMessage } from './sending.ts';
import { sentMessages, undoSent } from './sent-messages.ts';
import { startComposition } from './start-composition.ts';
import { closeMessage } from './close-messages.ts';
import { openUnsent, refreshUnsent } from './unsent.ts';
import { attachMessages } from './whole-messages.ts';
import { holdMessage, messages, OpenMessage, showMessage } from './windows.ts';

/** A machine that is busy with other tests is slow, not wrong. */
const patient = { timeout: 30_000 };
const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};

let arrived: Arrived[];

beforeEach(() => {
  messages.set([]);
  sentMessages.set([]);
  noteAnswer(200);
  signIn('7');
  arrived = takeUploads();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no server')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

function write(content: Partial<Composition> = {}): OpenMessage {
  const begun = startComposition({ kind: 'new' }, '7', writer);
  const written = { subject: 'Salaries', html: '<div>Dear Bob</div>', isTextChanged: true, ...content };
  const message = new OpenMessage({ ...begun, ...written }, { isKept: false });
  showMessage(message);
  return message;
}

const whole = [{ _id: '5', subject: 'Contract' }];

describe('a file that could not be attached while Send waited for it', () => {
  it('keeps the message from being sent, until the person has read it', async () => {
    const message = write();
    attachMessages(message, whole);
    await sendMessage(message, '2027-01-04T08:00:00.000Z');
    expect(arrived).toEqual([]);
    expect(message.fileProblems.get()).toEqual([expect.stringContaining('“Contract.eml” could not be attached.')]);
    expect(message.state.get()).toMatchObject({
      phase: 'writing',
      problem: expect.stringMatching(/“Contract.eml” could not be attached.* Nothing was sent/),
    });
    expect(message.composition.get()).toMatchObject({ attempt: null, sendAt: '2027-01-04T08:00:00.000Z' });
    void sendMessage(message, null);
    expect(await call(1)).toMatchObject({ path: '/mail/send', fields: { subject: 'Salaries' } });
  });
});

describe('a recipient that is typed while Send waits for a save', () => {
  it('keeps the window open, which says that the message went without it', async () => {
    const message = write({ lists: { to: readRecipients('ben@b.test'), cc: [], bcc: [] } });
    attachFiles(message, [new File(['abc'], 'offer.pdf')]);
    const saving = message.saver.post(false);
    const save = await call(1);
    const sending = sendMessage(message, null);
    message.write({ typed: { to: '', cc: 'boss@b.test', bcc: '' } });
    save.answer(200, draftOf('700', [file]));
    await saving;
    (await call(2)).answer(200, sentFor(5000));
    await sending;
    expect(message.state.get()).toMatchObject({ phase: 'writing', problem: wordsOf(unsentWords).sentBeforeChange });
    expect(messages.get()).toEqual([message]);
    expect(message.composition.get().typed.cc).toBe('boss@b.test');
  });
});

const file = { _id: '31', original_name: 'offer.pdf', showData: true };
const people = { recipient_emails_to: [], recipient_emails_cc: [], recipient_emails_bcc: [] };
const draftOf = (id: string, attachments: object[]) => ({
  success: true,
  data: { _id: id, ...people, subject: 'Salaries', from: null, body: '', attachments, version: 1 },
});
const sentFor = (undoMs: number) => ({
  success: true,
  data: { _id: '8', undo_until: new Date(Date.now() + undoMs).toISOString(), undo_ms: undoMs, scheduled_for: null },
});
const lostFile = '“offer.pdf” could not be kept. Please attach it again.';

/** Answers the calls without files, by the beginning of their paths. Others break. */
function answer(answers: Record<string, [number, object]>): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const path = Object.keys(answers).find((start) => url.startsWith(`/api/v1${start}`));
    const [status, body] = (path && answers[path]) || [];
    if (!status) throw new TypeError('no server');
    return Response.json(body, { status });
  });
}

/** A message that became the draft 700 while it was written. The draft alone has a file of it. */
async function writeDraft(): Promise<OpenMessage> {
  const message = write();
  attachFiles(message, [new File(['abc'], 'offer.pdf')]);
  const saving = message.saver.post(false);
  (await call(1)).answer(200, draftOf('700', [file]));
  await saving;
  return message;
}

const undone = (ids?: object): [number, object] => [
  409,
  { success: false, code: 'send_undone', message: 'This message was taken back.', ...(ids && { ids }) },
];
const shownNow = () =>
  messages.get().map(({ composition, fileProblems }) => [composition.get().origin, fileProblems.get()]);

it('a message that is taken back by a person without a right to drafts goes on from the copy here', async () => {
  const sent = { view: true, create: true, edit: true, delete: true };
  queryClient.setQueryData(currentUserKey, { ...writer, permissions: [{ model: 'sent', ...sent }] });
  const message = write();
  attachFiles(message, [new File(['abc'], 'offer.pdf')]);
  const sending = sendMessage(message, null);
  (await call(1)).answer(200, sentFor(30_000));
  await sending;
  const forbidden = { success: false, code: 'forbidden', message: 'You may not do this.' };
  answer({ '/mail/undo_send/': [200, { success: true, data: { draft_id: '701' } }], '/mail/draft/': [403, forbidden] });
  await undoSent(sentMessages.get()[0] ?? expect.unreachable('the message can be taken back'));
  const [open] = messages.get();
  expect(open).toMatchObject({ isShown: true });
  expect(open?.composition.get()).toMatchObject({
    subject: 'Salaries',
    html: '<div>Dear Bob</div>',
    files: [{ name: 'offer.pdf' }],
    origin: { kind: 'new' },
    attempt: null,
  });
  expect([...(open?.files.values() ?? [])].map(({ name }) => name)).toEqual(['offer.pdf']);
});

describe('a message that was taken back, and no answer came', () => {
  async function sendAndUndo(ids?: object): Promise<void> {
    const sending = sendMessage(await writeDraft(), null);
    (await call(2)).answer(200, sentFor(30_000));
    await sending;
    const [sent] = sentMessages.get();
    if (!sent) throw new Error('the message can not be taken back');
    answer({ '/mail/send/': undone(ids), '/mail/draft/': [200, draftOf('701', [file])] });
    await undoSent(sent);
  }

  it('goes on as the draft that it has become', async () => {
    await sendAndUndo({ draft_id: '701' });
    expect(shownNow()).toEqual([[expect.objectContaining({ draftId: '701', files: [file] }), []]]);
  });

  it('goes on from what was written when that is gone, and names what was in the draft alone', async () => {
    await sendAndUndo();
    expect(shownNow()).toEqual([[{ kind: 'new' }, [lostFile]]]);
  });

  it('goes on as its draft in a page that is opened later', async () => {
    const message = write({ attempt: { isChanged: false, isTakenBack: true } });
    holdMessage(message);
    answer({ '/mail/send/': undone({ draft_id: '701' }), '/mail/draft/': [200, draftOf('701', [file])] });
    await resumeAsking(message);
    const [unsentOne, ...others] = await refreshUnsent();
    if (!unsentOne || others.length > 0) throw new Error('one message is unsent');
    await openUnsent(unsentOne.composition);
    expect(shownNow()).toEqual([[expect.objectContaining({ draftId: '701', files: [file] }), []]]);
  });
});

describe('a file that stood in the draft of a message alone', () => {
  it('is named when another draft begins without it', async () => {
    const message = await writeDraft();
    const saved = message.saver.post(true);
    const copy = await call(2);
    expect(copy.fields).toMatchObject({ copy_of: '700', 'with_attachments[]': file._id });
    copy.answer(200, draftOf('702', []));
    await saved;
    expect(message.fileProblems.get()).toEqual([lostFile]);
  });

  it('is named when the message was sent as it was before the last changes', async () => {
    const message = await writeDraft();
    const sending = sendMessage(message, null);
    (await call(2)).lose();
    await vi.waitFor(() => expect(message.state.get().phase).toBe('asking'), patient);
    message.write({ subject: 'Salaries, again' });
    answer({ '/mail/send/': [200, sentFor(0)] });
    askNow(message);
    await sending;
    expect(shownNow()).toEqual([[{ kind: 'new' }, [lostFile]]]);
  });
});

/** The call that comes in this place, counted from 1. */
async function call(number: number): Promise<Arrived> {
  return await vi.waitFor(() => {
    const one = arrived[number - 1];
    if (!one) throw new Error(`there is no call ${number} yet`);
    return one;
  }, patient);
}

describe('a message whose writer has left, and another person is there', () => {
  it('is not sent and not saved in the name of the other', async () => {
    const message = write();
    attachFiles(message, [new File(['abc'], 'salaries.csv')]);
    const saving = message.saver.post(false).catch(() => undefined);
    const save = await call(1);
    const sent = sendMessage(message, null);
    endSession();
    signIn('8');
    save.lose();
    await Promise.all([saving, sent]);
    expect(arrived.map(({ person }) => person)).toEqual(['7']);
    expect(message.state.get()).toMatchObject({
      phase: 'writing',
      problem: expect.stringContaining('Nothing was sent'),
    });
    // The same save is made once more when the writer is back
    expect(message.composition.get().unanswered).toMatchObject({ key: save.fields['idempotency_key'] });
  });

  it('becomes no draft of the other when its window was closed', async () => {
    const message = write();
    const saving = message.saver.post(false).catch(() => undefined);
    const save = await call(1);
    const closed = closeMessage(message);
    endSession();
    signIn('8');
    save.lose();
    await Promise.all([saving, closed]);
    expect(arrived.map(({ person }) => person)).toEqual(['7']);
    expect(message.composition.get().unanswered).toMatchObject({ key: save.fields['idempotency_key'] });
  });
});
