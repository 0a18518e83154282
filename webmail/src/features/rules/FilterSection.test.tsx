import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { FilterSection } from './FilterSection.tsx';

const filterOf = (_id: string, name: string) => ({ _id, name, is_on: true, conditions: { from: name }, actions: {} });

const all = { view: true, create: true, edit: true, delete: true };
const owner = { _id: '7', permissions: [{ model: 'accountsettings', ...all }] };

it('turns a filter off and on again in that order, and moves another one behind it', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const told: unknown[] = [];
  const answers = [pending<void>(), pending<void>(), pending<void>()];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    const data = url.endsWith('/user/info') ? owner : [filterOf('1', 'Wool'), filterOf('2', 'Looms')];
    if (method !== 'GET') {
      const answer = answers[told.length];
      told.push(JSON.parse(String(body)));
      await answer?.promise;
    }
    return Response.json({ success: true, message: '', data });
  });
  const { person } = show(<FilterSection />);
  const wool = () => screen.findByRole<HTMLInputElement>('switch', { name: /Wool/ });
  await person.click(await wool());
  await waitFor(async () => expect((await wool()).checked).toBe(false));
  await person.click(await wool());
  await waitFor(async () => expect((await wool()).checked).toBe(true));
  expect(told).toEqual([{ is_on: false }]);
  answers[0]?.resolve();
  await waitFor(() => expect(told).toEqual([{ is_on: false }, { is_on: true }]));
  answers[1]?.resolve();
  const up = await screen.findByRole('button', { name: 'Move Looms up' });
  await waitFor(() => expect(up.getAttribute('aria-disabled')).not.toBe('true'));
  await person.click(up);
  await waitFor(() => expect(told[2]).toEqual({ filter_ids: ['2', '1'] }));
  answers[2]?.resolve();
});
