import type { CatchAllRowDto } from '@selvage/core/contracts/catch-all';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import CatchAllPage from './CatchAllPage.tsx';

const row: CatchAllRowDto = {
  domain_id: '3',
  domain_name: 'xn--mller-kva.test',
  address: 'sales@xn--mller-kva.test',
  target: { kind: 'group', _id: '4', name: 'Sales' },
  version: 1,
  company_id: { _id: '1', name: 'Mills' },
  abilities: { edit: true },
};
const group = { _id: '4', name: 'Sales', address: row.address };
const permissions = [{ model: 'user', create: true, view: true, edit: true, delete: true }];
const person = { _id: '7', company_id: { _id: '1', name: 'Mills', is_provider: false }, permissions };

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const pagination = { totalData: 1, totalPages: 1, pageNumber: 1, pageSize: 10 };
  const answers = { '/user/info': person, '/domain/catch_all': [row], '/group/get/4': group };
  vi.stubGlobal('fetch', async (url: string) => {
    const data = Object.entries(answers).find(([path]) => url.includes(path))?.[1] ?? [];
    return Response.json({ success: true, message: '', data, pagination });
  });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

it('names domains, addresses and groups in their own letters', async () => {
  const { person: tester } = show(<CatchAllPage />);
  await screen.findByText('müller.test');
  screen.getByText('Sales (sales@müller.test)');
  await tester.click(await screen.findByRole('button', { name: /^Actions for .*müller\.test/ }));
  await tester.click(await screen.findByRole('menuitem'));
  await screen.findByRole('dialog', { name: 'Catch-all of müller.test' });
  await screen.findByDisplayValue('Sales (sales@müller.test)');
});
