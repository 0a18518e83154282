import type { VacationDto } from '@selvage/core/contracts/vacation';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { VacationTab } from './VacationTab.tsx';

const signIn = (): void =>
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });

afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

it('a reply that was being written when the session ended is there after the next login', async () => {
  const vacation = { is_on: false, subject: '', body: '', first_day: null, last_day: null, only_known: false };
  const data: VacationDto = { ...vacation, time_zone: 'Asia/Kolkata', state: 'off' };
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
