import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { displayNotices, type Notice } from '../../../components/feedback/notify.ts';
import { noteAnswer } from '../../../lib/connection.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import type { Composition } from './composition.ts';
import { closeMessage, takeOther } from './close-messages.ts';
import { compositionOfDraft, startComposition } from './start-composition.ts';
import { openSavedDraft } from './unsent.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

/** A machine that is busy with other tests is slow, not wrong. */
const patient = { timeout: 30_000 };
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const people = { recipient_emails_to: [], recipient_emails_cc: [], recipient_emails_bcc: [] };
const row = { _id: '700', subject: 'Looms' };
const draft = {
  ...row,
  ...people,
  from: null,
  body: '<div>They arrive.</div>',
  attachments: [],
  star_status: false,
  version: 1,
  updatedAt: '2026-11-27T08:00:00.000Z',
};
const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};

let arrived: Arrived[];
let told: Notice[];
let endNotices: () => void;

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

beforeEach(() => {
  messages.set([]);
  localStorage.clear();
  noteAnswer(200);
  signIn('7');
  arrived = takeUploads();
  told = [];
  endNotices = displayNotices((notice) => told.push(notice));
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/mail/draft/get/')) throw new TypeError('no server');
    return Response.json({ success: true, message: '', data: draft });
  });
});
afterEach(() => {
  endNotices();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

type Times = Pick<Composition, 'sendAt' | 'remindAt'>;

/** A message that was taken back, as `Edit` opens a scheduled one. */
function edit(times: Times): OpenMessage {
  const message = new OpenMessage(compositionOfDraft(draft, { owner: '7', id: 'a', ...times }), { isKept: false });
  showMessage(message);
  return message;
}

const texts = (): string[] => told.map(({ text }) => text);
const shownTimes = () =>
  messages.get().map(({ composition }) => {
    const { sendAt, remindAt } = composition.get();
    return { sendAt, remindAt };
  });

async function reopen(): Promise<void> {
  messages.set([]);
  await openSavedDraft(row);
}

describe('a scheduled message that is edited and closed', () => {
  it('is said to be no longer scheduled, and has its times when it is opened again', async () => {
    const times = { sendAt: inDays(2), remindAt: inDays(5) };
    await closeMessage(edit(times));
    expect(texts()).toEqual(['Saved in Drafts. It is no longer scheduled.']);
    expect(messages.get()).toEqual([]);
    told[0]?.action?.run();
    await vi.waitFor(() => expect(shownTimes()).toEqual([times]), patient);
  });

  it('keeps them as well when something was written', async () => {
    const times = { sendAt: inDays(2), remindAt: null };
    const message = edit(times);
    message.write({ subject: 'The new looms' });
    const closed = closeMessage(message);
    (await call(1)).answer(200, { success: true, message: '', data: { ...draft, subject: 'The new looms' } });
    await closed;
    expect(texts()).toEqual(['Saved in Drafts. It is no longer scheduled.']);
    await reopen();
    expect(shownTimes()).toEqual([times]);
  });

  it('is said to be no longer scheduled when this device alone has it', async () => {
    const message = edit({ sendAt: inDays(2), remindAt: null });
    message.write({ subject: 'The new looms' });
    const closed = closeMessage(message);
    (await call(1)).answer(422, { success: false, code: 'mailbox_full', message: 'Your mailbox is full.' });
    await closed;
    expect(texts()).toEqual([expect.stringMatching(/^Your mailbox is full\. Kept .* It is no longer scheduled\.$/)]);
  });

  it('opens without a time that has passed, and says nothing of it any more', async () => {
    const sendAt = inDays(2);
    await closeMessage(edit({ sendAt, remindAt: inDays(5) }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(sendAt) + 1000 });
    await reopen();
    expect(shownTimes()).toEqual([{ sendAt: null, remindAt: expect.any(String) }]);
    told.length = 0;
    const [message] = messages.get();
    if (message) await closeMessage(message);
    expect(texts()).toEqual([]);
  });

  it('is told of also when its time passed while it was open', async () => {
    await closeMessage(edit({ sendAt: inDays(-1), remindAt: null }));
    expect(texts()).toEqual(['Saved in Drafts. It is no longer scheduled.']);
  });

  it('has its times for its writer alone, also after a logout', async () => {
    const times = { sendAt: inDays(2), remindAt: null };
    await closeMessage(edit(times));
    endSession();
    signIn('8');
    await reopen();
    expect(shownTimes()).toEqual([{ sendAt: null, remindAt: null }]);
    endSession();
    signIn('7');
    await reopen();
    expect(shownTimes()).toEqual([times]);
  });

  it('loses a reminder that the person took away', async () => {
    await closeMessage(edit({ sendAt: null, remindAt: inDays(5) }));
    await reopen();
    const [message] = messages.get();
    message?.write({ remindAt: null });
    if (message) await closeMessage(message);
    await reopen();
    expect(shownTimes()).toEqual([{ sendAt: null, remindAt: null }]);
    expect(texts()).toEqual([]);
  });

  it('keeps them when the text of another device is taken', async () => {
    const times = { sendAt: inDays(2), remindAt: inDays(5) };
    await takeOther(edit(times));
    expect(shownTimes()).toEqual([times]);
  });
});

it('a reminder that was chosen for a new message is there when its draft is opened', async () => {
  const begun = startComposition({ kind: 'new' }, '7', writer);
  const message = new OpenMessage({ ...begun, subject: 'Looms', isTextChanged: true }, { isKept: false });
  showMessage(message);
  const remindAt = inDays(3);
  message.write({ remindAt });
  const closed = closeMessage(message);
  (await call(1)).answer(200, { success: true, message: '', data: draft });
  await closed;
  expect(texts()).toEqual(['Saved in Drafts.']);
  told[0]?.action?.run();
  await vi.waitFor(() => expect(shownTimes()).toEqual([{ sendAt: null, remindAt }]), patient);
});

/** The call that comes so manieth, counted from 1. */
function call(number: number): Promise<Arrived> {
  return vi.waitUntil(() => arrived[number - 1], patient);
}
