import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { FirstCompany } from './FirstCompany.tsx';

const host = { _id: '1', name: 'Host', is_provider: true };
const mill = { _id: '2', name: 'Mill', is_provider: false };
let asked: string[];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
});
afterEach(() => endSession());

/** Serves companies. Only the host is a client: a company may be added without one. */
function serve(companies: object[]): void {
  asked = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(url, window.location.href);
    asked.push(pathname);
    const data = pathname.endsWith('/company/get/all') ? companies : [{ _id: '1', is_default: true }];
    const pagination = { totalData: data.length, totalPages: 1, pageNumber: 1, pageSize: 2 };
    return Response.json({ success: true, message: '', data, pagination });
  });
}

it('leads to the first company while there is none but the host', async () => {
  serve([host]);
  show(<FirstCompany />);
  await screen.findByText(/^No company is hosted here yet/);
});

it('says nothing once there is a company, also one that was added without a client', async () => {
  serve([host, mill]);
  const { client } = show(<FirstCompany />);
  await waitFor(() => expect([asked.length > 0, client.isFetching()]).toEqual([true, 0]));
  expect(screen.queryByText(/^No company is hosted here yet/)).toBeNull();
});
