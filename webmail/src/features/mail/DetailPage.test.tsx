import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import DetailPage from './DetailPage.tsx';

const all = { view: true, add: true, edit: true, delete: true };
const person = { _id: '7', permissions: [{ model: 'inbox', ...all }] };

function message(_id: string, more: object = {}): object {
  return {
    _id,
    subject: 'Looms',
    sender_name: 'Ana',
    sender_email: 'ana@x.test',
    from: 'Ana <ana@x.test>',
    recipient_emails_to: [],
    recipient_emails_cc: [],
    recipient_emails_bcc: [],
    createdAt: `2026-11-21T12:0${_id}:00.000Z`,
    returned_at: null,
    read_status: true,
    star_status: false,
    archive_status: false,
    trash_status: false,
    junk_status: false,
    delete_status: false,
    snoozed_status: false,
    snoozed_until: null,
    send_status: false,
    received_status: true,
    placement: null,
    labels: [],
    own_folder: null,
    body: 'Of wool',
    sheet: '',
    look: 'plain',
    snippet: `Text ${_id}`,
    doubt: null,
    attachments: [],
    deliveries: [],
    warnings: [],
    undo_until: null,
    remind_at: null,
    invitation: null,
    earlier_replies: 0,
    ...more,
  };
}

let replies: object[] = [];
/** What the server was asked to change. */
let changes: unknown[] = [];

beforeEach(() => {
  changes = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: person._id }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method === 'PUT') changes.push(JSON.parse(String(init.body)));
    const data = url.endsWith('/user/info') ? person : url.includes('/mail/get/') ? message('5', { replies }) : {};
    return Response.json({ success: true, message: '', data });
  });
});
afterEach(() => vi.restoreAllMocks());

function turn(visibility: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

it('leaves a reply that comes while the page is out of view unread until the person comes back', async () => {
  replies = [message('4')];
  const { client } = show(
    <Routes>
      <Route path="/dashboard/inbox/:id" element={<DetailPage />} />
    </Routes>,
    '/dashboard/inbox/5',
  );
  await screen.findByText('Text 4');
  turn('hidden');
  // An older one comes with it, of which the folded line is seen
  replies = [message('3'), message('4'), message('6', { read_status: false })];
  await client.invalidateQueries({ queryKey: ['mail'] });
  await screen.findByText('Text 3');
  expect(changes).toEqual([]);
  turn('visible');
  await waitFor(() => expect(changes).toEqual([{ email_id: ['6'], read_status: true }]));
});
