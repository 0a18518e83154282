import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteAnswer } from '../../../lib/connection.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { type Arrived, takeUploads } from '../../../test/uploads.ts';
import { ComposeStatus } from './ComposeStatus.tsx';
import { startComposition } from './start-composition.ts';
import { messages, OpenMessage, showMessage } from './windows.ts';

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};
const saved = {
  _id: '700',
  from: null,
  recipient_emails_to: [],
  recipient_emails_cc: [],
  recipient_emails_bcc: [],
  subject: 'Looms',
  body: '',
  attachments: [],
  star_status: false,
  version: 1,
  updatedAt: '2026-11-27T08:00:00.000Z',
};

let arrived: Arrived[];

beforeEach(() => {
  messages.set([]);
  noteAnswer(200);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  arrived = takeUploads();
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

async function save(message: OpenMessage): Promise<Arrived> {
  void message.saver.saveAsAnother();
  return await waitFor(() => {
    const call = arrived.shift();
    if (!call) throw new Error('nothing was sent');
    return call;
  });
}

it('says why the server refuses a draft, until it is saved', async () => {
  const begun = startComposition({ kind: 'new' }, '7', writer);
  const message = new OpenMessage({ ...begun, subject: 'Looms', isTextChanged: true }, { isKept: false });
  showMessage(message);
  show(<ComposeStatus message={message} />);
  const full = { success: false, code: 'mailbox_full', message: 'Your mailbox is full.' };
  (await save(message)).answer(422, full);
  await screen.findByText('The draft could not be saved, and this device keeps it meanwhile. Your mailbox is full.');
  (await save(message)).lose();
  // The banner of the connection says that the server is away
  await waitFor(() => expect(screen.queryByText(/mailbox is full/)).toBeNull());
  (await save(message)).answer(422, full);
  await screen.findByText(/mailbox is full/);
  (await save(message)).answer(200, { success: true, message: '', data: saved });
  await waitFor(() => expect(screen.queryByText(/mailbox is full/)).toBeNull());
});
