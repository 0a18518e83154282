import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import ScheduledMessagePage from './ScheduledMessagePage.tsx';

const all = { view: true, create: true, edit: true, delete: true };
let models: string[];

const message = {
  _id: '5',
  subject: 'Looms',
  sender_name: 'Ana',
  sender_email: 'ana@x.test',
  from: 'Ana <ana@x.test>',
  recipient_emails_to: [],
  recipient_emails_cc: [],
  recipient_emails_bcc: [],
  createdAt: '2026-11-21T12:00:00.000Z',
  scheduled_for: '2030-01-01T08:00:00.000Z',
  remind_at: null,
  read_status: true,
  star_status: false,
  archive_status: false,
  trash_status: false,
  junk_status: false,
  delete_status: false,
  snoozed_status: false,
  snoozed_until: null,
  returned_at: null,
  send_status: true,
  received_status: false,
  placement: null,
  own_folder: null,
  undo_until: null,
  list_id: null,
  list_post: null,
  labels: [],
  body: 'Of wool',
  sheet: '',
  look: 'plain',
  snippet: 'Of wool',
  doubt: null,
  attachment_count: 0,
  attachments: [],
  deliveries: [],
  warnings: [],
  invitation: null,
  replies: [],
  twins: [],
  earlier_replies: 0,
};

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string) => {
    const person = { _id: '7', permissions: models.map((model) => ({ model, ...all })) };
    const data = url.endsWith('/user/info') ? person : url.includes('/mail/get/5') ? message : [];
    return Response.json({ success: true, message: '', data });
  });
});

async function actions(): Promise<(string | null)[]> {
  const page = <Route path="/dashboard/scheduled/:id" element={<ScheduledMessagePage />} />;
  show(<Routes>{page}</Routes>, '/dashboard/scheduled/5');
  const toolbar = await screen.findByRole('toolbar', { name: 'Scheduled message' });
  await within(toolbar).findByRole('button', { name: 'Send now' });
  return within(toolbar)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
}

it('offers all actions to a person who may open drafts', async () => {
  models = ['sent', 'draft'];
  expect(await actions()).toEqual(['Edit', 'Send now', 'Change time', 'Cancel sending']);
});

it('offers a person who may not open drafts no way to edit, since the draft would be out of their reach', async () => {
  models = ['sent'];
  expect(await actions()).toEqual(['Send now', 'Change time', 'Cancel sending']);
});
