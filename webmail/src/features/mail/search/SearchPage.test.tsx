import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import SearchPage from './SearchPage.tsx';

/** Messages that the server finds, and the pages that it was asked for. */
let total = 0;
let pages: (string | null)[] = [];

beforeEach(() => {
  pages = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/mail/search')) return Response.json({ success: false, message: 'No' }, { status: 500 });
    const { searchParams } = new URL(url, window.location.href);
    pages.push(searchParams.get('page'));
    const data = { rows: [], total, is_more: false, is_complete: true, indexed: total, messages: total };
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
