import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import AccountSettingsPage from './AccountSettingsPage.tsx';

const made = { createdAt: '2026-11-20T10:00:00.000Z' };
const vacation = { is_on: true, subject: '', body: 'Back soon.', first_day: null, last_day: '2026-12-24' };
const none = { count: 0, last_used: null };
const lists: Record<string, unknown> = {
  '/mailsetting/signature/get/all': [
    { _id: '1', signature_name: 'Formal', signature_body: '<p>Ana Rao</p><p>Weavers</p>', version: 1 },
  ],
  '/mailsetting/image_senders/get/all': [{ _id: '2', address: 'news@remote.test', ...made }],
  '/mailsetting/filters/get/all': [
    { _id: '3', name: 'Bills', is_on: true, conditions: { subject: 'bill' }, actions: { star: true } },
  ],
  '/mailsetting/blocked/get/all': [{ _id: '4', address: 'spam@remote.test', ...made }],
  '/mailsetting/vacation': { ...vacation, time_zone: 'Asia/Kolkata', only_known: false, state: 'active' },
  '/user/mail_access': {
    copies: [],
    forwarded_to: [],
    archives: [],
    administrators: [],
    other_sessions: none,
    passkeys: none,
    app_passwords: none,
  },
  '/user/app_passwords': [{ _id: '5', app_name: 'Phone', last_used: null, last_used_ip: null, ...made }],
};
let flags = { view: true, create: true, edit: true, delete: true };

// The page loads its tabs when they are opened
beforeAll(
  () =>
    Promise.all([
      import('./signatures/GeneralTab.tsx'),
      import('./security/SecurityTab.tsx'),
      import('./forwarding/ForwardingTab.tsx'),
      import('../rules/FiltersTab.tsx'),
      import('../rules/VacationTab.tsx'),
    ]),
  120_000,
);
beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string) => {
    const [path = ''] = String(url)
      .replace(/^.*\/api\/v1/, '')
      .split('?');
    return Response.json({ success: true, message: '', data: path === '/user/info' ? person() : (lists[path] ?? []) });
  });
});

const person = () => ({
  _id: '7',
  email: 'ana@weavers.test',
  company_id: { is_provider: false },
  role_id: { role_id: 5 },
  forward_to: 'ana@home.test',
  forward_confirmed: true,
  forward_filtered: false,
  undo_ms: 5_000,
  permissions: [{ model: 'accountsettings', ...flags }],
});

/** What each tab says, and what it offers to a person who may change what it shows. */
const tabs: [tab: string, says: string, offers: string[]][] = [
  ['filters', 'Bills', ['New filter', 'Edit Bills', 'Delete Bills', 'Unblock spam@remote.test']],
  ['forwarding', 'Copies of new mail go to ana@home.test.', ['Stop forwarding']],
  ['vacation', 'Back soon.', ['Save']],
  ['security', 'Phone', ['New app password', 'Revoke Phone']],
  ['general', 'Weavers', ['New signature', 'Delete', 'No longer always show pictures of news@remote.test']],
];

async function open(tab: string, says: string) {
  const shown = show(<AccountSettingsPage />, `/dashboard/accountsettings?activeTab=${tab}`);
  await screen.findByText(says, { exact: false });
  await waitFor(() => expect(shown.client.isFetching()).toBe(0));
  return shown;
}

it.each(tabs)('offers the changes of %s to a person who may make them', async (tab, says, offers) => {
  flags = { view: true, create: true, edit: true, delete: true };
  await open(tab, says);
  for (const name of offers) await screen.findByRole('button', { name });
});

it.each(tabs)('shows %s to a person who may only look', async (tab, says, offers) => {
  flags = { view: true, create: false, edit: false, delete: false };
  await open(tab, says);
  for (const name of offers) expect(screen.queryByRole('button', { name })).toBeNull();
});
