import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import SearchPage from './SearchPage.tsx';

/** Messages that the server finds, and the pages that it was asked for. */
let total = 0;
let pages: (string | null)[] = [];
let rows: unknown[] = [];

beforeEach(() => {
  pages = [];
  rows = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/mail/search')) return Response.json({ success: false, message: 'No' }, { status: 500 });
    const { searchParams } = new URL(url, window.location.href);
    pages.push(searchParams.get('page'));
    const data = { rows, total, is_more: false, is_complete: true, indexed: total, messages: total };
    return Response.json({ success: true, message: '', data });
  });
});

const open = (address: string) =>
  show(
    <Routes>
      <Route path="/dashboard/search" element={<SearchPage />} />
    </Routes>,
    address,
  );

it('leads to the last page when what stood on the page has gone', async () => {
  total = 5;
  open('/dashboard/search?q=is%3Aunread&page=2&limit=5');
  await waitFor(() => expect(pages).toEqual(['2', '1']));
});

it('stays where it is when nothing is found', async () => {
  total = 0;
  open('/dashboard/search?q=is%3Aunread&page=2&limit=5');
  await screen.findByText('No emails found');
  expect(pages).toEqual(['2']);
});

it('shows a snoozed message that has come back under the day on which it came first', async () => {
  total = 1;
  const people = { recipient_emails_to: [], recipient_emails_cc: [], recipient_emails_bcc: [], sender_name: 'Ana' };
  const times = { createdAt: '2024-03-05T12:00:00.000Z', returned_at: new Date().toISOString() };
  const found = { marks: { sender: [], subject: [], body: [] }, found_files: [], is_in_files: false, draft_id: null };
  rows = [{ _id: '1', subject: 'Wool', body: '', labels: [], received_status: true, ...people, ...times, ...found }];
  open('/dashboard/search?q=wool');
  await screen.findByRole('link', { name: 'Wool' });
  expect(document.querySelector('time')?.dateTime).toBe(times.createdAt);
  expect(screen.queryByText('Today')).toBeNull();
});
