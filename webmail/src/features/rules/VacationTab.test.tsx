import type { VacationDto } from '@selvage/core/contracts/vacation';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { vacationQuery } from './queries.ts';
import { VacationTab } from './VacationTab.tsx';

const signIn = (sub = '7'): void =>
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: 'x', expires_in: 900 });

afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

it('a reply that was being written when the session ended is there after the next login', async () => {
  const vacation = { is_on: false, subject: '', body: '', first_day: null, last_day: null, only_known: false };
  const data: VacationDto = { ...vacation, time_zone: 'Asia/Kolkata', state: 'off', version: 1 };
  const writer = { _id: '7', permissions: [{ model: 'accountsettings', view: true, edit: true }] };
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json({ success: true, message: '', data: String(url).includes('vacation') ? data : writer }),
  );
  signIn();
  const { person, unmount } = show(<VacationTab />);
  await person.type(await screen.findByLabelText('Message'), 'I am away.');
  act(() => endSession('Session expired. Please log in again.'));
  unmount();
  signIn();
  show(<VacationTab />);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Message')).value).toBe('I am away.');
});

it('follows a change of another window while nothing is typed, and writes over none', async () => {
  const vacation = { is_on: false, subject: '', first_day: null, last_day: null, only_known: false, state: 'off' };
  let data = { ...vacation, body: 'Away', time_zone: 'UTC', version: 1 };
  const sent: number[] = [];
  const writer = { _id: '7', permissions: [{ model: 'accountsettings', view: true, edit: true }] };
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (!String(url).includes('vacation')) return Response.json({ success: true, message: '', data: writer });
    if (method !== 'PUT') return Response.json({ success: true, message: '', data });
    const { version, ...form } = JSON.parse(String(body));
    sent.push(version);
    if (version === data.version) data = { ...data, ...form, version: version + 1 };
    else {
      const conflict = { by: 'Ana', at: '2026-11-29T12:00:00.000Z', fields: ['time_zone'], current: data };
      return Response.json({ success: false, message: '', code: 'changed_meanwhile', conflict }, { status: 409 });
    }
    return Response.json({ success: true, message: '', data });
  });
  signIn('8');
  const { person, client } = show(<VacationTab />);
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Message');
  data = { ...data, body: 'Back soon', version: 2 };
  await act(() => client.invalidateQueries({ queryKey: vacationQuery.queryKey }));
  await waitFor(() => expect(text.value).toBe('Back soon'));
  await person.type(text, '!');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('The vacation reply is off');
  await person.type(text, '!');
  data = { ...data, subject: 'Away', version: 4 };
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Time zone/);
  await person.click(screen.getByRole('button', { name: 'Keep my changes on top' }));
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([2, 3, 4]));
  await waitFor(() => expect(data).toMatchObject({ body: 'Back soon!!', subject: 'Away' }));
});
