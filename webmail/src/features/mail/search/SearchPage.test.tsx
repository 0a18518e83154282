import { act, screen, waitFor } from '@testing-library/react';
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

/** A message that was found. */
function found(id: string, subject: string, times: { createdAt: string; returned_at?: string }) {
  const people = { recipient_emails_to: [], recipient_emails_cc: [], recipient_emails_bcc: [], sender_name: 'Ana' };
  const hits = { marks: { sender: [], subject: [], body: [] }, found_files: [], is_in_files: false, draft_id: null };
  return { _id: id, subject, body: '', labels: [], received_status: true, ...people, ...times, ...hits };
}

it('keeps the rows in place while some are ticked, and counts what is found meanwhile', async () => {
  total = 2;
  rows = [
    found('2', 'Linen', { createdAt: '2024-03-05T12:02:00.000Z' }),
    found('1', 'Wool', { createdAt: '2024-03-05T12:01:00.000Z' }),
  ];
  const { person, client } = open('/dashboard/search?q=cloth');
  await person.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
  total = 3;
  rows = [found('3', 'Silk', { createdAt: '2024-03-05T12:03:00.000Z' }), ...rows];
  await act(() => client.invalidateQueries({ queryKey: ['mail', 'list'] }));
  await screen.findByRole('button', { name: '1 new message' });
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Linen', 'Wool']);
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Wool' }).checked).toBe(true);
  await person.click(screen.getByRole('checkbox', { name: 'Select Wool' }));
  await person.hover(screen.getByRole('heading', { level: 1 }));
  await screen.findByRole('link', { name: 'Silk' });
});

it('begins another search without ticks, although it may find the same messages', async () => {
  total = 1;
  rows = [found('1', 'Wool', { createdAt: '2024-03-05T12:01:00.000Z' })];
  const { person } = open('/dashboard/search?q=cloth');
  await person.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
  total = 2;
  rows = [found('2', 'Linen', { createdAt: '2024-03-05T12:02:00.000Z' }), ...rows];
  await person.selectOptions(screen.getByRole('combobox', { name: 'Folder' }), 'Archive');
  await screen.findByRole('checkbox', { name: 'Select Linen' });
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Wool' }).checked).toBe(false);
});

it('shows a snoozed message that has come back under the day on which it came first', async () => {
  total = 1;
  const times = { createdAt: '2024-03-05T12:00:00.000Z', returned_at: new Date().toISOString() };
  rows = [found('1', 'Wool', times)];
  open('/dashboard/search?q=wool');
  await screen.findByRole('link', { name: 'Wool' });
  expect(document.querySelector('time')?.dateTime).toBe(times.createdAt);
  expect(screen.queryByText('Today')).toBeNull();
});
