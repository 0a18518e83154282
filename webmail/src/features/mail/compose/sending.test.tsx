import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import type { Composition } from './composition.ts';
import { attachFiles } from './message-files.ts';
import { sendMessage } from './sending.ts';
import { startComposition } from './start-composition.ts';
import { closeMessage } from './unsent.ts';
import { attachMessages } from './whole-messages.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

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

/** The call that comes so manieth, counted from 1. */
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
